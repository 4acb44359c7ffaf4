/* SPDX-License-Identifier: BSD-3-Clause */
/* Results as one page for a browser, which needs nothing but itself. */
#ifndef HAWSER_REPORT_PAGE_H
#define HAWSER_REPORT_PAGE_H

#include "base/status.h"

#include <hawser/theory.h>

typedef struct haw_page_spec {
    const char *text; /* the page, with the lines <!--libraries--> and <!--runs--> */
    int runs;
    const char *const *run; /* [runs] results files */
    const char *output;
} haw_page_spec;

/**
 * Write the page: 3D view, series, ledger, certificate, events, scenario, and beside them the
 * theories that the scenario names as `hawser theory NAME --key value`. Libraries come from
 * Debian's libjs-three and libjs-chart.js, below $HAWSER_JAVASCRIPT or /usr/share/javascript.
 *
 * @return ERR_IO: unreadable results or libraries, unwritable page; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_page_write(haw_context *context, const haw_page_spec *spec);

#endif
