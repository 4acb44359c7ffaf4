/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibria of any model by the method that takes it, and starts from equilibrium: the unstrained
 * length L of every cable with a wanted tension is found by a secant iteration on T(L), the
 * reaction at `from`; a first step with the slope EA / L of a taut cable. Spatial cables keep the
 * lengths that they were built with.
 */
#include "base/lie.h"
#include "contact/histories.h"
#include "contact/knot.h"
#include "linalg/vector.h"
#include "model/build.h"
#include "statics/statics.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_ITERATIONS = 60, AT_ONCE = 200, STIFFENED = 15 };

static const double FARTHEST = 2;  /* times the drawn length: beyond, a free end stands upright */
static const double STIFFER = 1e3; /* than an element of the cable along itself */
static const double FIRST_SPRINGS = 1e-4; /* over those that stand for hard contact at last */
static const double DEEP = 0.25;          /* of a radius, of what is drawn inside a body */
static const double DEEP_SPRINGS = 1e-8;  /* the first ones that push it out, over its own */
static const double MOST_PLACES = 256;    /* on the way to an equilibrium */
static const double DRAWN = 1e-3;         /* of an element, gap of what is drawn on a surface */
static const double SMALL_DEPTH = 1e-8;   /* of a disk on a surface, over R: under its weight, and
                                             ten times as much at most */

/* ---- wanted tensions ---- */

static haw_status prepare_cable(haw_statics *statics, int i)
{
    haw_cable *cable = &statics->model->cable[i];
    if (isnan(cable->tension)) {
        return HAW_OK;
    }
    if (!haw_cable_end_held(cable, 0)) {
        return haw_fail(statics->context, HAW_ERR_INPUT,
                        "cable '%s': a tension cannot be given at a free start in a static start; "
                        "pin that end or give the length",
                        cable->name);
    }
    cable->mass.value = NULL; /* that of the shared model */
    return haw_cable_set_length(statics->arena, cable, cable->line.le * cable->line.elements);
}

/* Of the support of a held start, or of the joint there. */
static double start_tension(const haw_statics *statics, const haw_cable *cable)
{
    const haw_cable_guide *guide = &cable->guide[0];
    const double *f = guide->join != HAW_JOIN_NONE
                          ? statics->state->u + guide->lambda
                          : statics->force + cable->first + cable->end_dof[0];
    return hypot(f[0], f[1]);
}

/* One secant step per cable on the axial force at `from`, which is the reaction of the pinned end,
 * exact in the discrete equilibrium; *error is the largest relative error of the tensions before
 * it. */
static haw_status adjust(haw_statics *statics, double *length, double *tension, double *error)
{
    *error = 0;
    for (int i = 0; i < statics->model->cables; i++) {
        haw_cable *cable = &statics->model->cable[i];
        if (isnan(cable->tension)) {
            continue;
        }
        const double l = cable->line.le * cable->line.elements;
        const double t = start_tension(statics, cable), miss = t - cable->tension;
        double slope = -cable->line.stiffness / l;
        if (length[i] > 0 && l != length[i] && t != tension[i]) {
            slope = (t - tension[i]) / (l - length[i]);
        }
        const double step = -miss / slope, most = 0.05 * l;
        if (!(fmax(l / cable->drawn, cable->drawn / l) < FARTHEST)) {
            return haw_fail(statics->context, HAW_ERR_UNCONVERGED,
                            "cable '%s': no unstrained length near %g m gives a tension of %g N at "
                            "its start: give the length, or hold its other end",
                            cable->name, cable->drawn, cable->tension);
        }
        *error = fmax(*error, fabs(miss) / fmax(cable->tension, DBL_MIN));
        length[i] = l;
        tension[i] = t;
        HAW_TRY(haw_cable_set_length(statics->arena, cable, l + fmax(-most, fmin(most, step))));
    }
    haw_contacts_forget(statics->contacts); /* places move with the lengths, too */
    return HAW_OK;
}

/* What the method of frictionless.c does not know: ropes, orientations, forces, bending, closed
 * cables, compliant contact. */
static bool is_general(const haw_model *model)
{
    if (haw_model_refuses_explicit(model) != NULL) {
        return true;
    }
    bool general = haw_model_has_extra_forces(model) || haw_model_turns(model);
    for (int i = 0; i < model->cables; i++) {
        const haw_line *line = &model->cable[i].line;
        general = general || line->ops == NULL || line->closed || line->ops->step_limit_bending > 0;
    }
    return general;
}

