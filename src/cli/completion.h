/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HAWSER_CLI_COMPLETION_H
#define HAWSER_CLI_COMPLETION_H

#include "cli/cli.h"

/** Write the completion script for bash, from the tables of commands and of the library. */
void haw_completion_write(haw_cli *cli, FILE *out);

#endif
