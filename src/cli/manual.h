/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HAWSER_CLI_MANUAL_H
#define HAWSER_CLI_MANUAL_H

#include "cli/cli.h"

/** Write hawser(1) with the man macros, from the tables of commands and of the library. */
void haw_manual_write(haw_cli *cli, FILE *out);

#endif