/* Springs can stand for a contact to the end: on a curve in the plane. */
static bool can_soften(const haw_model *model, const haw_pair *pair)
{
    return pair->law->set_valued && haw_pair_is_flat(model, pair);
}

/* Or until what is drawn inside a body is out of it: where compliant laws know the surface. */
static bool can_press(const haw_model *model, const haw_pair *pair)
{
    (void)model;
    return pair->law->set_valued && pair->body >= 0 && pair->proxies != HAW_PROXY_MORTAR;
}

static bool is_apart(const haw_model *model, const haw_pair *pair)
{
    return pair->law->set_valued && !can_soften(model, pair);
}

static bool any_pair(const haw_model *model, bool (*is)(const haw_model *, const haw_pair *))
{
    for (int i = 0; i < model->pairs; i++) {
        if (is(model, &model->pair[i])) {
            return true;
        }
    }
    return false;
}

/*
 * Locks, and at the start of a motion the bodies that nothing keeps in place: what will fly or roll
 * has no equilibrium yet.
 */
static bool *find_held(haw_statics *statics)
{
    const haw_model *model = statics->model;
    const int dofs = (int)haw_body_dofs(model);
    bool *held = haw_arena_allocate(statics->arena, (size_t)model->dofs + 1, sizeof *held);
    if (held == NULL) {
        return NULL;
    }
    haw_model_held(model, held);
    for (int i = 0; i < model->dofs; i++) {
        const bool is_loose =
            statics->is_start && i < dofs * model->bodies && !model->kept[i / dofs];
        held[i] = held[i] || is_loose || (model->lock != NULL && model->lock[i]);
    }
    haw_joints_rest(model, statics->state->q, held);
    return held;
}

/*
 * Equilibrium with set-valued contact where the method of frictionless.c does not reach (closed
 * cables, bending, given forces): stiff frictionless springs stand for the contacts while it is
 * sought. They give by a thousandth of what the elements of the cable give under the same force. On
 * a rope over sheaves, which nothing else holds, springs and bristles with the friction of the pair
 * stand for the knots, so stiff that the steps of the rope's tension are those of hard contact but
 * for 1 / r of an angle, r^2 = k_t R^2 / EA = STIFFER.
 */

/* The largest force where all is drawn, contact apart, into statics->pull. */
static haw_status find_pull(haw_statics *statics)
{
    const haw_model *model = statics->model;
    haw_force_set force = {.part = 1};
    HAW_TRY(haw_force_set_create(statics->arena, model->dofs, &force));
    HAW_TRY(haw_forces_find(model, NULL, statics->state->q, statics->state->u, &force));
    statics->pull = fmax(haw_largest(model->dofs - model->multipliers, force.total), DBL_MIN);
    return HAW_OK;
}

/* Stiffness of a contact point [N/m]. */
static double stiffness(const haw_statics *statics, const haw_pair *pair)
{
    const haw_model *model = statics->model;
    if (pair->cable >= 0) {
        const haw_line *line = &model->cable[pair->cable].line;
        return STIFFER * line->stiffness / line->le;
    }
    const double weight = model->body[pair->proxy].mass[0] * vec3_norm(model->gravity);
    return (weight > 0 ? weight : statics->pull) / (SMALL_DEPTH * haw_pair_girth(model, pair));
}

/* What other forces than its weight press together: springs, ropes, heavier bodies. @return whether
 * any springs were too soft */
static bool stiffen(haw_statics *statics)
{
    const haw_model *model = statics->model;
    bool any = false;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->cable < 0 && can_soften(model, pair)) {
            const double allowed = SMALL_DEPTH * haw_pair_girth(model, pair);
            const double factor = -statics->contacts->gap_min[i] / allowed;
            statics->stiffer[i] *= factor > 10 ? factor : 1;
            any = any || factor > 10;
        }
    }
    return any;
}

