/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding the scenarios that come with the program. */
#ifndef HAWSER_CLI_SCENARIOS_H
#define HAWSER_CLI_SCENARIOS_H

#include "cli/catalog.h"

/**
 * Folder with the shipped scenarios: $HAWSER_DATA/scenarios, else ../share/hawser/scenarios or
 * ../data/scenarios beside the program's folder, else data/scenarios; NULL if there is none.
 */
const char *haw_scenarios_folder(haw_cli *cli);

/** Scenarios in alphabetical order: name without ending, title, path as the source. */
void haw_scenarios_read(haw_cli *cli, haw_entries *entries);

#endif
