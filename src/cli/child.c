/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/child.h"

#include "cli/last.h"
#include "io/file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limit of processor time [s]: this, and one more for so many bytes. An export of the 239 MB of
 * belt-drive takes 8 s, of the same compressed to 44 MB, 10 s. */
enum { SECONDS = 600, BYTES_PER_SECOND = 1000000 };

static volatile sig_atomic_t child, passed; /* 0: none */

static void pass_on(int number)
{
    passed = number;
    if (child > 0) {
        (void)kill((pid_t)child, number);
    }
}

/* A lower limit of the user's stays. SIGXCPU, which the program would take as the wish to end after
 * a step, is fatal here: what goes round in HDF5 looks for no wishes. */
static void limit_time(const char *file)
{
    struct rlimit time;
    struct stat about;
    const off_t bytes = stat(file, &about) == 0 ? about.st_size : 0;
    const rlim_t seconds = SECONDS + (rlim_t)bytes / BYTES_PER_SECOND;

    if (getrlimit(RLIMIT_CPU, &time) == 0 && time.rlim_cur > seconds) {
        time.rlim_cur = seconds;
        (void)setrlimit(RLIMIT_CPU, &time);
    }
    (void)signal(SIGXCPU, SIG_DFL);
}

haw_child haw_child_fork(haw_context *context, const char *file, int *status)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGXCPU};

    enum { NUMBERS = sizeof numbers / sizeof *numbers };

    struct sigaction passing = {.sa_handler = pass_on}, before[NUMBERS];
    const struct rlimit none = {0, 0};

    passed = 0;
    haw_drafts_share();
    (void)fflush(NULL); /* or the child would write it once more */
    for (int i = 0; i < NUMBERS; i++) {
        (void)sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) { /* as under nohup */
            (void)sigaction(numbers[i], &passing, NULL);
        }
    }
    const pid_t parent = getpid(), made = fork();

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
    if (made != 0) {
        haw_drafts_remove();
    }
    for (int i = 0; i < NUMBERS; i++) {
        (void)sigaction(numbers[i], &before[i], NULL);
    }
    if (made == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* what goes round in HDF5 does so for nobody */
        if (getppid() != parent) {
            (void)raise(SIGKILL);
        }
        (void)setrlimit(RLIMIT_CORE, &none);
        limit_time(file);
        return HAW_CHILD_SELF;
    }
    return made > 0 ? HAW_CHILD_ENDED : HAW_CHILD_NONE;
}

const char *haw_child_fault(int status)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    if (number == SIGXCPU && passed != SIGXCPU) {
        return "HDF5 did not finish reading; damaged?";
    }
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGABRT ||
                   number == SIGILL
               ? "it is damaged, or memory is out: HDF5 crashes"
               : NULL;
}

/* Its crashes are the parent's to tell, and so is what it says on the way. */
const char *haw_child_probe(haw_context *context, const char *file,
                            void (*read)(haw_context *context, const char *file))
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT};

    int status = 0;
    const haw_child who = haw_child_fork(context, file, &status);

    if (who != HAW_CHILD_SELF) {
        haw_child_repeat();
        return who == HAW_CHILD_ENDED ? haw_child_fault(status) : NULL;
    }
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        (void)signal(fatal[i], SIG_DFL);
    }
    haw_last_end();
    haw_context_set_log(context, NULL, NULL);
    read(context, file);
    _exit(0);
}

void haw_child_repeat(void)
{
    if (passed != 0) {
        (void)raise(passed);
    }
}
