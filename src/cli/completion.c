/* SPDX-License-Identifier: BSD-3-Clause */
/* The completion script for bash, from the tables of commands and of the library. */
#include "cli/catalog.h"

#include <string.h>

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
    haw_entries theories;

    haw_entries_read(cli, haw_kind_find("theories"), &theories);
    fputs("    bench) words='winding' ;;\n    list) words='", out);
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
          "    else\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    fi\n}\ncomplete -o filenames -F _hawser hawser\n",
          out);
}
