/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibrium with set-valued contact where the method of static.c does not reach (closed cables,
 * bending, given forces): stiff frictionless springs stand for the contacts while it is sought.
 * They give by a thousandth of what the elements of the cable give under the same force. On a rope
 * over sheaves, which nothing else holds, springs and bristles with the friction of the pair stand
 * for the knots, so stiff that the steps of the rope's tension are those of hard contact but for
 * 1 / r of an angle, r^2 = k_t R^2 / EA = STIFFER.
 */
#include "cable/reeving.h"
#include "contact/knot.h"
#include "stepper/simulation.h"

#include <math.h>
#include <string.h>

static const double STIFFER = 1e3;      /* than an element of the cable along itself */
static const double SMALL_DEPTH = 1e-8; /* under its weight, of a disk on a surface, over R */

/* Stiffness of a contact point [N/m]. */
static double stiffness(const haw_model *model, const haw_pair *pair)
{
    if (pair->cable >= 0) {
        const haw_line *line = &model->cable[pair->cable].line;
        return STIFFER * line->stiffness / line->le;
    }
    const double weight =
        model->body[pair->proxy].mass[0] * hypot(model->gravity[0], model->gravity[1]);
    return fmax(weight, 1) / (SMALL_DEPTH * pair->proxy_radius);
}

static void soften_knots(const haw_model *model, haw_pair *pair)
{
    const haw_rope *rope = model->cable[pair->cable].rope;
    const double radius = rope->arc[pair->arc].radius;
    const double k = STIFFER * rope->section.stiffness / (radius * radius) * pair->spacing;
    const double mu = pair->options.friction;
    pair->law = &haw_law_penalty;
    pair->compliance = (haw_compliance){.normal = &haw_normal_linear,
                                        .tangential = &haw_friction_bristle,
                                        .n = {.stiffness = k, .exponent = 1},
                                        .t = {.mu_static = mu, .mu_kinetic = mu, .stiffness = k},
                                        .per = HAW_PER_LENGTH};
}

static void soften(const haw_model *model, haw_pair *pair)
{
    if (pair->law->set_valued && haw_pair_is_rope(model, pair)) {
        soften_knots(model, pair);
    } else if (pair->law->set_valued) {
        pair->law = &haw_law_penalty;
        pair->compliance =
            (haw_compliance){.normal = &haw_normal_linear,
                             .n = {.stiffness = stiffness(model, pair), .exponent = 1},
                             .per = HAW_PER_POINT};
    }
}

static haw_status solve(haw_simulation *simulation, const haw_static_settings *settings,
                        const bool *held)
{
    haw_model *model = &simulation->model;
    haw_compliant_reset(simulation->state);
    HAW_TRY(haw_compliant_create(simulation->context, model, &simulation->compliant));
    const haw_status status = haw_equilibrium_solve(simulation, settings, held, model->load_steps);
    haw_compliant_free(simulation->compliant);
    haw_compliant_reset(simulation->state);
    return status;
}

haw_status haw_static_solve_hard(haw_simulation *simulation, const haw_static_settings *settings,
                                 const bool *held)
{
    haw_model *model = &simulation->model;
    haw_pair *const hard = model->pair;
    haw_compliant *const kept = simulation->compliant;
    haw_arena scratch;
    haw_arena_init(&scratch, simulation->context);
    haw_status status = HAW_ERR_NOMEM;
    haw_pair *soft = haw_arena_allocate(&scratch, (size_t)model->pairs, sizeof *soft);
    if (soft != NULL) {
        memcpy(soft, hard, (size_t)model->pairs * sizeof *soft);
        for (int i = 0; i < model->pairs; i++) {
            soften(model, &soft[i]);
        }
        model->pair = soft;
        simulation->compliant = NULL;
        status = solve(simulation, settings, held);
        simulation->compliant = kept;
        model->pair = hard;
    }
    haw_arena_fini(&scratch);
    return status;
}
