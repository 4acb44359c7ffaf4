/* SPDX-License-Identifier: BSD-3-Clause */
#include "statics/search.h"

#include <math.h>

enum { CUTS = 25 };

static const double WORK_LEFT = 0.8; /* over that at the start */

haw_status haw_search(haw_search_ops *go, void *user, double longest, double start, double most)
{
    double low = 0, high = longest, at_low = start, now;
    HAW_TRY(go(user, high, &now));
    double at_high = now;
    bool meets = now >= -WORK_LEFT * start;
    for (int k = 0; k < CUTS && !meets; k++) {
        const bool is_usable = isfinite(at_high);
        const double secant = is_usable ? (low * at_high - high * at_low) / (at_high - at_low) : 0;
        const double part = fmax(low + 0.1 * (high - low), fmin(secant, low + 0.5 * (high - low)));
        HAW_TRY(go(user, part, &now));
        if (now > 0) {
            low = part;
            at_low = now;
        } else {
            high = part;
            at_high = now;
        }
        meets = now >= -WORK_LEFT * start && now <= most * start;
    }
    return HAW_OK;
}
