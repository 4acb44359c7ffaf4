/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HAWSER_CLI_VERSION_H
#define HAWSER_CLI_VERSION_H

/** Print version, compiler and libraries to stdout: the lines that belong into a report. */
void haw_version_print(void);

#endif
