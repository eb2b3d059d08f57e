/* FMI 2.0: model exchange and co-simulation. */
#if defined(_WIN32)
#define FMI_EXPORT __declspec(dllexport)
#else
#define FMI_EXPORT __attribute__((visibility("default")))
#endif

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef unsigned int fmi2ValueReference;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    double nextEventTime;
} fmi2EventInfo;
typedef void (*fmi2Logger)(void *, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    fmi2Logger logger;
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(void *, fmi2Status);
    void *componentEnvironment;
} fmi2CallbackFunctions;

static fmi2Status failed(Core *core, const char *what)
{
    if (core->logger)
        ((fmi2Logger)(size_t)core->logger)(core->environment, "@NAME", fmi2Error, "logStatusError", "%s", what);
    return fmi2Error;
}

FMI_EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
FMI_EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
FMI_EXPORT fmi2Status fmi2SetDebugLogging(void *c, fmi2Boolean on, size_t n, const fmi2String names[]) { return fmi2OK; }

FMI_EXPORT void *fmi2Instantiate(fmi2String name, int type, fmi2String guid, fmi2String place,
    const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    if (!guid || strcmp(guid, "@GUID") != 0) return 0;
    Core *core = (Core *)calloc(1, sizeof(Core));
    if (!core) return 0;
    core->tolerance = @TOLERANCE;
    core->environment = functions ? functions->componentEnvironment : 0;
    core->logger = functions ? (void *)(size_t)functions->logger : 0;
    core_reset(core);
    return core;
}

