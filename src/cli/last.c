/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* NOLINT: sigaltstack */
#include "cli/last.h"

#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t is_leaving, answers; /* answers: in JSON */

/* Nothing else may be called from a handler of signals. */
static void leave(void)
{
    static const char message[] =
        "hawser: error: out of memory, in a library that does not survive "
        "it\n";
    static const char answer[] = "{\"status\": \"ended\", \"message\": \"out of memory\"}\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);

    if (answers) {
        written = write(STDOUT_FILENO, answer, sizeof answer - 1);
    }
    (void)written;
    _exit(HAW_EXIT_ENDED);
}

/* A library that goes on with the NULL it got for memory, or with what it could not build. An errno
 * that has been told is reset, so that it does not make a crash elsewhere one of these. */
static void on_crash(int number)
{
    if (errno == ENOMEM) { /* NOLINT(bugprone-signal-handler,cert-sig30-c): of this thread */
        leave();
    }
    (void)signal(number, SIG_DFL); /* a crash like any other: it happens again */
}

static void on_exit_of_library(void)
{
    if (!is_leaving) {
        leave();
    }
}

void haw_last_begin(bool json)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT};

    /* HDF5 without memory for its first error calls itself until the stack is full */
    static char own_stack[1 << 15];
    const stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    const struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

    answers = json;
    (void)sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        (void)sigaction(fatal[i], &action, NULL);
    }
    (void)atexit(on_exit_of_library);
}

void haw_last_end(void)
{
    is_leaving = 1;
}
