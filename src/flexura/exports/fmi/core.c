/* An instance of the model: where it is, what it is given, and how it moves on. */
typedef struct {
    double time, tolerance;
    double p[MODEL(NP) + 2], u[NU + 1], x[NX + 1];    /* parameters, the branches of events, the rate of decay */
    void *environment, *logger;
    int fresh;                      /* dx and y belong to the present state */
    int begun;                      /* the branches were chosen once */
    double dx[NX + 1], y[NY + 1];
    double step;                    /* what the integrator would take next */
} Core;

static const int x_of_rate[NX + 1] = {@X_OF_RATE};     /* 1 where a state is a rate, 0 where it is a coordinate */
static const int x_index[NX + 1] = {@X_INDEX};
static const double x_start[NX + 1] = {@X_START};

static int core_set_branches(Core *core);

static void core_reset(Core *core)
{
    core->time = 0.0;
    core->fresh = 0;
    core->step = 0.0;
    for (int i = 0; i < NX; i++) core->x[i] = x_start[i];
    for (int i = 0; i < NU; i++) core->u[i] = 0.0;
    for (int i = 0; i < MODEL(NP); i++) core->p[i] = MODEL(parameters)[i];
    core->p[MODEL(NP)] = @DECAY;   /* how fast what is missed of constraints decays, in 1/s */
    core->begun = 0;
}

static void core_split(const double *x, double *q, double *v)
{
    memset(q, 0, (NQ + 1) * sizeof(double));
    memset(v, 0, (NQ + 1) * sizeof(double));
    for (int i = 0; i < NX; i++) {
        if (x_of_rate[i]) v[x_index[i]] = x[i];
        else q[x_index[i]] = x[i];
    }
}

/* The rates of a state, and the outputs if y is not null. Returns 1 where there are none. */
static int core_rates(const Core *core, double t, const double *x, double *dx, double *y)
{
    double q[NQ + 1], v[NQ + 1], a[NQ + 1], lam[NM + 1];
    const double alpha = core->p[MODEL(NP)];
    core_split(x, q, v);
    if (MODEL(accelerations)(t, q, v, core->u, core->p, alpha, a, lam)) return 1;
    for (int i = 0; i < NX; i++) dx[i] = x_of_rate[i] ? a[x_index[i]] : v[x_index[i]];
    if (y) MODEL(outputs)(t, q, v, a, lam, core->u, core->p, y);
    for (int i = 0; i < NX; i++)
        if (dx[i] != dx[i]) return 1;
    return 0;
}

/* The functions whose zeros are events. */
static void core_indicators(const Core *core, double t, const double *x, double *z)
{
    double q[NQ + 1], v[NQ + 1];
    core_split(x, q, v);
    MODEL(indicators)(t, q, v, core->u, core->p, z);
}

/* Choose each branch by the sign of its function, just after now. Returns 1 if any of them changed. */
static int core_set_branches(Core *core)
{
    double z[NZ + 1], ahead[NZ + 1], x[NX + 1], dx[NX + 1];
    int changed = 0;
    if (NZ == 0) return 0;
    const double h = 1e-9 * (1e-3 + fabs(core->time));
    core_indicators(core, core->time, core->x, z);
    if (!core->begun) {
        for (int i = 0; i < NZ; i++) core->p[NP0 + i] = z[i] < 0.0 ? -1.0 : 1.0;
        core->begun = 1;
    }
    const int moves = !core_rates(core, core->time, core->x, dx, 0);
    for (int i = 0; i < NX; i++) x[i] = core->x[i] + (moves ? h * dx[i] : 0.0);
    core_indicators(core, core->time + h, x, ahead);
    for (int i = 0; i < NZ; i++) {
        const double branch = ahead[i] < 0.0 ? -1.0 : 1.0;
        if (branch != core->p[NP0 + i]) changed = 1;
        core->p[NP0 + i] = branch;
    }
    core->fresh = 0;
    return changed;
}

/* Event indicators: moved a little to the side of the branch, so that none is zero just after its event. */
static void core_watched(const Core *core, double *z)
{
    core_indicators(core, core->time, core->x, z);
    for (int i = 0; i < NZ; i++) z[i] += 1e-12 * core->p[NP0 + i];
}

/* Whether a function has changed its sign where a step would end. */
static int core_crossed(const Core *core, double t, const double *x)
{
    double z[NZ + 1];
    if (NZ == 0) return 0;
    core_indicators(core, t, x, z);
    for (int i = 0; i < NZ; i++)
        if (z[i] * core->p[NP0 + i] < 0.0) return 1;
    return 0;
}

static int core_refresh(Core *core)
{
    if (core->fresh) return 0;
    if (!core->begun) core_set_branches(core);
    if (core_rates(core, core->time, core->x, core->dx, core->y)) return 1;
    core->fresh = 1;
    return 0;
}

/* One step of Dormand and Prince (1980), order 5 with an error of order 4. Returns the error in units of what is
   allowed, or a negative number where the rates do not exist. */
