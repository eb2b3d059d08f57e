/* FMI 3.0: model exchange and co-simulation. */
#include <stdbool.h>
#include <stdint.h>
#if defined(_WIN32)
#define FMI_EXPORT __declspec(dllexport)
#else
#define FMI_EXPORT __attribute__((visibility("default")))
#endif

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef uint32_t fmi3ValueReference;
typedef const char *fmi3String;
typedef const uint8_t *fmi3Binary;
typedef void (*fmi3Logger)(void *, fmi3Status, fmi3String, fmi3String);

static fmi3Status failed(Core *core, const char *what)
{
    if (core->logger) ((fmi3Logger)(size_t)core->logger)(core->environment, fmi3Error, "logStatusError", what);
    return fmi3Error;
}

static void *instantiated(fmi3String token, void *environment, fmi3Logger logger)
{
    if (!token || strcmp(token, "@GUID") != 0) return 0;
    Core *core = (Core *)calloc(1, sizeof(Core));
    if (!core) return 0;
    core->tolerance = @TOLERANCE;
    core->environment = environment;
    core->logger = (void *)(size_t)logger;
    core_reset(core);
    return core;
}

FMI_EXPORT const char *fmi3GetVersion(void) { return "3.0"; }
FMI_EXPORT fmi3Status fmi3SetDebugLogging(void *c, bool on, size_t n, const fmi3String names[]) { return fmi3OK; }
FMI_EXPORT void *fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String place, bool visible,
    bool logging, void *environment, fmi3Logger logger) { return instantiated(token, environment, logger); }
FMI_EXPORT void *fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String place, bool visible,
    bool logging, bool events, bool early, const fmi3ValueReference required[], size_t n, void *environment,
    fmi3Logger logger, void *intermediate) { return instantiated(token, environment, logger); }
FMI_EXPORT void *fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String place, bool visible,
    bool logging, void *environment, fmi3Logger logger, void *clock, void *lock, void *unlock) { return 0; }
