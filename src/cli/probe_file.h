/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether reading a contact problem would take the program with it. */
#ifndef HAWSER_CLI_PROBE_FILE_H
#define HAWSER_CLI_PROBE_FILE_H

#include <hawser/base.h>

/** Read the FCLIB file in a child process. @return true if the child died of a fault */
bool haw_cli_file_crashes(haw_context *context, const char *path);

#endif
