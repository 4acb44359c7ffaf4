/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Read damaged copies of an HDF5 file, one after another:
 *
 *     damage FILE COUNT [SEED]
 *
 * A contact problem is read as one, a results file by one of its readers in turn. A child does so,
 * as in the program, where HDF5 may crash or go round for ever: its death within HDF5, also after
 * 10 s of the processor, is counted, any other is wrong; it has 1 GiB. The copy is then kept, and
 * the exit code is 1.
 */
#include "fuzz/readers.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { FRAMES = 64, TRACE = 1 << 16 };

/* What the child has done so far, seen by the parent. */
typedef struct progress {
    long at; /* the copy it works on */
    long accepted, refused;
} progress;

typedef struct job {
    uint8_t *whole, *copy;
    size_t size;
    bool is_problem;
    uint64_t seed;
    long count;
    char place[64], file[96], folder[96];
    progress *progress;
} job;

static int trace = -1; /* file of the last backtrace */

/* ---- damage ---- */

static uint64_t next(uint64_t *state) /* splitmix64, Steele, Lea and Flood, OOPSLA 2014 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A byte changed or a bit of it, a run zeroed or copied elsewhere, the end cut off. */
static void wound(job *j, uint64_t *state, size_t *size)
{
    static const uint8_t ends[] = {0, 1, 0x7F, 0x80, 0xFF};
    const size_t to = next(state) % *size;
    size_t at = next(state) % *size;
    for (int k = 0; k < 8 && j->copy[at] == 0; k++) { /* the space between what is described */
        at = next(state) % *size;
    }
    const uint64_t kind = next(state) % 100, what = next(state);
    const size_t longest = *size - (at > to ? at : to);
    const size_t run = 1 + what % 256 < longest ? 1 + what % 256 : longest;
    if (kind < 50) {
        j->copy[at] = what % 6 < 5 ? ends[what % 6] : (uint8_t)(what >> 8);
    } else if (kind < 70) {
        j->copy[at] ^= (uint8_t)(1U << what % 8);
    } else if (kind < 80) {
        memset(j->copy + at, 0, run / 4 + 1 < longest ? run / 4 + 1 : longest);
    } else if (kind < 95) {
        memmove(j->copy + to, j->copy + at, run);
    } else if (at > 1000) {
        *size = at;
    }
}

static void write_copy(job *j, long index)
{
    static const int wounds[] = {1, 1, 1, 2, 3, 8};
    uint64_t state = j->seed * 1000003U + (uint64_t)index;
    size_t size = j->size;
    memcpy(j->copy, j->whole, size);
    for (int k = wounds[next(&state) % 6]; k > 0; k--) {
        wound(j, &state, &size);
    }
    FILE *stream = fopen(j->file, "wb");
    if (stream == NULL || fwrite(j->copy, 1, size, stream) != size || fclose(stream) != 0) {
        abort();
    }
}

/* ---- the child ---- */

static void die(int number)
{
    void *frame[FRAMES];
    /* once, at its end; NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
    backtrace_symbols_fd(frame, backtrace(frame, FRAMES), trace);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static bool read_problem(haw_context *context, const char *file)
{
    haw_problem *problem = NULL;
    const bool done = haw_fclib_read(context, file, &problem) == HAW_OK;
    haw_problem_free(context, problem);
    return done;
}

static void work(job *j)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};
    static const struct itimerval limit = {.it_value = {.tv_sec = 10}};
    static const struct rlimit memory = {(rlim_t)1 << 30, (rlim_t)1 << 30}, none = {0, 0};
    void *frame[1];
    (void)backtrace(frame, 1); /* loads what it needs */
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        (void)signal(deadly[i], die);
    }
    (void)setrlimit(RLIMIT_AS, &memory);
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    for (; j->progress->at < j->count; j->progress->at++) {
        const long i = j->progress->at;
        haw_context *context = fuzz_context();
        write_copy(j, i);
        (void)setitimer(ITIMER_PROF, &limit, NULL);
        const bool done =
            j->is_problem ? read_problem(context, j->file)
                          : readers_call(context, 1 + (int)(i % READERS), j->file, j->folder) > 0;
        j->progress->accepted += done;
        j->progress->refused += !done;
        haw_context_free(context);
    }
    _exit(0);
}

