/* SPDX-License-Identifier: BSD-3-Clause */
/* A solver and its options from the command line. */
#include "cli/catalog.h"
#include "cli/cmd_solve.h"

#include <stdlib.h>
#include <string.h>

static haw_exit unknown_solver(haw_cli *cli, const char *name)
{
    const char *nearest = haw_row_nearest(haw_solvers, name);

    if (nearest != NULL) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "unknown solver '%s'; did you mean '%s'?", name,
                            nearest);
    }
    return haw_cli_fail(cli, HAW_EXIT_USAGE, "unknown solver '%s'; see 'hawser list solvers'",
                        name);
}

static haw_status set_option(haw_cli *cli, const char *key, const char *text,
                             haw_solver_settings *settings)
{
    const haw_option *table = settings->ops->row.options;
    char *end;
    const double number = strtod(text, &end);

    if (end != text && *end == '\0') {
        return haw_options_set_real(cli->context, table, settings->options, key, number);
    }
    return haw_options_set_text(cli->context, table, settings->options, key, text);
}

static haw_exit set_one(haw_cli *cli, const char *item, haw_solver_settings *settings)
{
    const char *equals = strchr(item, '=');

    if (equals == NULL || equals == item) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--set' wants KEY=VALUE (got '%s')", item);
    }
    const char *key = haw_cli_format(cli, "%.*s", (int)(equals - item), item);

    if (set_option(cli, key, equals + 1, settings) != HAW_OK) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "'--set %s' of solver '%s': %s", item,
                            settings->ops->row.name, haw_context_message(cli->context));
    }
    return HAW_EXIT_DONE;
}

static haw_exit check_positive(haw_cli *cli, const char *name, const haw_arg_real *arg)
{
    if (arg->given && arg->value <= 0.0) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--%s' must be > 0 (got %g)", name,
                            arg->value);
    }
    return HAW_EXIT_DONE;
}

static haw_exit set_tolerance(haw_cli *cli, const haw_arg_real *tol, haw_solver_settings *settings)
{
    if (!tol->given) {
        return HAW_EXIT_DONE;
    }
    if (haw_options_set_real(cli->context, settings->ops->row.options, settings->options,
                             "tolerance", tol->value) != HAW_OK) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "option '--tol': %s",
                            haw_context_message(cli->context));
    }
    return HAW_EXIT_DONE;
}

haw_exit haw_solve_choose(haw_cli *cli, const char *name, const haw_solve_args *args,
                          haw_solver_settings *settings)
{
    if (haw_row_find(haw_solvers, name) == NULL) {
        return unknown_solver(cli, name);
    }
    if (haw_solver_settings_init(cli->context, name, settings) != HAW_OK) {
        return haw_cli_fail(cli, HAW_EXIT_USAGE, "%s", haw_context_message(cli->context));
    }
    haw_exit code = check_positive(cli, "time-limit", &args->time_limit);

    for (int i = 0; i < args->set.count && code == HAW_EXIT_DONE; i++) {
        code = set_one(cli, args->set.item[i], settings);
    }
    return code == HAW_EXIT_DONE ? set_tolerance(cli, &args->tol, settings) : code;
}
