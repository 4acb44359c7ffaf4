/* SPDX-License-Identifier: BSD-3-Clause */
/* What the contact laws of moreau-jean in space ask of velocities, and how normals turn. */
#include "base/lie.h"
#include "stepper/space_jean.h"

#include <math.h>

enum { D = 3 };

/* Part of a penetration that the velocity level corrects in one step. */
static const double CORRECTION = 0.2;

/* Gap of a closed point, over the margin of the detection: what the solver's tolerance leaves. */
static const double CLOSED = 1e-6;

/*
 * Newton's law for points that are closed in the middle of the step as the velocity at its start
 * predicts it: u = gamma+ + e gamma-, or what pushes a penetration out if that is more. Others are
 * left alone as far as the velocity at the start may take them.
 */
static void rebound(const haw_jean_step *step, const haw_contact *c, const double minus[D],
                    const double plus[D], double shift[D])
{
    const haw_simulation *simulation = step->simulation;
    const haw_space_jean *jean = simulation->space;
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double middle = haw_space_gap(simulation->contacts, c, jean->middle);
    const double gap = haw_space_gap(simulation->contacts, c, simulation->state->q);
    pair->law->shift(&pair->options, D, minus, shift);
    for (int k = 0; k < D; k++) {
        shift[k] += plus[k];
    }
    if (middle <= 0) {
        const double correction = CORRECTION * fmin(0, gap) / step->h;
        shift[0] = plus[0] + fmin(shift[0] - plus[0], correction);
    } else {
        shift[0] = (c->gap + 2 * step->h * fabs(minus[0])) / (step->theta * step->h);
    }
}

/* Open at the start of the step, by more than what is left of a closed gap. */
static bool is_landing(const haw_simulation *simulation, const haw_contact *c)
{
    const haw_space_jean *jean = simulation->space;
    const haw_state *state = simulation->state;
    return state->impulse[(ptrdiff_t)D * c->id] == 0 &&
           haw_space_gap(simulation->contacts, c, state->q) > CLOSED * jean->margin;
}

/*
 * A point that closes in this step. With gap >= 0 alone it would stop where it meets the surface
 * and, the theta-method being what it is, leave again with up to (1 - theta) / theta of its speed.
 * So it also must not end where the next step could not stop it,
 *
 *     gap + (1 - theta) h gamma_N+ >= 0,
 *
 * whose derivative by u+ is h: it comes to rest on the surface in two steps. What it slid before is
 * none of friction's business: the tangential law asks for velocities.
 */
static void land(const haw_jean_step *step, const haw_contact *c, const double plus[D],
                 double shift[D])
{
    const double ahead = c->gap / step->h + (1 - step->theta) * plus[0];
    shift[0] = fmin(c->gap / (step->theta * step->h), ahead);
    shift[1] = plus[1];
    shift[2] = plus[2];
}

static void find_shifts(const haw_jean_step *step)
{
    const haw_simulation *simulation = step->simulation;
    haw_contacts *contacts = simulation->contacts;
    const haw_space_jean *jean = simulation->space;
    haw_contacts_velocity(contacts, simulation->state->u, contacts->gamma_minus);
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const haw_contact *c = &contacts->item[i];
        const double *minus = contacts->gamma_minus + D * i, *plus = contacts->gamma_plus + D * i;
        double *shift = jean->shift + D * i;
        if (simulation->model.pair[c->pair].options.restitution > 0) {
            rebound(step, c, minus, plus, shift);
        } else if (is_landing(simulation, c)) {
            land(step, c, plus, shift);
        } else {
            for (int k = 0; k < D; k++) {
                shift[k] = simulation->stage->way[D * i + k] / (step->theta * step->h);
            }
        }
    }
}

haw_status haw_space_jean_detect(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_space_jean *jean = simulation->space;
    HAW_TRY(haw_space_stage_detect(simulation, simulation->state->q, jean->q_plus, jean->margin));
    const size_t rows = D * (size_t)simulation->contacts->count;
    jean->shift = haw_arena_allocate(&simulation->stage->arena, rows, sizeof(double));
    if (jean->shift == NULL) {
        simulation->contacts->count = 0;
        return HAW_ERR_NOMEM;
    }
    find_shifts(step);
    return HAW_OK;
}

/* ---- turning normals ---- */

/* -d(P_N n + P_1 t1 + P_2 t2) / dx in the rows of the contact: with the surface the normal turns by
 * dn = b1 t1 (t1 . dx) + b2 t2 (t2 . dx), and the tangents likewise. */