/* @param part  of that stiffness, or of its own */
static void soften(const haw_statics *statics, double part, haw_pair *pair)
{
    const haw_model *model = statics->model;
    const bool has_knots = haw_pair_has_knots(pair);
    if (!can_press(model, pair)) {
        pair->compliance.n.stiffness *= part;
        pair->compliance.t.stiffness *= part;
        return;
    }
    pair->law = &haw_law_penalty;
    if (has_knots) {
        const double radius = haw_knots_radius(model, pair);
        const double ea = model->cable[pair->cable].line.stiffness;
        const double k = part * STIFFER * ea / (radius * radius) * pair->spacing;
        const double mu = pair->options.friction;
        pair->compliance =
            (haw_compliance){.normal = &haw_normal_linear,
                             .tangential = &haw_friction_bristle,
                             .n = {.stiffness = k, .exponent = 1},
                             .t = {.mu_static = mu, .mu_kinetic = mu, .stiffness = k},
                             .per = HAW_PER_LENGTH};
    } else {
        pair->compliance =
            (haw_compliance){.normal = &haw_normal_linear,
                             .n = {.stiffness = part * stiffness(statics, pair), .exponent = 1},
                             .per = HAW_PER_POINT};
    }
}

static haw_status solve_soft(haw_statics *statics, const haw_static_settings *settings,
                             const bool *held, double part)
{
    haw_model *model = statics->model;
    haw_pair *const hard = model->pair;
    haw_compliant *const kept = statics->compliant;
    haw_pair *soft = haw_arena_allocate(statics->arena, (size_t)model->pairs, sizeof *soft);
    HAW_TRY(haw_arena_status(statics->arena));
    memcpy(soft, hard, (size_t)model->pairs * sizeof *soft);
    for (int i = 0; i < model->pairs; i++) {
        soften(statics, part * statics->stiffer[i], &soft[i]);
    }
    model->pair = soft;
    haw_compliant_reset(statics->state);
    haw_status status = haw_compliant_create(statics->context, model, &statics->compliant);
    if (status == HAW_OK) {
        status = haw_equilibrium_solve(statics, settings, held, model->load_steps);
        haw_compliant_free(statics->compliant);
        haw_compliant_reset(statics->state);
    }
    statics->compliant = kept;
    model->pair = hard;
    return status;
}

/* The smallest gap of a pair where it is drawn [m]. */
static double drawn_gap(const haw_statics *statics, int pair)
{
    return statics->model->pair[pair].law->set_valued ? statics->contacts->gap_min[pair]
                                                      : haw_compliant_gap(statics->compliant, pair);
}

/* True if something is drawn so deep inside a body that stiff springs would throw it out on any
 * side of it. */
static haw_status find_deep(haw_statics *statics, bool *deep)
{
    const haw_model *model = statics->model;
    const haw_state *state = statics->state;
    haw_force_set none;
    *deep = false;
    HAW_TRY(haw_contacts_detect(statics->contacts, state->q, state->u, 0));
    statics->contacts->count = 0;
    if (statics->compliant != NULL) {
        HAW_TRY(haw_force_set_create(statics->arena, model->dofs, &none));
        haw_compliant_begin(statics->compliant, state, HAW_STATICS, 0);
        HAW_TRY(haw_compliant_evaluate(statics->compliant, state->q, state->u, none.normal,
                                       none.tangential));
    }
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->body < 0) {
            continue; /* of two cables, neither of which has an inside */
        }
        const double radius = haw_pair_radius(model, pair);
        const double least = pair->cable < 0 ? fmin(radius, haw_pair_girth(model, pair)) : radius;
        *deep = *deep || drawn_gap(statics, i) < -DEEP * least;
    }
    return HAW_OK;
}

/* Out of the depth of a body they need not come to rest before they grow. */
static haw_status grow_springs(haw_statics *statics, const haw_static_settings *settings,
                               const bool *held, bool deep)
{
    haw_static_settings own = *settings;
    double part = deep ? DEEP_SPRINGS : FIRST_SPRINGS;
    own.max_iterations = deep && AT_ONCE < own.max_iterations ? AT_ONCE : own.max_iterations;
    while (part < 0.5) {
        const haw_status status = solve_soft(statics, &own, held, part);
        HAW_TRY(deep && status == HAW_ERR_UNCONVERGED ? HAW_OK : status);
        part *= 10;
    }
    return HAW_OK;
}

/* A spring that was too soft becomes more than ten times as stiff: so many times cover forces that
 * differ by 1e15, all digits of a number. */
static haw_status solve_stiff(haw_statics *statics, const haw_static_settings *settings,
                              const bool *held)
{
    haw_status status = solve_soft(statics, settings, held, 1);
    for (int k = 0; k < STIFFENED && status == HAW_OK && stiffen(statics); k++) {
        status = solve_soft(statics, settings, held, 1);
    }
    return status;
}

