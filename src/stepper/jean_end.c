/* SPDX-License-Identifier: BSD-3-Clause */
/* moreau-jean with laws on positions: what they ask of each touch at the end of the step. */
#include "stepper/contact_pass.h"
#include "stepper/moreau_jean.h"

#include <math.h>

/*
 * Newton's law for points that are closed in the middle of the step as the velocity at its start
 * predicts it: u = gamma+ + e gamma-, or what pushes a penetration out if that is more. Others are
 * left alone as far as the velocity at the start may take them.
 */
static void rebound(const haw_simulation *simulation, const haw_touch *c,
                    const double minus[HAW_DIRECTIONS], const double plus[HAW_DIRECTIONS],
                    double shift[HAW_DIRECTIONS])
{
    const double h = simulation->h, theta = haw_jean_theta(simulation);
    const int d = simulation->contacts->dimension;
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double middle = haw_contacts_gap(simulation->contacts, c, simulation->q_mid);
    const double gap = haw_contacts_gap(simulation->contacts, c, simulation->state->q);
    pair->law->shift(&pair->options, d, minus, shift);
    for (int k = 0; k < d; k++) {
        shift[k] += plus[k];
    }
    if (middle <= 0) {
        const double correction = HAW_JEAN_CORRECTION * fmin(0, gap) / h;
        shift[0] = plus[0] + fmin(shift[0] - plus[0], correction);
    } else {
        shift[0] = (c->gap + 2 * h * fabs(minus[0])) / (theta * h);
    }
}

/* Open at the start of the step, by more than what is left of a closed gap. @param most  no gap of
 * its pair has changed by more since then */
static bool is_landing(const haw_simulation *simulation, const haw_touch *c, double most)
{
    const haw_jean *jean = simulation->method;
    const haw_state *state = simulation->state;
    const ptrdiff_t d = state->dimension;
    const double closed = HAW_JEAN_CLOSED * jean->margin;
    if (state->impulse[d * c->id] != 0) {
        return false;
    }
    const bool is_sure = fabs(c->gap - closed) > most * (1 + 1e-9);
    return (is_sure ? c->gap : haw_contacts_gap(simulation->contacts, c, state->q)) > closed;
}

/*
 * A point that closes in this step. With gap >= 0 alone it would stop where it meets the surface
 * and, the theta-method being what it is, leave again with up to (1 - theta) / theta of its speed.
 * So it also must not end where the next step could not stop it,
 *
 *     gap + (1 - theta) h gamma_N+ >= 0,
 *
 * theta that of the next step, whose derivative by u+ is h: it comes to rest on the surface in two
 * steps. What it slid before is none of friction's business: the tangential law asks for
 * velocities.
 */
static void land(const haw_simulation *simulation, const haw_touch *c,
                 const double plus[HAW_DIRECTIONS], double shift[HAW_DIRECTIONS])
{
    const double h = simulation->h, next = haw_jean_settings(simulation)->theta;
    const int d = simulation->contacts->dimension;
    const double ahead = c->gap / h + (1 - next) * plus[0];
    shift[0] = fmin(c->gap / haw_jean_lever(simulation), ahead / haw_jean_reach(simulation));
    for (int k = 1; k < d; k++) {
        shift[k] = plus[k];
    }
}

void haw_jean_end_shifts(const haw_simulation *simulation, bool stays)
{
    haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    const double lever = haw_jean_lever(simulation);
    haw_contacts_velocity(contacts, simulation->state->u, contacts->gamma_minus);
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    double most = 0;
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        if (!stays && (i == 0 || c->pair != c[-1].pair)) {
            most = haw_contacts_most_change(contacts, c->pair, simulation->state->q, contacts->q);
        }
        const double *minus = contacts->gamma_minus + d * i, *plus = contacts->gamma_plus + d * i;
        double *shift = simulation->pass->shift + d * i;
        if (simulation->model.pair[c->pair].options.restitution > 0) {
            rebound(simulation, c, minus, plus, shift);
        } else if (is_landing(simulation, c, most)) {
            land(simulation, c, plus, shift);
        } else {
            for (int k = 0; k < d; k++) {
                shift[k] = simulation->pass->way[d * i + k] / lever;
            }
        }
    }
}
