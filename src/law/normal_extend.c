/* SPDX-License-Identifier: BSD-3-Clause */
#include "law/law.h"

void haw_normal_extend(const haw_normal_ops *law, const haw_normal_parameters *p, double gap,
                       double rate, double impact, haw_normal_force *out)
{
    law->force(p, gap > 0.0 ? 0.0 : gap, rate, impact, out);
    if (gap > 0.0) {
        out->force += out->d_gap * gap;
        if (out->force <= 0.0) {
            *out = (haw_normal_force){0};
        }
    }
}