/* With springs that stand for hard contact, and those of compliant laws: at once; or growing, where
 * joints forbid the line search that finds stiff ones, where points of a coarse mesh touch and
 * leave in turn, and out of the depth of a body. */
static haw_status solve_springs(haw_statics *statics, const haw_static_settings *settings,
                                const bool *held)
{
    const bool stands = any_pair(statics->model, can_soften);
    haw_static_settings brief = *settings;
    bool deep;
    HAW_TRY(find_deep(statics, &deep));
    if (!deep && !stands) {
        return haw_equilibrium_solve(statics, settings, held, statics->model->load_steps);
    }
    brief.max_iterations = brief.max_iterations < AT_ONCE ? brief.max_iterations : AT_ONCE;
    if (!deep && statics->model->joints == 0) {
        const haw_status status = solve_stiff(statics, &brief, held);
        if (status != HAW_ERR_UNCONVERGED) {
            return status;
        }
    }
    HAW_TRY(grow_springs(statics, settings, held, deep));
    return stands ? solve_stiff(statics, settings, held)
                  : haw_equilibrium_solve(statics, settings, held, statics->model->load_steps);
}

/* ---- with friction ---- */

/* That acts in this equilibrium: of a start its own. */
static double friction_of(const haw_statics *statics, const haw_pair *pair)
{
    return statics->is_start ? statics->model->start_friction : pair->options.friction;
}

/* Friction, what falls, and lines, which would pass through each other on their way, are found by
 * contact itself. */
static bool needs_contact(const haw_statics *statics)
{
    const haw_model *model = statics->model;
    const bool falls = !statics->is_start && haw_model_loose(model, NULL) != NULL;
    bool any = false;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        any = any || (pair->law->set_valued &&
                      (falls || pair->line >= 0 || friction_of(statics, pair) > 0));
    }
    return any && !haw_model_moves_along(model);
}

/* By set-valued contact itself, no springs stand for it, with the friction of the equilibrium. */
static haw_status find_contact(haw_statics *statics, const haw_static_settings *settings,
                               const bool *held)
{
    haw_model *model = statics->model;
    haw_pair *const own = model->pair;
    haw_pair *pair = haw_arena_allocate(statics->arena, (size_t)model->pairs, sizeof *pair);
    HAW_TRY(haw_arena_status(statics->arena));
    memcpy(pair, own, (size_t)model->pairs * sizeof *pair);
    for (int i = 0; i < model->pairs; i++) {
        pair[i].options.friction = friction_of(statics, &own[i]);
    }
    model->pair = pair;
    const haw_status status = statics->find_contact(statics->finder, settings, held);
    model->pair = own;
    return status;
}

static void begin_as_drawn(haw_statics *statics)
{
    memcpy(statics->state->q, statics->drawn,
           (size_t)statics->state->coordinates * sizeof *statics->drawn);
}

/* By springs from where the cables were drawn, then by contact from there. */
static haw_status come_by_springs(haw_statics *statics, const haw_static_settings *settings,
                                  const bool *held)
{
    begin_as_drawn(statics);
    HAW_TRY(grow_springs(statics, settings, held, true));
    return find_contact(statics, settings, held);
}

/* What is drawn deep inside a body comes out by springs: contact throws it out at once, on any side
 * of it, which may be all the same where springs do not lead to rest. Contact comes first for all
 * else, and springs help what has to fall and is left without any. */
static haw_status come_by_both(haw_statics *statics, const haw_static_settings *settings,
                               const bool *held, bool deep)
{
    const bool stands = any_pair(statics->model, can_press);
    haw_status status = HAW_ERR_UNCONVERGED;
    for (int k = 0; k < 2 && status == HAW_ERR_UNCONVERGED; k++) {
        const bool springs = deep == (k == 0);
        if (springs && stands) {
            status = come_by_springs(statics, settings, held);
        } else if (!springs) {
            begin_as_drawn(statics);
            status = find_contact(statics, settings, held);
        }
    }
    return status;
}

/* From where the cables were drawn, for friction remembers the way. What fell, or came out of a
 * body, does so once: it may rest in many places, and lengths that are sought for a tension need
 * those that lie close together. */