FMI_EXPORT void fmi2FreeInstance(void *c) { free(c); }
FMI_EXPORT fmi2Status fmi2SetupExperiment(void *c, fmi2Boolean given, double tolerance, double start,
    fmi2Boolean ends, double stop)
{
    ((Core *)c)->time = start;
    ((Core *)c)->fresh = 0;
    if (given && tolerance > 0.0 && tolerance < ((Core *)c)->tolerance) ((Core *)c)->tolerance = tolerance;
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2EnterInitializationMode(void *c) { return fmi2OK; }
FMI_EXPORT fmi2Status fmi2ExitInitializationMode(void *c) { core_set_branches((Core *)c); return fmi2OK; }
FMI_EXPORT fmi2Status fmi2Terminate(void *c) { return fmi2OK; }
FMI_EXPORT fmi2Status fmi2Reset(void *c) { core_reset((Core *)c); return fmi2OK; }

FMI_EXPORT fmi2Status fmi2GetReal(void *c, const fmi2ValueReference vr[], size_t n, double value[])
{
    for (size_t i = 0; i < n; i++)
        if (core_get((Core *)c, vr[i], &value[i])) return failed((Core *)c, "A variable has no value at this state.");
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2SetReal(void *c, const fmi2ValueReference vr[], size_t n, const double value[])
{
    for (size_t i = 0; i < n; i++)
        if (core_set((Core *)c, vr[i], value[i])) return failed((Core *)c, "A variable cannot be set.");
    return fmi2OK;
}
#define NONE2(name, type)                                                                                       \
    FMI_EXPORT fmi2Status fmi2Get##name(void *c, const fmi2ValueReference vr[], size_t n, type value[])          \
    { return n ? fmi2Error : fmi2OK; }                                                                          \
    FMI_EXPORT fmi2Status fmi2Set##name(void *c, const fmi2ValueReference vr[], size_t n, const type value[])    \
    { return n ? fmi2Error : fmi2OK; }
NONE2(Integer, int)
NONE2(Boolean, fmi2Boolean)
NONE2(String, fmi2String)

FMI_EXPORT fmi2Status fmi2GetFMUstate(void *c, void **state)
{
    if (!*state) *state = malloc(sizeof(Core));
    if (!*state) return fmi2Error;
    memcpy(*state, c, sizeof(Core));
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2SetFMUstate(void *c, void *state)
{
    Core *core = (Core *)c;
    void *environment = core->environment, *logger = core->logger;
    memcpy(core, state, sizeof(Core));
    core->environment = environment;
    core->logger = logger;
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2FreeFMUstate(void *c, void **state) { free(*state); *state = 0; return fmi2OK; }
FMI_EXPORT fmi2Status fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) { *size = sizeof(Core); return fmi2OK; }
FMI_EXPORT fmi2Status fmi2SerializeFMUstate(void *c, void *state, char bytes[], size_t size)
{ if (size < sizeof(Core)) return fmi2Error; memcpy(bytes, state, sizeof(Core)); return fmi2OK; }
FMI_EXPORT fmi2Status fmi2DeSerializeFMUstate(void *c, const char bytes[], size_t size, void **state)
{
    if (size < sizeof(Core)) return fmi2Error;
    if (!*state) *state = malloc(sizeof(Core));
    memcpy(*state, bytes, sizeof(Core));
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2GetDirectionalDerivative(void *c, const fmi2ValueReference a[], size_t n,
    const fmi2ValueReference b[], size_t m, const double dv[], double dz[]) { return fmi2Error; }

FMI_EXPORT fmi2Status fmi2EnterEventMode(void *c) { return fmi2OK; }
FMI_EXPORT fmi2Status fmi2NewDiscreteStates(void *c, fmi2EventInfo *info)
{
    memset(info, 0, sizeof *info);
    core_set_branches((Core *)c);
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2EnterContinuousTimeMode(void *c) { return fmi2OK; }
FMI_EXPORT fmi2Status fmi2CompletedIntegratorStep(void *c, fmi2Boolean no, fmi2Boolean *event, fmi2Boolean *end)
{ *event = 0; *end = 0; return fmi2OK; }
FMI_EXPORT fmi2Status fmi2SetTime(void *c, double time) { ((Core *)c)->time = time; ((Core *)c)->fresh = 0; return fmi2OK; }
FMI_EXPORT fmi2Status fmi2SetContinuousStates(void *c, const double x[], size_t n)
{
    if (n != NX) return fmi2Error;
    memcpy(((Core *)c)->x, x, n * sizeof(double));
    ((Core *)c)->fresh = 0;
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2GetDerivatives(void *c, double dx[], size_t n)
{
    if (n != NX || core_refresh((Core *)c)) return failed((Core *)c, "There are no accelerations at this state.");
    memcpy(dx, ((Core *)c)->dx, n * sizeof(double));
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2GetEventIndicators(void *c, double z[], size_t n)
{
    double all[NZ + 1];
    if (n != NZ) return fmi2Error;
    if (n) core_watched((Core *)c, all);
    memcpy(z, all, n * sizeof(double));
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2GetContinuousStates(void *c, double x[], size_t n)
{
    if (n != NX) return fmi2Error;
    memcpy(x, ((Core *)c)->x, n * sizeof(double));
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(void *c, double x[], size_t n)
{ for (size_t i = 0; i < n; i++) x[i] = 1.0; return fmi2OK; }

FMI_EXPORT fmi2Status fmi2SetRealInputDerivatives(void *c, const fmi2ValueReference vr[], size_t n, const int order[],
    const double value[]) { return n ? fmi2Error : fmi2OK; }
FMI_EXPORT fmi2Status fmi2GetRealOutputDerivatives(void *c, const fmi2ValueReference vr[], size_t n, const int order[],
    double value[]) { return n ? fmi2Error : fmi2OK; }
FMI_EXPORT fmi2Status fmi2DoStep(void *c, double time, double step, fmi2Boolean kept)
{
    if (step < 0.0) return failed((Core *)c, "A step goes backwards in time.");
    if (core_move((Core *)c, time + step)) return failed((Core *)c, "The motion cannot be followed any further.");
    return fmi2OK;
}
FMI_EXPORT fmi2Status fmi2CancelStep(void *c) { return fmi2Error; }
FMI_EXPORT fmi2Status fmi2GetStatus(void *c, int kind, fmi2Status *value) { return fmi2Discard; }
FMI_EXPORT fmi2Status fmi2GetRealStatus(void *c, int kind, double *value) { *value = ((Core *)c)->time; return fmi2OK; }
FMI_EXPORT fmi2Status fmi2GetIntegerStatus(void *c, int kind, int *value) { return fmi2Discard; }
FMI_EXPORT fmi2Status fmi2GetBooleanStatus(void *c, int kind, fmi2Boolean *value) { *value = 0; return fmi2OK; }
FMI_EXPORT fmi2Status fmi2GetStringStatus(void *c, int kind, fmi2String *value) { return fmi2Discard; }