FMI_EXPORT void fmi3FreeInstance(void *c) { free(c); }
FMI_EXPORT fmi3Status fmi3EnterInitializationMode(void *c, bool given, double tolerance, double start, bool ends,
    double stop)
{
    ((Core *)c)->time = start;
    ((Core *)c)->fresh = 0;
    if (given && tolerance > 0.0 && tolerance < ((Core *)c)->tolerance) ((Core *)c)->tolerance = tolerance;
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3ExitInitializationMode(void *c) { core_set_branches((Core *)c); return fmi3OK; }
FMI_EXPORT fmi3Status fmi3EnterEventMode(void *c) { return fmi3OK; }
FMI_EXPORT fmi3Status fmi3Terminate(void *c) { return fmi3OK; }
FMI_EXPORT fmi3Status fmi3Reset(void *c) { core_reset((Core *)c); return fmi3OK; }

FMI_EXPORT fmi3Status fmi3GetFloat64(void *c, const fmi3ValueReference vr[], size_t n, double value[], size_t m)
{
    for (size_t i = 0; i < n; i++)
        if (core_get((Core *)c, vr[i], &value[i])) return failed((Core *)c, "A variable has no value at this state.");
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3SetFloat64(void *c, const fmi3ValueReference vr[], size_t n, const double value[], size_t m)
{
    for (size_t i = 0; i < n; i++)
        if (core_set((Core *)c, vr[i], value[i])) return failed((Core *)c, "A variable cannot be set.");
    return fmi3OK;
}
#define NONE3(name, type)                                                                                           \
    FMI_EXPORT fmi3Status fmi3Get##name(void *c, const fmi3ValueReference vr[], size_t n, type value[], size_t m)    \
    { return n ? fmi3Error : fmi3OK; }                                                                              \
    FMI_EXPORT fmi3Status fmi3Set##name(void *c, const fmi3ValueReference vr[], size_t n, const type value[],        \
        size_t m) { return n ? fmi3Error : fmi3OK; }
NONE3(Float32, float)
NONE3(Int8, int8_t)
NONE3(UInt8, uint8_t)
NONE3(Int16, int16_t)
NONE3(UInt16, uint16_t)
NONE3(Int32, int32_t)
NONE3(UInt32, uint32_t)
NONE3(Int64, int64_t)
NONE3(UInt64, uint64_t)
NONE3(Boolean, bool)
NONE3(String, fmi3String)
FMI_EXPORT fmi3Status fmi3GetBinary(void *c, const fmi3ValueReference vr[], size_t n, size_t sizes[], fmi3Binary value[],
    size_t m) { return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3SetBinary(void *c, const fmi3ValueReference vr[], size_t n, const size_t sizes[],
    const fmi3Binary value[], size_t m) { return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetClock(void *c, const fmi3ValueReference vr[], size_t n, bool value[])
{ return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3SetClock(void *c, const fmi3ValueReference vr[], size_t n, const bool value[])
{ return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(void *c, fmi3ValueReference vr, size_t *n) { return fmi3Error; }
FMI_EXPORT fmi3Status fmi3GetVariableDependencies(void *c, fmi3ValueReference vr, size_t a[], fmi3ValueReference b[],
    size_t d[], int kinds[], size_t n) { return fmi3Error; }

FMI_EXPORT fmi3Status fmi3GetFMUState(void *c, void **state)
{
    if (!*state) *state = malloc(sizeof(Core));
    if (!*state) return fmi3Error;
    memcpy(*state, c, sizeof(Core));
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3SetFMUState(void *c, void *state)
{
    Core *core = (Core *)c;
    void *environment = core->environment, *logger = core->logger;
    memcpy(core, state, sizeof(Core));
    core->environment = environment;
    core->logger = logger;
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3FreeFMUState(void *c, void **state) { free(*state); *state = 0; return fmi3OK; }
FMI_EXPORT fmi3Status fmi3SerializedFMUStateSize(void *c, void *state, size_t *size) { *size = sizeof(Core); return fmi3OK; }
FMI_EXPORT fmi3Status fmi3SerializeFMUState(void *c, void *state, uint8_t bytes[], size_t size)
{ if (size < sizeof(Core)) return fmi3Error; memcpy(bytes, state, sizeof(Core)); return fmi3OK; }
FMI_EXPORT fmi3Status fmi3DeserializeFMUState(void *c, const uint8_t bytes[], size_t size, void **state)
{
    if (size < sizeof(Core)) return fmi3Error;
    if (!*state) *state = malloc(sizeof(Core));
    memcpy(*state, bytes, sizeof(Core));
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3GetDirectionalDerivative(void *c, const fmi3ValueReference a[], size_t n,
    const fmi3ValueReference b[], size_t m, const double seed[], size_t k, double out[], size_t l) { return fmi3Error; }
FMI_EXPORT fmi3Status fmi3GetAdjointDerivative(void *c, const fmi3ValueReference a[], size_t n,
    const fmi3ValueReference b[], size_t m, const double seed[], size_t k, double out[], size_t l) { return fmi3Error; }
FMI_EXPORT fmi3Status fmi3EnterConfigurationMode(void *c) { return fmi3OK; }
FMI_EXPORT fmi3Status fmi3ExitConfigurationMode(void *c) { return fmi3OK; }
#define CLOCK3(name, a, b) FMI_EXPORT fmi3Status fmi3##name(void *c, const fmi3ValueReference vr[], size_t n, a, b) \
    { return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetIntervalDecimal(void *c, const fmi3ValueReference vr[], size_t n, double v[], int q[])
{ return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetIntervalFraction(void *c, const fmi3ValueReference vr[], size_t n, uint64_t a[],
    uint64_t b[], int q[]) { return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetShiftDecimal(void *c, const fmi3ValueReference vr[], size_t n, double v[])
{ return n ? fmi3Error : fmi3OK; }
CLOCK3(GetShiftFraction, uint64_t a[], uint64_t b[])
FMI_EXPORT fmi3Status fmi3SetIntervalDecimal(void *c, const fmi3ValueReference vr[], size_t n, const double v[])
{ return n ? fmi3Error : fmi3OK; }
CLOCK3(SetIntervalFraction, const uint64_t a[], const uint64_t b[])
FMI_EXPORT fmi3Status fmi3SetShiftDecimal(void *c, const fmi3ValueReference vr[], size_t n, const double v[])
{ return n ? fmi3Error : fmi3OK; }
CLOCK3(SetShiftFraction, const uint64_t a[], const uint64_t b[])
FMI_EXPORT fmi3Status fmi3EvaluateDiscreteStates(void *c) { return fmi3OK; }
FMI_EXPORT fmi3Status fmi3UpdateDiscreteStates(void *c, bool *needed, bool *terminate, bool *nominals, bool *values,
    bool *defined, double *next)
{
    *needed = *terminate = *nominals = *values = *defined = false;
    *next = 0.0;
    core_set_branches((Core *)c);
    return fmi3OK;
}

FMI_EXPORT fmi3Status fmi3EnterContinuousTimeMode(void *c) { return fmi3OK; }
FMI_EXPORT fmi3Status fmi3CompletedIntegratorStep(void *c, bool no, bool *event, bool *end)
{ *event = *end = false; return fmi3OK; }
FMI_EXPORT fmi3Status fmi3SetTime(void *c, double time) { ((Core *)c)->time = time; ((Core *)c)->fresh = 0; return fmi3OK; }
FMI_EXPORT fmi3Status fmi3SetContinuousStates(void *c, const double x[], size_t n)
{
    if (n != NX) return fmi3Error;
    memcpy(((Core *)c)->x, x, n * sizeof(double));
    ((Core *)c)->fresh = 0;
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(void *c, double dx[], size_t n)
{
    if (n != NX || core_refresh((Core *)c)) return failed((Core *)c, "There are no accelerations at this state.");
    memcpy(dx, ((Core *)c)->dx, n * sizeof(double));
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3GetEventIndicators(void *c, double z[], size_t n)
{
    double all[NZ + 1];
    if (n != NZ) return fmi3Error;
    if (n) core_watched((Core *)c, all);
    memcpy(z, all, n * sizeof(double));
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3GetContinuousStates(void *c, double x[], size_t n)
{
    if (n != NX) return fmi3Error;
    memcpy(x, ((Core *)c)->x, n * sizeof(double));
    return fmi3OK;
}
FMI_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(void *c, double x[], size_t n)
{ for (size_t i = 0; i < n; i++) x[i] = 1.0; return fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(void *c, size_t *n) { *n = NZ; return fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(void *c, size_t *n) { *n = NX; return fmi3OK; }

FMI_EXPORT fmi3Status fmi3EnterStepMode(void *c) { return fmi3OK; }
FMI_EXPORT fmi3Status fmi3GetOutputDerivatives(void *c, const fmi3ValueReference vr[], size_t n, const int32_t order[],
    double value[], size_t m) { return n ? fmi3Error : fmi3OK; }
FMI_EXPORT fmi3Status fmi3DoStep(void *c, double time, double step, bool kept, bool *event, bool *terminate, bool *early,
    double *last)
{
    *event = *terminate = *early = false;
    const int stuck = step < 0.0 || core_move((Core *)c, time + step);
    *last = ((Core *)c)->time;
    return stuck ? failed((Core *)c, "The motion cannot be followed any further.") : fmi3OK;
}
FMI_EXPORT fmi3Status fmi3ActivateModelPartition(void *c, fmi3ValueReference vr, double time) { return fmi3Error; }