static haw_status solve_by_contact(haw_statics *statics, const haw_static_settings *settings,
                                   const bool *held)
{
    bool deep = false;
    if (!statics->is_caught) {
        begin_as_drawn(statics);
        HAW_TRY(any_pair(statics->model, can_press) ? find_deep(statics, &deep) : HAW_OK);
    }
    const haw_status status = statics->is_caught ? find_contact(statics, settings, held)
                                                 : come_by_both(statics, settings, held, deep);
    const bool goes_on = deep || statics->is_out || haw_model_loose(statics->model, held) != NULL;
    statics->is_out = statics->is_out || deep;
    statics->is_caught = status == HAW_OK && goes_on;
    if (status != HAW_ERR_UNCONVERGED || !statics->is_out) {
        return status;
    }
    char text[512];
    (void)snprintf(text, sizeof text, "%s", haw_context_message(statics->context));
    return haw_fail(statics->context, status,
                    "%s; it begins deep inside a body: draw it outside, or take fewer "
                    "points_per_element",
                    text);
}

/* ---- any model ---- */

/* Hard contact that no springs stand for, at q: gaps below a part of an element. */
static haw_status find_touching(haw_statics *statics, const double *q, double part, bool *touches)
{
    const haw_model *model = statics->model;
    haw_contacts *contacts = statics->contacts;
    *touches = false;
    if (!any_pair(model, is_apart)) {
        return HAW_OK;
    }
    HAW_TRY(haw_contacts_detect(contacts, q, statics->state->u, 0));
    contacts->count = 0;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        const double size =
            pair->cable >= 0 ? model->cable[pair->cable].line.le : haw_pair_girth(model, pair);
        *touches = *touches || (contacts->gap_min[i] <= part * size && is_apart(model, pair));
    }
    return HAW_OK;
}

/* True if the way from the drawing to the state leads through hard contact: an equilibrium beyond
 * a body is none of what lies before it. Places on the way are nearer to each other than half of
 * what is thinnest is thick; where that takes too many, contact itself shall tell. */
static haw_status find_crossing(haw_statics *statics, bool *crosses)
{
    const haw_model *model = statics->model;
    double half = (double)INFINITY, far = 0;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (is_apart(model, pair)) {
            half = fmin(half, haw_pair_radius(model, pair) + haw_pair_girth(model, pair));
        }
    }
    double *way = haw_arena_allocate(statics->arena, (size_t)model->dofs + 1, sizeof *way);
    double *q =
        haw_arena_allocate(statics->arena, (size_t)statics->state->coordinates + 1, sizeof *q);
    HAW_TRY(haw_arena_status(statics->arena));
    haw_model_difference(model, statics->drawn, statics->state->q, way);
    for (int i = 0; i < model->dofs; i++) {
        far = fmax(far, fabs(way[i]));
    }
    const double places = ceil(2 * far / half);
    *crosses = places > MOST_PLACES;
    for (int k = 1; k < places && !*crosses; k++) {
        haw_model_move(model, statics->drawn, k / places, way, q);
        HAW_TRY(find_touching(statics, q, 0, crosses));
    }
    return HAW_OK;
}

static haw_status solve_general(haw_statics *statics, const haw_static_settings *settings,
                                const bool *held)
{
    const double *q = statics->state->q;
    bool touches;
    HAW_TRY(find_touching(statics, q, DRAWN, &touches)); /* else it would pass through */
    if (touches || needs_contact(statics)) {
        return solve_by_contact(statics, settings, held);
    }
    const haw_status status = solve_springs(statics, settings, held);
    if (status == HAW_ERR_UNCONVERGED && any_pair(statics->model, is_apart)) {
        return solve_by_contact(statics, settings, held);
    }
    HAW_TRY(status);
    if (any_pair(statics->model, can_soften)) {
        return HAW_OK;
    }
    HAW_TRY(find_touching(statics, q, 0, &touches));
    HAW_TRY(touches ? HAW_OK : find_crossing(statics, &touches));
    return touches ? solve_by_contact(statics, settings, held) : HAW_OK;
}

static haw_status solve(haw_statics *statics, const haw_static_settings *settings)
{
    if (!is_general(statics->model) && !needs_contact(statics)) {
        return haw_frictionless_solve(statics, settings);
    }
    const haw_arena_mark mark = haw_arena_here(statics->arena);
    const bool *held = find_held(statics);
    *statics->report = (haw_report){.outcome = HAW_CONVERGED};
    const haw_status status = held != NULL ? solve_general(statics, settings, held) : HAW_ERR_NOMEM;
    haw_arena_rewind(statics->arena, &mark);
    return status;
}

