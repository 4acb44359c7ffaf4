/* SPDX-License-Identifier: BSD-3-Clause */
/* What a time-stepper answers; one row per stepper in table.c. */
#ifndef HAWSER_STEPPER_STEPPER_H
#define HAWSER_STEPPER_STEPPER_H

#include <hawser/stepper.h>

struct haw_stepper_ops {
    const char *name, *summary, *source;
    const haw_option *options; /* rows; the struct begins with haw_stepper_common */
    size_t options_size;       /* bytes, at most sizeof ((haw_stepper_settings *)0)->options */
    int order;                 /* promised order in smooth phases; the generic test measures it */
    /** Refuse models and laws that this row cannot take, before a static start; or NULL. */
    haw_status (*check)(const haw_simulation *simulation);
    /** Check the options against the model and make what the steps need. */
    haw_status (*prepare)(haw_simulation *simulation);
    /** One step of the simulation's state, its ledger and its certificate. */
    haw_status (*step)(haw_simulation *simulation);
};

#endif
