/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepper/lean.h"

#include "base/lie.h"

#include <string.h>

/* Cosine of the turn within a step up to which rows lean, 60 degrees: beyond, a normal is that of
 * another side of the surface. */
static const double TURN_MOST = 0.5;

void haw_lean_carry(haw_leaning *kept, int points, haw_pack *pack)
{
    haw_pack_block(pack, kept, (size_t)points * sizeof *kept);
    for (int i = 0; i < points; i++) {
        haw_pack_check_flag(pack, &kept[i].is_mean);
    }
}

void haw_lean_keep(const haw_contacts *contacts, haw_leaning *kept)
{
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        haw_leaning *own = &kept[touch->id];
        *own = (haw_leaning){.is_mean = false};
        memcpy(own->normal, touch->normal, sizeof own->normal);
    }
}

/* Cosine of the angle between normals that are those of one side of a surface: a groove has two. */
static const double ONE_SIDE = 0.95;

bool haw_lean_stays(const haw_contacts *contacts, const double *impulse, int i)
{
    const haw_touch *touch = &contacts->item[i];
    return impulse[contacts->dimension * touch->id] > 0 &&
           contacts->model->pair[touch->pair].options.restitution == 0;
}

/*
 * The first touch that stays on the element of touch i, on the same side of the surface. Touches
 * of an element lean alike: about as many as it has degrees of freedom have ambiguous impulses,
 * which rows that turn by a common rotation leave ambiguous.
 */
static const haw_touch *leader(const haw_contacts *contacts, const double *impulse, int i)
{
    const haw_touch *touch = &contacts->item[i], *first = touch;
    for (int j = i - 1; j >= 0 && touch->element >= 0; j--) {
        const haw_touch *other = &contacts->item[j];
        if (other->element != touch->element || other->pair != touch->pair) {
            break;
        }
        const bool leads = vec3_dot(other->normal, touch->normal) > ONE_SIDE;
        first = leads && haw_lean_stays(contacts, impulse, j) ? other : first;
    }
    return first;
}

/* v turned as a is turned to b, both of unit length. */
static void turn_like(const double a[3], const double b[3], double v[3])
{
    double axis[3], once[3], twice[3];
    vec3_cross(a, b, axis);
    vec3_cross(axis, v, once);
    vec3_cross(axis, once, twice);
    vec3_add(1, once, v);
    vec3_add(1 / (1 + vec3_dot(a, b)), twice, v);
}

/*
 * row <- theta row + (1 - theta) (row before): forces on positions and slopes turn in a step as
 * the normal does from `before` to `now`, moments about the axes of a section stay.
 */
static void lean_row(const haw_model *model, const double before[3], const double now[3],
                     double theta, haw_touch_side *side)
{
    const int d = model->dimension;
    const bool turns = side->cable < 0 || haw_cable_turns(&model->cable[side->cable]);
    const int stride = turns ? (int)haw_body_dofs(model) : d;
    for (int k = 0; k + d <= side->count; k += stride) {
        double v[3] = {0, 0, 0};
        memcpy(v, &side->row[0][k], (size_t)d * sizeof *v);
        turn_like(now, before, v);
        for (int i = 0; i < d; i++) {
            side->row[0][k + i] = theta * side->row[0][k + i] + (1 - theta) * v[i];
        }
    }
}

/*
 * The axes of a body have turned by w in the step, q+ = q exp(w), and its velocities about them go
 * on unturned, J (u+ - u) = m: what acts all along is a moment about the axes in the middle of the
 * step, exp(w / 2) m.
 */
static void turn_moments(const haw_model *model, const double *increment, haw_touch_side *side)
{
    const int d = model->dimension;
    double half[3], by[4];
    if (side->body < 0 || model->kind->dofs < 2 * d) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        half[i] = 0.5 * increment[haw_side_dof(side, d + i)];
    }
    so3_exp(half, by);
    for (int k = 0; k < d; k++) {
        double *moment = &side->row[k][d];
        quaternion_rotate(by, (const double[3]){moment[0], moment[1], moment[2]}, moment);
    }
}

void haw_lean(haw_contacts *contacts, const haw_leaning *before, const double *impulse,
              double theta, const double *increment, haw_leaning *now)
{
    haw_lean_keep(contacts, now);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *first = leader(contacts, impulse, i);
        haw_touch *touch = &contacts->item[i];
        const double *from = before[first->id].normal;
        if (!haw_lean_stays(contacts, impulse, i) || vec3_dot(first->normal, from) < TURN_MOST) {
            continue;
        }
        now[touch->id].is_mean = true;
        touch->turning = theta;
        for (int side = 0; side < 2; side++) {
            lean_row(contacts->model, from, first->normal, theta, &touch->side[side]);
            turn_moments(contacts->model, increment, &touch->side[side]);
        }
    }
}