haw_status haw_statics_solve(haw_statics *statics, const haw_static_settings *settings)
{
    const size_t n = (size_t)statics->model->cables + 1;
    const size_t coordinates = (size_t)statics->state->coordinates;
    double error = (double)INFINITY;
    bool any = false;
    statics->drawn = haw_arena_allocate(statics->arena, coordinates, sizeof *statics->drawn);
    statics->stiffer =
        haw_arena_allocate(statics->arena, (size_t)statics->model->pairs + 1, sizeof(double));
    HAW_TRY(haw_arena_status(statics->arena));
    memcpy(statics->drawn, statics->state->q, coordinates * sizeof *statics->drawn);
    for (int i = 0; i < statics->model->pairs; i++) {
        statics->stiffer[i] = 1;
    }
    HAW_TRY(find_pull(statics));
    for (int i = 0; i < statics->model->cables; i++) {
        HAW_TRY(prepare_cable(statics, i));
        any = any || !isnan(statics->model->cable[i].tension);
    }
    if (!any) {
        return solve(statics, settings);
    }
    double *length = haw_arena_allocate(statics->arena, n, sizeof *length);
    double *tension = haw_arena_allocate(statics->arena, n, sizeof *tension);
    HAW_TRY(haw_arena_status(statics->arena));
    for (int k = 0; k < LENGTH_ITERATIONS; k++) {
        HAW_TRY(solve(statics, settings));
        const double before = error;
        HAW_TRY(adjust(statics, length, tension, &error));
        if (error <= 1e-12 || (error <= 1e-9 && error >= before)) {
            return solve(statics, settings);
        }
    }
    return haw_fail(statics->context, HAW_ERR_UNCONVERGED,
                    "found no unstrained length that gives the requested tension: relative error "
                    "%.3g after %d equilibria",
                    error, LENGTH_ITERATIONS);
}

/* Bristles that are relaxed where the points came to rest; those of a rope carry its load. */
static haw_status relax(haw_statics *statics)
{
    const haw_model *model = statics->model;
    const haw_state *state = statics->state;
    haw_force_set none;
    bool any = false;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        any = any || (pair->compliance.normal != NULL && !haw_pair_has_knots(pair));
    }
    if (statics->compliant == NULL || !any) {
        return HAW_OK;
    }
    haw_compliant_free(statics->compliant); /* unstrained lengths may have changed */
    statics->compliant = NULL;
    HAW_TRY(haw_compliant_create(statics->context, model, &statics->compliant));
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        for (int k = 0; k < pair->points && !haw_pair_has_knots(pair); k++) {
            haw_history_open(state->history + (ptrdiff_t)(pair->first_point + k) * HAW_HISTORY);
        }
    }
    HAW_TRY(haw_force_set_create(statics->arena, state->dofs, &none));
    haw_compliant_begin(statics->compliant, state, HAW_STATICS, 0);
    HAW_TRY(haw_compliant_evaluate(statics->compliant, state->q, state->u, none.normal,
                                   none.tangential));
    statics->contacts->count = 0;
    return haw_compliant_commit(statics->compliant, statics->state, statics->contacts);
}

/* From rest with the velocities of the scene. */
static haw_status set_off(haw_statics *statics)
{
    haw_hold *hold;
    haw_state_set_off(statics->model, statics->state);
    return haw_joints_check(statics->arena, statics->model, statics->state, true, &hold);
}

haw_status haw_statics_start(haw_statics *statics)
{
    const haw_static_settings settings = {.tolerance = statics->model->start_tolerance,
                                          .max_iterations = 2000};
    const haw_body *loose = haw_model_loose(statics->model, NULL);
    statics->is_start = true;
    HAW_TRY(haw_statics_solve(statics, &settings));
    if (loose != NULL) {
        haw_log(
            statics->context, HAW_LOG_INFO,
            "the start from equilibrium leaves '%s' where it is drawn: nothing keeps it in place, "
            "and it moves from there (the stepper 'static' lets it fall until it is caught)",
            loose->name);
    }
    HAW_TRY(relax(statics));
    statics->contacts->phase = HAW_DYNAMICS;
    return set_off(statics);
}
