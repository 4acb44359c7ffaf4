/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser(1) and the completion for bash, from the tables of commands and of the library. */
#include "cli/catalog.h"
#include "scenario/reader.h"

#include <string.h>

/*
 * Text with what roff would take for its own escaped; a hyphen is printed as the ASCII one. An
 * empty line separates paragraphs.
 */
static void put(FILE *out, const char *text)
{
    if (text[0] == '.' || text[0] == '\'') {
        fputs("\\&", out);
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (c[0] == '\n' && c[1] == '\n') {
            fputs("\n.PP\n", out);
            c++;
        } else if (*c == '\\') {
            fputs("\\e", out);
        } else if (*c == '-') {
            fputs("\\-", out);
        } else {
            fputc(*c, out);
        }
    }
}

static void put_line(FILE *out, const char *text)
{
    put(out, text);
    fputc('\n', out);
}

static void put_args(FILE *out, const haw_arg *args)
{
    for (const haw_arg *arg = args; arg->name != NULL; arg++) {
        fputs(".TP\n.B ", out);
        if (arg->letter != 0) {
            fprintf(out, "\\-%c, ", arg->letter);
        }
        fputs("\\-\\-", out);
        put(out, arg->name);
        if (arg->value != NULL) {
            fprintf(out, " \\fI%s\\fP", arg->value);
        }
        fputc('\n', out);
        put_line(out, arg->help);
    }
}

static void put_command(FILE *out, const haw_command *command)
{
    const char *bracket = command->operand_required ? "" : "[";

    fprintf(out, ".SS \"hawser %s [options]", command->name);
    if (command->operand != NULL) {
        fprintf(out, " %s%s%s", bracket, command->operand, bracket[0] != '\0' ? "]" : "");
        fputs(command->operand_repeats ? "..." : "", out);
    }
    fputs("\"\n", out);
    put(out, command->summary);
    fputs(".\n", out);
    if (command->details != NULL) {
        fputs(".PP\n", out);
        put_line(out, command->details);
    }
    put_args(out, command->args);
}

static void put_commands(FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (int i = 0; haw_commands[i] != NULL; i++) {
        put_command(out, haw_commands[i]);
    }
    fputs(".SS \"Options of all commands\"\n", out);
    put_args(out, haw_common_args);
    fputs(".PP\nOptions may stand before or after the file;\n.B \\-\\-\nends the options. "
          "A file\n.B \\-\nis the standard input.\n",
          out);
}

static void put_option(haw_cli *cli, FILE *out, const haw_option *row, const char *noun,
                       const char *dashes)
{
    fputs(".TP\n.B ", out);
    put(out, dashes);
    put(out, row->key);
    fprintf(out, " \\fI%s\\fP\n", haw_option_type_word(row));
    put_line(out, haw_option_help(cli, row, noun));
}

static void put_kind(haw_cli *cli, FILE *out, const haw_kind *kind, const char *dashes)
{
    haw_entries entries;

    haw_entries_read(cli, kind, &entries);
    fputs(".SH \"", out);
    for (const char *c = kind->title; *c != '\0'; c++) {
        fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, out);
    }
    fputs("\"\n", out);
    for (int i = 0; i < entries.count; i++) {
        const haw_row *entry = &entries.entry[i];

        fputs(".SS \"", out);
        put(out, entry->name);
        fputs("\"\n", out);
        put_line(out, entry->summary);
        if (entry->source[0] != '\0') {
            fputs("(", out);
            put(out, entry->source);
            fputs(")\n", out);
        }
        for (int k = 0; k < haw_options_count(entry->options); k++) {
            put_option(cli, out, &entry->options[k], entries.are_keys ? entry->summary : NULL,
                       dashes);
        }
    }
}

static void put_head(FILE *out)
{
    fprintf(out, ".TH HAWSER 1 \"\" \"hawser %s\" \"User commands\"\n", haw_version());
    fputs(".SH NAME\nhawser \\- nonsmooth contact dynamics of cables, with rigid bodies and each "
          "other\n"
          ".SH SYNOPSIS\n.B hawser\n.I command\n[options]\n[\\fIfile\\fP]\n.br\n"
          ".B hawser \\-\\-help\n.br\n.B hawser \\-\\-version\n"
          ".SH DESCRIPTION\n"
          ".B hawser\nsimulates cables that touch rigid bodies, each other and themselves, "
          "with hard contact and Coulomb friction.\nA scenario is a YAML file; a run writes one "
          "HDF5 file.\n"
          "Data go to the standard output, messages to the standard error.\n",
          out);
}