static void add_bend(const haw_contact *c, const double force[D], double *k)
{
    const double gain[4] = {force[0] * c->bend[0], force[0] * c->bend[1], force[1] * c->bend[0],
                            force[2] * c->bend[1]};
    for (int a = 0; a < c->width; a++) {
        const double one = gain[0] * c->row[1][a] - gain[2] * c->row[0][a];
        const double two = gain[1] * c->row[2][a] - gain[3] * c->row[0][a];
        for (int b = 0; b < c->width; b++) {
            k[a * c->width + b] -= one * c->row[1][b] + two * c->row[2][b];
        }
    }
}

/*
 * A point inside an element moves with the turns of its nodes: for small angles between them
 *
 *     x(s) = (1 - s) x_A + s x_B + s (1 - s) / 2 (x_B - x_A) x (theta_A - theta_B)
 *
 * with inertial turns, whose second derivatives couple the force with positions and turns.
 */
static void add_bulge(const haw_simulation *simulation, const haw_contact *c, const double force[D],
                      double *k)
{
    const haw_cable *cable = &simulation->model.cable[simulation->model.pair[c->pair].cable];
    const double *node = simulation->contacts->q + cable->first_q +
                         (ptrdiff_t)cable->beam.ops->node_coordinates * c->element;
    double f[3], second[3], r[9];
    vec3_cross(c->normal, c->tangent, second);
    for (int i = 0; i < 3; i++) {
        f[i] = 0.5 * c->s * (1 - c->s) *
               (force[0] * c->normal[i] + force[1] * c->tangent[i] + force[2] * second[i]);
    }
    for (int end = 0; end < 2; end++, node += cable->beam.ops->node_coordinates) {
        quaternion_matrix(node + 3, r);
        for (int axis = 0; axis < 3; axis++) {
            const double turn[3] = {r[axis], r[3 + axis], r[6 + axis]};
            double m[3];
            vec3_cross(turn, f, m);
            for (int i = 0; i < 3; i++) {
                const double sign = end == 0 ? 1 : -1;
                const int t = 6 * end + 3 + axis;
                k[12 * i + t] += sign * m[i];
                k[12 * (6 + i) + t] -= sign * m[i];
                k[12 * t + i] += sign * m[i];
                k[12 * t + 6 + i] -= sign * m[i];
            }
        }
    }
}

/* The weight of a part falls as its gap opens, and its force with it. */
static void add_softening(const haw_contact *c, double softening, const double force[D], double *k)
{
    for (int a = 0; a < c->width; a++) {
        const double pull =
            force[0] * c->row[0][a] + force[1] * c->row[1][a] + force[2] * c->row[2][a];
        for (int b = 0; b < c->width; b++) {
            k[a * c->width + b] += softening * pull * c->row[0][b];
        }
    }
}

/* What the impulse of a point adds to the matrix where positions move by theta h du. */
static void add_turn(const haw_jean_step *step, const haw_contact_part *part, const double *impulse)
{
    const haw_contact *c = &part->point;
    const haw_simulation *simulation = step->simulation;
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double rate = 1 / (step->theta * step->h), weighted = rate * part->weight;
    const double whole[D] = {rate * impulse[0], rate * impulse[1], rate * impulse[2]};
    const double force[D] = {weighted * impulse[0], weighted * impulse[1], weighted * impulse[2]};
    double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS] = {0};
    if (c->width != HAW_SPACE_DOFS || pair->cable < 0) {
        return;
    }
    add_bend(c, force, k);
    add_softening(c, part->softening, whole, k);
    const haw_space_ops *ops = simulation->model.cable[pair->cable].beam.ops;
    if (c->s > 0 && c->s < 1 && ops->has_rotations) {
        add_bulge(simulation, c, force, k);
    }
    haw_system_add_element(simulation->implicit->system, pair->cable, c->element, k);
}

static void add_parts(const haw_jean_step *step, const haw_contact *c, const double *impulse)
{
    const haw_contacts *contacts = step->simulation->contacts;
    const int parts = haw_space_parts(contacts, c);
    for (int i = 0; i < parts; i++) {
        haw_contact_part part;
        if (haw_space_part(contacts, c, i, &part)) {
            add_turn(step, &part, impulse);
        }
    }
}

void haw_space_jean_turn(haw_jean_step *step)
{
    const haw_contacts *contacts = step->simulation->contacts;
    for (int i = 0; i < contacts->count; i++) {
        const double *impulse = contacts->impulse + (ptrdiff_t)D * i;
        if (impulse[0] > 0) {
            add_parts(step, &contacts->item[i], impulse);
        }
    }
}