static double core_try(const Core *core, double t, double h, const double *x, const double *k1, double *next, double *k7)
{
    static const double c[6] = {0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
    static const double b[6][6] = {
        {0.2},
        {3.0 / 40.0, 9.0 / 40.0},
        {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
        {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
        {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
        {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
    static const double e[7] = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0,
        -1.0 / 40.0};
    double k[7][NX + 1], at[NX + 1], worst = 0.0;
    memcpy(k[0], k1, sizeof k[0]);
    for (int stage = 0; stage < 6; stage++) {
        for (int i = 0; i < NX; i++) {
            at[i] = x[i];
            for (int j = 0; j <= stage; j++) at[i] += h * b[stage][j] * k[j][i];
        }
        if (core_rates(core, t + c[stage] * h, at, k[stage + 1], 0)) return -1.0;
    }
    memcpy(next, at, sizeof at);
    memcpy(k7, k[6], sizeof k[6]);
    for (int i = 0; i < NX; i++) {
        double error = 0.0;
        for (int j = 0; j < 7; j++) error += h * e[j] * k[j][i];
        const double size = fabs(x[i]) > fabs(next[i]) ? fabs(x[i]) : fabs(next[i]);
        const double part = fabs(error) / (core->tolerance * (1e-3 + size));
        if (part > worst) worst = part;
    }
    return worst;
}

/* Move to `end` with inputs as they are. Returns 1 where that fails; then the state is the last that was reached. */
static int core_move(Core *core, double end)
{
    double rate[NX + 1], next[NX + 1], last[NX + 1];
    if (NX == 0 || end <= core->time) {
        core->time = end;
        core->fresh = 0;
        return 0;
    }
    core_set_branches(core);
    if (core_rates(core, core->time, core->x, rate, 0)) return 1;
    long events = 0;
    double h = core->step > 0.0 ? core->step : (end - core->time) / 100.0;
    for (long count = 0; core->time < end; count++) {
        const double left = end - core->time;
        const int whole = h >= left * (1.0 - 1e-12);
        const double step = whole ? left : h;
        if (count > 50000000L || step <= 1e-15 * (fabs(core->time) + 1e-300)) return 1;
        const double error = core_try(core, core->time, step, core->x, rate, next, last);
        if (error < 0.0 || error > 1.0) {
            const double factor = error < 0.0 ? 0.25 : 0.9 * pow(error, -0.2);
            h = step * (factor < 0.2 ? 0.2 : factor);
            continue;
        }
        if (core_crossed(core, core->time + step, next)) {     /* end the step just after the first event */
            double before = 0.0, after = step;
            for (int halving = 0; halving < 80 && after - before > 1e-14 * (step + fabs(core->time)); halving++) {
                const double middle = (before + after) / 2;
                if (core_try(core, core->time, middle, core->x, rate, next, last) < 0.0) return 1;
                if (core_crossed(core, core->time + middle, next)) after = middle;
                else before = middle;
            }
            if (core_try(core, core->time, after, core->x, rate, next, last) < 0.0) return 1;
            memcpy(core->x, next, sizeof next);
            core->time += after;
            core_set_branches(core);
            if (++events > 10000L || core_rates(core, core->time, core->x, rate, 0)) return 1;
            h = h < (end - core->time) / 100.0 ? h : (end - core->time) / 100.0;
            continue;
        }
        memcpy(core->x, next, sizeof next);
        memcpy(rate, last, sizeof last);
        core->time = whole ? end : core->time + step;
        core->fresh = 0;
        const double factor = error > 0.0 ? 0.9 * pow(error, -0.2) : 5.0;
        const double wanted = step * (factor > 5.0 ? 5.0 : factor < 0.2 ? 0.2 : factor);
        if (!whole || wanted < h) h = wanted;
    }
    core->step = h;
    return 0;
}

/* Where a parameter is: those of the model, then the rate of decay. */
static double *core_parameter(Core *core, unsigned int i) { return &core->p[i < NP0 ? i : MODEL(NP)]; }

/* Variables by value reference: 0 is time, then parameters, inputs, states, rates of states, outputs, indicators. */
static int core_get(Core *core, unsigned int reference, double *value)
{
    if (reference == 0) {
        *value = core->time;
        return 0;
    }
    unsigned int i = reference - 1;
    if (i < NP) { *value = *core_parameter(core, i); return 0; }
    i -= NP;
    if (i < NU) { *value = core->u[i]; return 0; }
    i -= NU;
    if (i < NX) { *value = core->x[i]; return 0; }
    i -= NX;
    if (core_refresh(core)) return 1;
    if (i < NX) { *value = core->dx[i]; return 0; }
    i -= NX;
    if (i < NY) { *value = core->y[i]; return 0; }
    i -= NY;
    if (i < NZ) {
        double z[NZ + 1];
        core_watched(core, z);
        *value = z[i];
        return 0;
    }
    return 1;
}

static int core_set(Core *core, unsigned int reference, double value)
{
    if (reference == 0) return 1;
    unsigned int i = reference - 1;
    core->fresh = 0;
    if (i < NP) { *core_parameter(core, i) = value; core->begun = 0; return 0; }
    i -= NP;
    if (i < NU) { core->u[i] = value; return 0; }
    i -= NU;
    if (i < NX) { core->x[i] = value; core->begun = 0; return 0; }
    return 1;
}
