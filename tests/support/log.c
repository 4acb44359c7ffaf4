/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/log.h"

void hear(void *user, haw_log_level level, const char *text)
{
    heard *log = user;
    const size_t used = strlen(log->text);
    (void)level;
    ++log->count;
    (void)snprintf(log->text + used, sizeof log->text - used, "%s\n", text);
}
