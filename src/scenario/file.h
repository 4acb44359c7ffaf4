/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a scenario refers to. */
#ifndef HAWSER_SCENARIO_FILE_H
#define HAWSER_SCENARIO_FILE_H

#include "base/status.h"

/** Text of a measured history; the caller releases it. @return ERR_IO, ERR_INPUT, ERR_NOMEM */
HAW_NODISCARD haw_status haw_file_history(haw_context *context, const char *file, char **text);

#endif
