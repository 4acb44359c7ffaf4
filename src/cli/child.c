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
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGXCPU};

    enum { NUMBERS = sizeof numbers / sizeof *numbers };

    struct sigaction passing = {.sa_handler = pass_on}, before[NUMBERS];
    const struct rlimit none = {0, 0};

    passed = 0;
    (void)fflush(NULL); /* or the child would write it once more */
    for (int i = 0; i < NUMBERS; i++) {
        (void)sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) { /* as under nohup */
            (void)sigaction(numbers[i], &passing, NULL);
        }
    }
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
    for (int i = 0; i < NUMBERS; i++) {
        (void)sigaction(numbers[i], &before[i], NULL);
    }
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
