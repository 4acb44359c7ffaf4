/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser: finds the subcommand, parses its options by its table, runs it. */
#include "base/memory.h"
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/last.h"

#include <SuiteSparse_config.h>
#include <dlfcn.h>
#include <errno.h>
#include <gsl/gsl_version.h>
#include <hdf5.h>
#include <libfyaml.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

/* The build may name its flags; without them the two that change numbers are named. */
#if defined(HAWSER_BUILD_FLAGS)
#define FLAGS HAWSER_BUILD_FLAGS
#elif defined(__FAST_MATH__)
#define FLAGS "fast math"
#elif defined(__OPTIMIZE__)
#define FLAGS "optimised"
#else
#define FLAGS "not optimised"
#endif

extern const haw_command haw_command_run, haw_command_check, haw_command_new, haw_command_list,
    haw_command_theory, haw_command_export, haw_command_plot, haw_command_report, haw_command_modes,
    haw_command_solve, haw_command_bench, haw_command_compare, haw_command_study;

const haw_command *const haw_commands[] = {
    &haw_command_run,    &haw_command_check,
    &haw_command_new,    &haw_command_list,
    &haw_command_theory, &haw_command_export,
    &haw_command_plot,   &haw_command_report,
    &haw_command_modes,  &haw_command_solve,
    &haw_command_bench,  &haw_command_compare,
    &haw_command_study,  NULL,
};

/* A BLAS that splits sums over threads gives other bits for another number of them. */
static void use_one_blas_thread(void)
{
    static const char *const names[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads"};
    void *loaded = dlopen(NULL, RTLD_NOW);

    for (size_t i = 0; loaded != NULL && i < sizeof names / sizeof names[0]; i++) {
        void *found = dlsym(loaded, names[i]);
        void (*set)(int);

        if (found != NULL) {
            memcpy(&set, &found, sizeof set); /* ISO C has no cast from object to function */
            set(1);
        }
    }
}

static void print_help(void)
{
    printf(
        "usage: hawser COMMAND [options] [FILE]\n\n"
        "Nonsmooth contact dynamics of cables, with rigid bodies and each other.\n\ncommands:\n");
    for (int i = 0; haw_commands[i] != NULL; i++) {
        printf("  %-8s %s\n", haw_commands[i]->name, haw_commands[i]->summary);
    }
    printf("\n  hawser COMMAND --help   options and examples of a command\n"
           "  hawser --version        versions of the program and its libraries\n\n"
           "exit codes: 0 done, 1 ended during the run, 2 usage, 3 refused before the first step,\n"
           "            4 missing file or no space left, 130 interrupted\n");
}

/* The lines that belong into a report of an error. */
static void print_version(void)
{
    unsigned major = 0, minor = 0, patch = 0;

    H5get_libversion(&major, &minor, &patch);
    printf("hawser %s\n", haw_version());
    printf("compiler: %s (%s)\n", COMPILER, FLAGS);
    printf("libraries: GSL %s, SuiteSparse %d.%d.%d, HDF5 %u.%u.%u, libfyaml %s\n", gsl_version,
           SUITESPARSE_MAIN_VERSION, SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION, major,
           minor, patch, fy_library_version());
}

static const haw_command *find_command(haw_cli *cli, const char *word)
{
    enum { COMMANDS_MAX = 32 };

    const char *names[COMMANDS_MAX];
    int count = 0;

    for (; haw_commands[count] != NULL; count++) {
        names[count] = haw_commands[count]->name;
        if (strcmp(names[count], word) == 0) {
            return haw_commands[count];
        }
    }
    haw_cli_unknown(cli, word[0] == '-' ? "option" : "command", word, count, names,
                    "hawser --help");
    return NULL;
}

/* The child goes on as the program; its parent has nothing to say but that it crashed. */
static int run_in_child(haw_cli *cli, const haw_command *command, const haw_args_common *options)
{
    int status = 0;

    if (haw_child_fork(cli->context, options->operand, &status) != HAW_CHILD_ENDED) {
        return command->run(cli, options);
    }
    const char *fault = haw_child_fault(status);

    if (fault != NULL) {
        return haw_cli_fail(cli, HAW_EXIT_IO, "cannot read '%s': %s", options->operand, fault);
    }
    if (WIFSIGNALED(status)) {
        return haw_cli_fail(cli, HAW_EXIT_INTERRUPTED, "ended by signal %d", WTERMSIG(status));
    }
    cli->json = false; /* the child has answered */
    return WEXITSTATUS(status);
}

static int run_command(haw_cli *cli, const haw_command *command, int argc, char **argv)
{
    haw_args_common *options = haw_cli_allocate(cli, 1, command->options_size);
    haw_arg_rows rows;
    const int code = haw_args_parse(cli, command, argc, argv, &rows, options);

    if (code != 0) {
        return code;
    }
    if (options->help) {
        if (command->help != NULL) {
            command->help(cli, &rows, options);
        } else {
            haw_args_help(command, &rows);
        }
        return HAW_EXIT_DONE;
    }
    haw_term_init(&cli->term, options->quiet, options->verbose);
    return command->reads_results ? run_in_child(cli, command, options)
                                  : command->run(cli, options);
}

static int dispatch(haw_cli *cli, int argc, char **argv)
{
    if (argc < 2) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "no command given; see 'hawser --help'");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return HAW_EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        print_version();
        return HAW_EXIT_DONE;
    }
    const haw_command *command = find_command(cli, argv[1]);

    return command != NULL ? run_command(cli, command, argc - 1, argv + 1) : HAW_EXIT_USAGE;
}

/* Known before the options are parsed, so that a usage error can be answered in JSON too. */
static bool wants_json(int argc, char *const *argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    haw_cli cli = {.argv = argv};

    use_one_blas_thread();
    haw_memory_keep_pages();
    /* A limit on the size of files, and a reader that has left, are reported like a full disk, by
     * the call that meets them: results have nothing to do with who reads the summary. */
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    haw_term_init(&cli.term, false, 0);
    cli.json = wants_json(argc, argv);
    if (haw_context_create(NULL, &cli.context) != HAW_OK) {
        haw_cli_fail(&cli, HAW_EXIT_REFUSED, "out of memory");
        haw_cli_end_answer(&cli, HAW_EXIT_REFUSED);
        return HAW_EXIT_REFUSED;
    }
    haw_arena_init(&cli.arena, cli.context);
    haw_context_set_log(cli.context, haw_cli_log, &cli);
    haw_last_begin(cli.json);
    int code = dispatch(&cli, argc, argv);

    haw_cli_end_answer(&cli, (haw_exit)code);
    /* Output that did not arrive is a failure, also of a pipe or a full disk. */
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        haw_cli_fail(&cli, HAW_EXIT_IO, "cannot write to the standard output: %s", strerror(errno));
        code = code == HAW_EXIT_DONE ? HAW_EXIT_IO : code;
    }
    haw_arena_fini(&cli.arena);
    haw_context_free(cli.context);
    haw_last_end();
    return code;
}
