/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes that are watched at every step: scale and shift, the largest value, a first crossing. */
#include "observe/probe.h"

#include <math.h>

haw_status haw_probe_watch_create(haw_simulation *simulation, int i)
{
    haw_probe *probe = &simulation->probe[i];
    const char *text = simulation->settings.probe[i];
    const haw_probe_watch none = {.scale = 1};
    const haw_probe_watch *given = simulation->settings.probe_watch;
    probe->watch = given != NULL ? given[i] : none;
    if (probe->watch.kind == HAW_WATCH_NONE) {
        const bool is_empty = probe->watch.scale == 0 && probe->watch.shift == 0;
        probe->watch = is_empty ? none : probe->watch;
        return HAW_OK;
    }
    if (haw_probe_size(probe) != 1) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "probe '%s': only a single value can be watched: name one component, such "
                        "as %s.z",
                        text, haw_probe_quantity(probe->row));
    }
    if ((probe->row->traits & HAW_PROBE_FRAME) != 0) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "probe '%s': '%s' is a mean over the time between two frames and cannot "
                        "be watched at every step",
                        text, haw_probe_quantity(probe->row));
    }
    if (probe->mean > 0) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "probe '%s': a watched value and a mean exclude each other", text);
    }
    return HAW_OK;
}

/* First time at which |value| passes the level, linear between two looks. */
static void look_for_crossing(haw_probe *probe, double t, double value)
{
    const double level = probe->watch.level;
    if (!isnan(probe->extreme) || !(fabs(value) > level)) {
        return;
    }
    const double before = fabs(probe->seen);
    const bool is_between = !isnan(before) && before <= level;
    const double share = is_between ? (level - before) / (fabs(value) - before) : 1;
    probe->extreme = is_between ? probe->seen_t + share * (t - probe->seen_t) : t;
}

void haw_probe_watch_look(haw_probe *probe, double t, double value)
{
    const haw_probe_watch *watch = &probe->watch;
    /* times of steps carry rounding */
    const double slack = 1e-12 * (fabs(t) + fabs(watch->after));
    if (t < watch->after - slack || t > watch->until * (1 + 1e-12) || t == probe->seen_t) {
        return;
    }
    value = watch->scale * value + watch->shift;
    if (watch->kind == HAW_WATCH_FIRST_ABOVE) {
        look_for_crossing(probe, t, value);
    } else {
        probe->extreme = isnan(probe->extreme) ? value : fmax(probe->extreme, value);
    }
    probe->seen_t = t;
    probe->seen = value;
}

void haw_probe_watch_result(const haw_probe *probe, double *value)
{
    const haw_probe_watch *watch = &probe->watch;
    if (watch->kind != HAW_WATCH_NONE) {
        value[0] = probe->extreme;
        return;
    }
    for (int k = 0; k < haw_probe_size(probe) && (watch->scale != 1 || watch->shift != 0); k++) {
        value[k] = watch->scale * value[k] + watch->shift;
    }
}
