/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant laws of the catalog. */
#ifndef HAWSER_CLI_CATALOG_LAWS_H
#define HAWSER_CLI_CATALOG_LAWS_H

#include "cli/catalog.h"

void haw_normal_laws_read(haw_cli *cli, haw_entries *entries);
void haw_friction_laws_read(haw_cli *cli, haw_entries *entries);

#endif
