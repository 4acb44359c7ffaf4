/* SPDX-License-Identifier: BSD-3-Clause */
#include "child.h"

#include "../measure.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SETTLE  5e-3     /* CPU seconds before the first run: the clock of a new process lags */
#define WALL    20u      /* times the limit, for a process that waits for ever */
#define LOOK_NS 1000000L /* the parent looks at the child's clock so often [ns] */

/* What parent and child both see; the impulses follow. */
typedef struct shared {
    double started; /* CPU time at the start of the present run, 0 outside of a run */
    child_result result;
} shared;

typedef struct work {
    const contestant *who;
    const contest *problem;
    const child_plan *plan;
    shared *shared;
    double *r; /* [size] in the shared memory */
    int size;
} work;

static void *map_shared(size_t bytes)
{
    FILE *file = tmpfile();
    void *memory = MAP_FAILED;

    if (file != NULL && ftruncate(fileno(file), (off_t)bytes) == 0) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return memory == MAP_FAILED ? NULL : memory;
}

/* The solves of one run between two readings of the clock. */
static double timed(const work *w, void *const *instance, double *const *r)
{
    const double start = cpu_seconds();

    w->shared->started = start;
    for (int k = 0; k < w->plan->batch; k++) {
        w->who->solve(instance[k], r[k]);
    }
    const double seconds = cpu_seconds() - start;

    w->shared->started = 0;
    return seconds / w->plan->batch;
}

/* One run; the last instance works in the shared memory, where the parent sees its iterates. */
static bool run_once(const work *w, void **instance, double **r)
{
    child_result *result = &w->shared->result;
    const int batch = w->plan->batch;

    memset(w->r, 0, (size_t)w->size * sizeof *w->r);
    for (int k = 0; k < batch; k++) {
        r[k] = k == batch - 1 ? w->r : calloc((size_t)w->size, sizeof **r);
        instance[k] = w->who->prepare(w->who, w->problem, &w->plan->to);
        if (r[k] == NULL || instance[k] == NULL) {
            return false;
        }
    }
    result->seconds[result->runs] = timed(w, instance, r);
    for (int k = 0; k < batch; k++) {
        w->who->finish(instance[k], &result->said);
        if (r[k] != w->r) {
            free(r[k]);
        }
    }
    result->runs++;
    return true;
}

static void quiet(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);

    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
}

static int child_main(const work *w)
{
    void **instance = calloc((size_t)w->plan->batch, sizeof *instance);
    double **r = calloc((size_t)w->plan->batch, sizeof *r);

    quiet();
    if (instance == NULL || r == NULL) {
        return EXIT_FAILURE;
    }
    while (cpu_seconds() < SETTLE) {
    }
    for (int i = 0; i < w->plan->runs; i++) {
        if (!run_once(w, instance, r)) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

/* No CPU timer in the child itself: one would coarsen its process clock to scheduler ticks. */
static bool is_over_limit(pid_t child, const work *w)
{
    clockid_t clock;
    struct timespec now;
    const double started = w->shared->started;

    if (started == 0 || clock_getcpuclockid(child, &clock) != 0 ||
        clock_gettime(clock, &now) != 0) {
        return false;
    }
    const double used = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - started;

    return used > w->plan->limit * w->plan->batch;
}

static child_end follow(pid_t child, const work *w)
{
    int status = 0;

    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);

        if (ended == child) {
            const bool is_good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
            const bool is_hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;

            return is_good ? CHILD_FINISHED : is_hung ? CHILD_TIMEOUT : CHILD_CRASHED;
        }
        if (ended < 0) {
            return CHILD_CRASHED;
        }
        if (is_over_limit(child, w)) {
            (void)kill(child, SIGKILL);
            (void)waitpid(child, &status, 0);
            return CHILD_TIMEOUT;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
}

bool child_run(const contestant *who, const contest *problem, const child_plan *plan, double *r,
               child_result *result)
{
    const int size = problem->problem->contacts * problem->problem->dimension;
    const size_t bytes = sizeof(shared) + ((size_t)size + 1) * sizeof *r;
    shared *common = map_shared(bytes);

    if (common == NULL) {
        return false;
    }
    const work w = {who, problem, plan, common, (double *)(common + 1), size};

    (void)fflush(NULL);
    const pid_t child = fork();

    if (child == 0) {
        (void)alarm((unsigned)(plan->limit * plan->runs * plan->batch) * WALL + WALL);
        _exit(child_main(&w));
    }
    if (child > 0) {
        common->result.end = follow(child, &w);
        *result = common->result;
        memcpy(r, w.r, (size_t)size * sizeof *r);
    }
    (void)munmap(common, bytes);
    return child > 0;
}