static void put_tail(FILE *out)
{
    static const char *const code[][2] = {
        {"0", "done"},
        {"1", "ended during the run (state not finite, step unconverged, a guard), with what was "
              "computed so far written"},
        {"2", "usage"},
        {"3", "refused before the first step (unknown key, step above the critical one, ...)"},
        {"4", "missing file, or no space left on the device"},
        {"130", "interrupted, after what was computed was written"},
    };

    fputs(".SH \"EXIT STATUS\"\n", out);
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++) {
        fprintf(out, ".TP\n.B %s\n%s\n", code[i][0], code[i][1]);
    }
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour in messages, whatever the value\n"
          ".TP\n.B TERM\n.I dumb\nor unset: no progress line, no colour\n.SH EXAMPLES\n.nf\n",
          out);
    for (int i = 0; haw_commands[i] != NULL; i++) {
        put_line(out, haw_commands[i]->example[0]);
        put_line(out, haw_commands[i]->example[1]);
    }
    fputs(".fi\n.SH \"SEE ALSO\"\n.BR gnuplot (1),\n.BR paraview (1)\n", out);
}

void haw_manual_write(haw_cli *cli, FILE *out)
{
    put_head(out);
    put_commands(out);
    for (const haw_kind *kind = haw_kinds; kind->name != NULL; kind++) {
        if (kind->documented) {
            put_kind(cli, out, kind, kind->dashes);
        }
    }
    put_tail(out);
}

/* ---- the reference of the keys ---- */

/* A cell of a table: no bar of its own, and code where it is not empty. */
static void put_cell(FILE *out, const char *mark, const char *text)
{
    fprintf(out, " %s", text[0] != '\0' ? mark : "");
    for (const char *c = text; *c != '\0'; c++) {
        fprintf(out, *c == '|' ? "\\|" : "%c", *c);
    }
    fprintf(out, "%s |", text[0] != '\0' ? mark : "");
}

static void put_key(haw_cli *cli, FILE *out, const haw_option *key, const char *noun)
{
    static const char *const where[] = {"", "", "plane", "space"};

    fputs("|", out);
    put_cell(out, "`", key->key);
    put_cell(out, "", haw_option_type_word(key));
    put_cell(out, "", key->unit);
    put_cell(out, "", haw_option_is_required(key) ? "required" : haw_option_preset_text(cli, key));
    put_cell(out, "", haw_option_range(cli, key));
    put_cell(out, "", where[haw_key_dimension(key->flags)]);
    put_cell(out, "", key->help);
    put_cell(out, "`", haw_option_example(cli, key, noun));
    fputs("\n", out);
}

void haw_keys_write(haw_cli *cli, FILE *out)
{
    haw_entries entries;

    haw_entries_read(cli, haw_kind_find("keys"), &entries);
    fputs(
        "# Keys of a scenario\n\nWritten by `hawser list --markdown`; `hawser list keys` and "
        "the manual page contain the same information, and editors get it from the JSON schema of "
        "`hawser check --schema`. Each mapping of the grammar has a table, and so has each kind of "
        "stepper, solver and shape.\n",
        out);
    for (int i = 0; i < entries.count; i++) {
        const haw_row *entry = &entries.entry[i];

        fprintf(out, "\n## %s: %s\n\n", entry->name, entry->summary);
        fputs("| key | type | unit | default | range | only in | what it is | example |\n"
              "|---|---|---|---|---|---|---|---|\n",
              out);
        for (int k = 0; k < haw_options_count(entry->options); k++) {
            put_key(cli, out, &entry->options[k], entry->summary);
        }
    }
}

/* ---- the completion script for bash ---- */

static void put_words(FILE *out, const haw_arg *args)
{
    for (int i = 0; args[i].name != NULL; i++) {
        fprintf(out, " --%s", args[i].name);
        if (args[i].letter != 0) {
            fprintf(out, " -%c", args[i].letter);
        }
    }
}

static void put_entry_names(FILE *out, const haw_entries *entries)
{
    for (int i = 0; i < entries->count; i++) {
        fprintf(out, " %s", entries->entry[i].name);
    }
}

