/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a rope slips on its sheave: arcs of slip and stick between the tangent points. */
#include "observe/rope_wrap.h"

#include <math.h>

static const double SLIPPING = 0.999;    /* of mu N, as for belts */
static const double SLIPS = 1e-3;        /* of the fastest slip, of set-valued friction */
static const double SLIPS_AT_ALL = 1e-7; /* of the speed of the rope */

/* Friction over its limit, with the coefficient of the last step. */
static double mobilised(const haw_belt_chord *chord, double mu)
{
    return mu * chord->normal > 0 ? fabs(chord->tangential) / (mu * chord->normal) : 0;
}

/* Where the chords lead to friction has one direction, whatever it does at the other end. */
static double friction_way(int count, const haw_belt_chord *chord)
{
    double sum = 0;
    for (int i = count / 2; i < count; i++) {
        sum += chord[i].tangential;
    }
    return sum < 0 ? -1 : 1;
}

/*
 * Chords of the slip arc that begins at the end of the chords, which slip in the given direction:
 * those before which fewest do not. Where the rope lifts off its normal force has a peak that
 * friction does not follow, and single chords stick within a slip arc.
 */
static int slip_count(int count, const haw_belt_chord *chord, double mu, double way)
{
    int score = 0, best = 0, slip = 0;
    for (int i = count - 1; i >= 0; i--) {
        const bool slips = mobilised(&chord[i], mu) >= SLIPPING && chord[i].tangential * way > 0;
        score += slips ? 1 : -1;
        if (score > best) {
            best = score;
            slip = count - i;
        }
    }
    return slip;
}

/* The same where the rope enters, with friction of either direction. */
static int entry_slip_count(int count, const haw_belt_chord *chord, double mu)
{
    int score = 0, best = 0, slip = 0;
    for (int i = 0; i < count; i++) {
        score += mobilised(&chord[i], mu) >= SLIPPING ? 1 : -1;
        if (score > best) {
            best = score;
            slip = i + 1;
        }
    }
    return slip;
}

static const haw_rope_knot *knot_at(const haw_rope_passage *p, int i)
{
    return &p->knot[p->forward ? i : p->count - 1 - i];
}

static double before_exit(const haw_rope_passage *p, int i)
{
    const double angle = knot_at(p, i)->angle;
    return p->forward ? p->wrap - angle : angle;
}

/* A comb of bristles rises to its limit steadily: its last two knots tell where it is reached. */
static double limit_onset(const haw_rope_passage *p, const haw_belt_chord *chord, int first,
                          double mu)
{
    const double last = mobilised(&chord[first - 1], mu);
    const double rise = last - mobilised(&chord[first - 2], mu);
    const double part = 1 - last <= rise ? (1 - last) / rise : 0.5;
    return (1 - part) * before_exit(p, first - 1) + part * before_exit(p, first);
}

/* Slip of set-valued friction rises from zero: its first two knots tell where it begins. */
static double slip_onset(const haw_rope_passage *p, int first)
{
    const double begin = fabs(knot_at(p, first)->slip);
    const double rise = fabs(knot_at(p, first + 1)->slip) - begin;
    const double part = rise > 0 ? fmin(begin / rise, 1) : 0;
    return before_exit(p, first) + part * (before_exit(p, first) - before_exit(p, first + 1));
}

/*
 * Of set-valued friction single impulses are not unique where knots are dense, but what sticks has
 * no slip velocity.
 */
static int slipping_knots(const haw_rope_passage *p)
{
    double fastest = 0;
    int slip = 0;
    for (int i = 0; i < p->count; i++) {
        fastest = fmax(fastest, fabs(p->knot[i].slip));
    }
    const bool any = fastest > SLIPS_AT_ALL * fabs(p->knot[0].speed);
    while (any && slip < p->count &&
           fabs(knot_at(p, p->count - 1 - slip)->slip) > SLIPS * fastest) {
        slip++;
    }
    return slip;
}

/* Angles of slip and stick between the tangent points; `entry` knots slip where the rope enters. */
static void set_angles(const haw_rope_passage *p, int slip, int entry, double onset,
                       haw_belt_wrap *wrap)
{
    const int sticks = p->count - slip - entry;
    double entered = 0;
    wrap->slip = slip == 0 ? 0 : onset;
    if (sticks > 0 && entry > 0) {
        entered = p->wrap - 0.5 * (before_exit(p, entry - 1) + before_exit(p, entry));
    }
    wrap->stick = sticks > 0 ? p->wrap - wrap->slip - entered : 0;
    wrap->slip = sticks > 0 ? wrap->slip : p->wrap;
}

void haw_rope_slip(const haw_rope_passage *p, double mu, haw_belt_wrap *wrap)
{
    const haw_belt_chord *chord = wrap->chord;
    const int slip = slip_count(p->count, chord, mu, friction_way(p->count, chord));
    const int first = p->count - slip, entry = entry_slip_count(first, chord, mu);
    const bool has_onset = slip > 0 && first - entry >= 2;
    double onset = slip > 0 ? before_exit(p, first) : 0;
    onset = has_onset ? limit_onset(p, chord, first, mu) : onset;
    set_angles(p, slip, entry, onset, wrap);
    wrap->effect = haw_belt_fit_friction(slip, chord + first, mu);
}

void haw_rope_hard_slip(const haw_rope_passage *p, double mu, haw_belt_wrap *wrap)
{
    const int slip = slipping_knots(p), first = p->count - slip;
    const double onset = slip > 1 ? slip_onset(p, first) : 0;
    set_angles(p, slip, 0, slip == 1 ? before_exit(p, first) : onset, wrap);
    wrap->effect = haw_belt_fit_friction(slip, wrap->chord + first, mu);
}
