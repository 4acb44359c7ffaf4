/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes of spatial models, and probes that are watched at every step. */
#include "stepper/probe.h"
#include "support/winding.h"

#include <hawser/scenario.h>

static const double pi = 3.14159265358979323846;

/* The winding of the benchmark with other probes, steps and friction. */
static void open_winding(winding *w, int probes, const char *const *probe,
                         const haw_probe_watch *watch)
{
    w->settings_probes = probes;
}