/* A case arm for every option with a value: what may stand behind it. */
static void put_values(haw_cli *cli, FILE *out, const haw_command *command)
{
    haw_entries solvers;

    haw_entries_read(cli, haw_kind_find("solvers"), &solvers);
    for (int i = 0; command->args[i].name != NULL; i++) {
        const haw_arg *arg = &command->args[i];

        if (arg->value == NULL) {
            continue;
        }
        fprintf(out, "    %s:--%s", command->name, arg->name);
        if (arg->letter != 0) {
            fprintf(out, "|%s:-%c", command->name, arg->letter);
        }
        if (strcmp(arg->value, "FILE") == 0) {
            fputs(") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", out);
        } else if (strcmp(arg->value, "DIR") == 0) {
            fputs(") COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n", out);
        } else if (strcmp(arg->value, "SOLVER") == 0) {
            fputs(") COMPREPLY=($(compgen -W '", out);
            put_entry_names(out, &solvers);
            fputs("' -- \"$cur\")); return ;;\n", out);
        } else {
            fputs(") return ;;\n", out);
        }
    }
}

/* Operands that are words: the kinds of lists, the names of closed forms with their options. */
static void put_operands(haw_cli *cli, FILE *out)
{
    haw_entries theories, templates, scenarios;

    haw_entries_read(cli, haw_kind_find("theories"), &theories);
    haw_entries_read(cli, haw_kind_find("templates"), &templates);
    haw_entries_read(cli, haw_kind_find("scenarios"), &scenarios);
    fputs("    bench) words='winding' ;;\n    new) words='", out);
    put_entry_names(out, &templates);
    fputs("' ;;\n    run|check|modes|compare|study) words='", out);
    put_entry_names(out, &scenarios);
    fputs("' ;;\n    list) words='", out);
    for (const haw_kind *kind = haw_kinds; kind->name != NULL; kind++) {
        fprintf(out, " %s", kind->name);
    }
    fputs(" combinations' ;;\n    theory) words='", out);
    put_entry_names(out, &theories);
    fputs("' ;;\n    esac\n    for word in \"${COMP_WORDS[@]}\"; do\n"
          "        case $command:$word in\n",
          out);
    for (int i = 0; i < theories.count; i++) {
        const haw_row *entry = &theories.entry[i];

        fprintf(out, "        theory:%s) options+='", entry->name);
        for (int k = 0; k < haw_options_count(entry->options); k++) {
            fprintf(out, " --%s", entry->options[k].key);
        }
        fputs("'; words='' ;;\n", out);
    }
    fputs("        esac\n    done\n", out);
}

static void put_command_search(FILE *out)
{
    fputs("    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n        case $word in\n", out);
    for (int i = 0; haw_commands[i] != NULL; i++) {
        fprintf(out, "%s%s", i > 0 ? "|" : "        ", haw_commands[i]->name);
    }
    fputs(") command=$word; break ;;\n        esac\n    done\n    if [ -z \"$command\" ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          out);
    for (int i = 0; haw_commands[i] != NULL; i++) {
        fprintf(out, "%s ", haw_commands[i]->name);
    }
    fputs("--help --version' -- \"$cur\"))\n        return\n    fi\n", out);
}

void haw_completion_write(haw_cli *cli, FILE *out)
{
    fputs("# bash completion for hawser; written by: hawser list --completion\n"
          "_hawser()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command= options= endings= words= word\n"
          "    COMPREPLY=()\n",
          out);
    put_command_search(out);
    fputs("    case $command:$prev in\n", out);
    for (int i = 0; haw_commands[i] != NULL; i++) {
        put_values(cli, out, haw_commands[i]);
    }
    fputs("    esac\n    case $command in\n", out);
    for (int i = 0; haw_commands[i] != NULL; i++) {
        const haw_command *command = haw_commands[i];

        fprintf(out, "    %s) options='", command->name);
        put_words(out, command->args);
        put_words(out, haw_common_args);
        fprintf(out, "'; endings='%s' ;;\n", command->endings != NULL ? command->endings : "");
    }
    fputs("    esac\n    case $command in\n", out);
    put_operands(cli, out);
    fputs("    if [[ $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
          "    elif [ -n \"$endings\" ]; then\n"
          "        COMPREPLY=($(compgen -d -- \"$cur\"))\n"
          "        for word in $endings; do\n"
          "            COMPREPLY+=($(compgen -f -X \"!*.$word\" -- \"$cur\"))\n"
          "        done\n"
          "        COMPREPLY+=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    fi\n}\ncomplete -o filenames -F _hawser hawser\n",
          out);
}
