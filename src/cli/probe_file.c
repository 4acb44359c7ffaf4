/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HDF5 1.10 may crash on a damaged file, deep inside, whatever is checked before. A child process
 * reads the file first: if it dies of a signal, the program says so and goes on.
 */
#include "cli/probe_file.h"

#include <hawser/io.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: nothing of it may be seen, and its status is not told. */
static _Noreturn void read_and_exit(haw_context *context, const char *path)
{
    const struct rlimit none = {0, 0};
    haw_problem *problem = NULL;

    (void)setrlimit(RLIMIT_CORE, &none);
    (void)signal(SIGSEGV, SIG_DFL);
    (void)signal(SIGINT, SIG_DFL);
    haw_context_set_log(context, NULL, NULL);
    (void)(haw_fclib_read(context, path, &problem) == HAW_OK);
    _exit(0);
}

bool haw_cli_file_crashes(haw_context *context, const char *path)
{
    int status = 0;

    (void)fflush(NULL);
    const pid_t child = fork();

    if (child == 0) {
        read_and_exit(context, path);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
        if (haw_context_cancelled(context)) {
            (void)kill(child, SIGKILL);
        }
    }
    /* without a child the file is read unprobed */
    return child > 0 && WIFSIGNALED(status) &&
           (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS ||
            WTERMSIG(status) == SIGFPE || WTERMSIG(status) == SIGABRT);
}
