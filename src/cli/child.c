/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t child, passed; /* 0: none */

static void pass_on(int number)
{
    passed = number;
    if (child > 0) {
        (void)kill((pid_t)child, number);
    }
}

haw_child haw_child_fork(haw_context *context, int *status)
{
    struct sigaction passing = {.sa_handler = pass_on}, before[2];
    const struct rlimit none = {0, 0};

    passed = 0;
    (void)fflush(NULL); /* or the child would write it once more */
    (void)sigaction(SIGTERM, &passing, &before[0]);
    (void)sigaction(SIGINT, &passing, &before[1]);
    const pid_t made = fork();

    child = made > 0 ? (sig_atomic_t)made : 0;
    if (made > 0 && passed != 0) { /* it came before the child was known */
        (void)kill(made, passed);
    }
    while (made > 0 && waitpid(made, status, 0) < 0 && errno == EINTR) {
        if (haw_context_cancelled(context)) {
            (void)kill(made, SIGKILL);
        }
    }
    child = 0;
    (void)sigaction(SIGTERM, &before[0], NULL);
    (void)sigaction(SIGINT, &before[1], NULL);
    if (made == 0) {
        (void)setrlimit(RLIMIT_CORE, &none);
        return HAW_CHILD_SELF;
    }
    return made > 0 ? HAW_CHILD_ENDED : HAW_CHILD_NONE;
}

bool haw_child_crashed(int status)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGABRT ||
           number == SIGILL;
}

void haw_child_repeat(void)
{
    if (passed != 0) {
        (void)raise(passed);
    }
}
