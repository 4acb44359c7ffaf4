/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run a gnuplot script. No shell: folder and script are arguments, and the script changes to the
 * folder it is told (ARG1), so that no name can be taken for a command.
 */
#include "report/figure.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COMPLAINT_BYTES = 512 };

/* The last line of what the program says: gnuplot ends with the reason. */
static void read_complaint(int descriptor, char complaint[COMPLAINT_BYTES])
{
    size_t used = 0;
    char buffer[COMPLAINT_BYTES];
    ssize_t got = 0;
    bool is_new = false;
    while ((got = read(descriptor, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)) {
        for (ssize_t i = 0; i < got; i++) {
            used = is_new && buffer[i] != '\n' ? 0 : used;
            is_new = buffer[i] == '\n';
            if (!is_new && used + 1 < COMPLAINT_BYTES) {
                complaint[used++] = buffer[i];
            }
        }
    }
    complaint[used] = '\0';
}

/* Start gnuplot with its output going to a pipe. @return 0 or an errno */
static int start(const char *script, const char *folder, const int pipe_end[2], pid_t *process)
{
    char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-c"},
                               (char *)script,      (char *)folder, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int to = STDOUT_FILENO; to <= STDERR_FILENO && error == 0; to++) {
        error = posix_spawn_file_actions_adddup2(&actions, pipe_end[1], to);
    }
    if (error == 0) {
        error = posix_spawnp(process, "gnuplot", &actions, NULL, arguments, environ);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

static haw_status run(haw_context *context, const char *script, const char *folder)
{
    int pipe_end[2];
    if (pipe(pipe_end) != 0) {
        return haw_file_fail(context, "run", "gnuplot", errno);
    }
    (void)fcntl(pipe_end[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(pipe_end[1], F_SETFD, FD_CLOEXEC);
    char complaint[COMPLAINT_BYTES] = "";
    pid_t process = 0;
    int result = 0;
    const int error = start(script, folder, pipe_end, &process);
    (void)close(pipe_end[1]);
    if (error == 0) {
        read_complaint(pipe_end[0], complaint);
        while (waitpid(process, &result, 0) < 0 && errno == EINTR) {
        }
    }
    (void)close(pipe_end[0]);
    if (error == ENOENT || (error == 0 && WIFEXITED(result) && WEXITSTATUS(result) == 127)) {
        return haw_fail(context, HAW_ERR_IO,
                        "cannot run gnuplot: it is not installed (Debian: gnuplot-nox)");
    }
    if (error != 0) {
        return haw_file_fail(context, "run", "gnuplot", error);
    }
    return WIFEXITED(result) && WEXITSTATUS(result) == 0
               ? HAW_OK
               : haw_fail(context, HAW_ERR_IO, "gnuplot cannot draw '%s': %s", script, complaint);
}

haw_status haw_gnuplot_run(haw_context *context, const char *folder, const char *name)
{
    /* A leading dot keeps gnuplot from seeing a pipe, an option or a home in a name. */
    char *script = NULL;
    const size_t bytes = strlen(folder) + 3;
    char *place = haw_allocate(context, bytes, 1);
    if (place == NULL) {
        return HAW_ERR_NOMEM;
    }
    (void)snprintf(place, bytes, "%s%s", folder[0] == '/' ? "" : "./", folder);
    haw_status status = haw_file_path(context, &script, place, "%s.gp", name);
    if (status == HAW_OK) {
        status = run(context, script, place);
    }
    haw_release(context, script);
    haw_release(context, place);
    return status;
}
