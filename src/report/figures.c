/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

haw_status haw_report_plot(haw_context *context, const char *results, const char *folder,
                           haw_report_written written, void *user)
{
    (void)folder;
    (void)written;
    (void)user;
    return haw_fail(context, HAW_ERR_IO, "cannot plot '%s'", results);
}