/* ---- the parent ---- */

/* Of the child's frames, the innermost that is HDF5's or the program's own is HDF5's. */
static bool died_in_hdf5(void)
{
    static char text[TRACE];
    const ssize_t size = pread(trace, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    const char *of_hdf5 = strstr(text, "libhdf5"), *own = strstr(text, "/damage(");
    own = own != NULL ? strstr(own + 1, "/damage(") : NULL; /* behind the handler itself */
    return of_hdf5 != NULL && (own == NULL || of_hdf5 < own);
}

static void keep_copy(job *j, int status)
{
    char kept[64];
    (void)snprintf(kept, sizeof kept, "damaged-%ld-%ld.h5", (long)j->seed, j->progress->at);
    (void)printf("%s: signal %d\n", kept, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    (void)fflush(stdout);
    FILE *stream = fopen(kept, "wb");
    struct stat found;
    if (stream != NULL && stat(j->file, &found) == 0) {
        (void)fwrite(j->copy, 1, j->size, stream);
    }
    if (stream != NULL) {
        (void)fclose(stream);
    }
}

/* @return how many deaths were not HDF5's */
static int run(job *j)
{
    long crashes = 0, hangs = 0;
    int wrong = 0;
    while (j->progress->at < j->count) {
        int status = 0;
        (void)ftruncate(trace, 0);
        (void)lseek(trace, 0, SEEK_SET);
        const pid_t child = fork();
        if (child == 0) {
            work(j);
        }
        while (child < 0 || (waitpid(child, &status, 0) < 0 && errno == EINTR)) {
        }
        if (j->progress->at < j->count) {
            const bool is_known = died_in_hdf5();
            const bool is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
            crashes += is_known && !is_late;
            hangs += is_known && is_late;
            wrong += !is_known;
            if (!is_known) {
                write_copy(j, j->progress->at);
                keep_copy(j, status);
            }
            j->progress->at++;
        }
    }
    (void)printf("%ld damaged copies: %ld read, %ld refused, HDF5 crashed on %ld and hung on %ld, "
                 "%d wrong\n",
                 j->count, j->progress->accepted, j->progress->refused, crashes, hangs, wrong);
    return wrong;
}

static void load(job *j, const char *path)
{
    struct stat found;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fstat(fileno(stream), &found) != 0 || found.st_size < 1) {
        (void)fprintf(stderr, "cannot read '%s'\n", path);
        exit(2);
    }
    j->size = (size_t)found.st_size;
    j->whole = malloc(2 * j->size);
    j->copy = j->whole + j->size;
    if (j->whole == NULL || fread(j->whole, 1, j->size, stream) != j->size) {
        exit(2);
    }
    (void)fclose(stream);
    haw_context *context = fuzz_context();
    j->is_problem = read_problem(context, path);
    haw_context_free(context);
}

static int open_file(const char *place, const char *name, int how)
{
    char path[96];
    (void)snprintf(path, sizeof path, "%s/%s", place, name);
    return open(path, O_RDWR | O_CREAT | O_TRUNC | how, 0600);
}

int main(int count, char **argument)
{
    job j = {.seed = count > 3 ? strtoull(argument[3], NULL, 10) : 1};
    if (count < 3) {
        (void)fprintf(stderr, "damage FILE COUNT [SEED]\n");
        return 2;
    }
    j.count = strtol(argument[2], NULL, 10);
    load(&j, argument[1]);
    replay_path(j.place, "damage");
    readers_begin(j.place);
    (void)snprintf(j.file, sizeof j.file, "%s/d.h5", j.place);
    (void)snprintf(j.folder, sizeof j.folder, "%s/out", j.place);
    trace = open_file(j.place, "trace", O_APPEND);
    const int shared = open_file(j.place, "progress", 0);
    if (trace < 0 || shared < 0 || ftruncate(shared, (off_t)sizeof *j.progress) != 0) {
        return 2;
    }
    j.progress = mmap(NULL, sizeof *j.progress, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (j.progress == MAP_FAILED) {
        return 2;
    }
    return run(&j) > 0 ? 1 : 0;
}
