/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor time of each input, which a busy machine does not change. An input that takes over
 * HAW_FUZZ_SECONDS (1) ends the program by abort(), so that libFuzzer keeps it as a find; the
 * slowest one is told at the end.
 */
#ifndef HAWSER_TESTS_CLOCK_H
#define HAWSER_TESTS_CLOCK_H

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* What the target does with an input. */
void fuzz_input(const uint8_t *data, size_t size);

typedef struct fuzz_clock {
    double limit, start, slowest; /* [s]; limit 0: not read yet */
} fuzz_clock;

static inline fuzz_clock *fuzz_clock_of(void)
{
    static fuzz_clock clock;
    return &clock;
}

static inline double fuzz_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void fuzz_too_slow(int signal)
{
    static const char text[] = "this input takes more processor time than it may\n";
    (void)signal;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort();
}

static inline void fuzz_tell_slowest(void)
{
    (void)fprintf(stderr, "slowest input: %.3f s of the processor\n", fuzz_clock_of()->slowest);
}

static inline void fuzz_set_timer(double seconds)
{
    const struct itimerval timer = {
        .it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds))}};
    (void)setitimer(ITIMER_PROF, &timer, NULL);
}

/* The input begins here; called again where what went before was not its own, as a scene that all
 * inputs share. */
static inline void fuzz_start_clock(void)
{
    fuzz_clock *clock = fuzz_clock_of();
    if (clock->limit <= 0) {
        const char *seconds = getenv("HAW_FUZZ_SECONDS");
        clock->limit = seconds != NULL ? strtod(seconds, NULL) : 1;
        (void)signal(SIGPROF, fuzz_too_slow);
        (void)atexit(fuzz_tell_slowest);
    }
    clock->start = fuzz_now();
    fuzz_set_timer(clock->limit);
}

static inline void fuzz_stop_clock(void)
{
    fuzz_clock *clock = fuzz_clock_of();
    const double taken = fuzz_now() - clock->start;
    fuzz_set_timer(0);
    clock->slowest = taken > clock->slowest ? taken : clock->slowest;
}

/* The name is the one that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_start_clock();
    fuzz_input(data, size);
    fuzz_stop_clock();
    return 0;
}

#endif
