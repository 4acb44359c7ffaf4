/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equilibrium f(q) = 0 of all that is free, compliant contact included: pseudo-transient Newton,
 *
 *     (K + sigma M) d = f(q),   q <- q + s d,
 *
 * a linearly implicit step of the flow M dq/dtau = f with 1 / sigma as its length (C. T. Kelley,
 * D. E. Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523). sigma falls while full steps succeed and
 * Newton's method remains; it rises where K is not definite, as across an unstrained line. s is
 * chosen by the work d . f along the step, which needs no potential (H. Matthies, G. Strang, Int.
 * J. Numer. Meth. Eng. 14 (1979) 1613-1626). Loads rise geometrically, gravity and given forces; in
 * space, where there is no slack to be taken up, in equal steps. There q is moved by x <- x + s dx,
 * R <- R exp(s dtheta).
 *
 * A rope over sheaves starts as drawn, its bristles without deflection, and all loads rise in
 * proportion. Its labels are held; once it is balanced its mesh is moved back to the tangent points
 * and the equilibrium is sought again, until the mesh stays. Bristles belong to the material.
 */
#include "base/lie.h"
#include "cable/reeving.h"
#include "linalg/vector.h"
#include "statics/statics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CUTS = 25, RECENTRINGS = 8, FREE_STEPS = 15, POLISHES = 2 };

static const double FIRST_PART = 1e-4;      /* of the loads, in the first of several load steps */
static const double SLACK_TOLERANCE = 1e-6; /* of load steps before the last */
static const double MOST_NOISE = 1e-2;      /* of the largest force; what flies off has more */
static const double SIGMA_RANGE = 1e-9;     /* smallest sigma over the first */
static const double WORK_LEFT = 0.8;        /* of d . f, accepted after a full step */
static const double CENTRED = 1e-6;         /* of an element, way of a node that is none */
static const double SIGMA_CLOSE = 1e-5;     /* of the first sigma, once a mesh was moved */
static const double LEG_CHANGE = 0.5;       /* of a leg of a control polygon, over its length */
static const double RADIUS_PART = 0.25;     /* of the smallest one, move of a step */
static const double SMALLEST_SIGMA = 1e-9;  /* over the first: keeps what is free to move regular */
static const double SMALLEST_RISE = 1.0 / 64; /* of a load step */
static const double MOST_SHIFT = 1;           /* of the two nodes of an element, over its length */
static const double MOST_TURN = 1;            /* of the two nodes of an element [rad] */

/* ---- how far a step may go, and how fast pseudo time runs ---- */

static void space_move(haw_equilibrium *x, double s)
{
    for (int i = 0; i < x->model->dofs; i++) {
        x->way[i] = s * x->direction[i];
    }
    haw_model_move(x->model, x->from, x->way, x->q);
}

static double space_limit(const haw_model *model, const double *d)
{
    double most = 1;
    for (int i = 0; i < model->cables; i++) {
        const haw_beam *beam = &model->cable[i].beam;
        const int dofs = beam->ops->node_dofs;
        const double turn = beam->ops->has_rotations ? MOST_TURN : 1;
        for (int e = 0; e < beam->elements; e++) {
            const double *a = d + model->cable[i].first + dofs * e, *b = a + dofs;
            const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
            const double turned[3] = {a[3] - b[3], a[4] - b[4], a[5] - b[5]};
            most = fmax(most, vec3_norm(way) / (MOST_SHIFT * beam->le));
            most = fmax(most, vec3_norm(turned) / turn);
        }
    }
    return 1 / most;
}

static double space_time(const haw_model *model)
{
    double time = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        const haw_beam *beam = &model->cable[i].beam;
        time = fmin(time, beam->le * sqrt(beam->density / beam->stiffness[0]));
    }
    return time;
}

/* Smallest radius of a surface in contact, INFINITY without contact. */
static double smallest_radius(const haw_model *model)
{
    double radius = (double)INFINITY;
    for (int i = 0; i < model->pairs; i++) {
        const haw_body *body = &model->body[model->pair[i].body];
        radius = fmin(radius, body->shape->radius(body->shape_options));
        radius = model->pair[i].cable < 0 ? fmin(radius, model->pair[i].proxy_radius) : radius;
    }
    return radius;
}

/* Largest turn or stretch of a leg of a control polygon over its length, and largest move over the
 * longest allowed, each over what a step may have. */
static double excess(const haw_cable *cable, const double *d, double most_move)
{
    const haw_line *line = &cable->line;
    const int legs = line->ops->hull - 1;
    const double most_change = LEG_CHANGE * line->le / legs;
    double most = 0;
    for (int e = 0; e < line->elements; e++) {
        double p[HAW_HULL_MAX][2];
        line->ops->controls(line, e, d + cable->first, p);
        for (int k = 0; k < legs; k++) {
            const double change = hypot(p[k + 1][0] - p[k][0], p[k + 1][1] - p[k][1]);
            most = fmax(most, fmax(change / most_change, hypot(p[k][0], p[k][1]) / most_move));
        }
    }
    return most;
}

/*
 * The part of the direction, at most 1, that turns no leg of a control polygon by more than half of
 * it, beyond which lines fold into equilibria of their own, and moves nothing by more than a part
 * of a radius, beyond which bodies pass through cables.
 */
static double longest(const haw_equilibrium *x)
{
    const haw_model *model = x->model;
    const double *d = x->direction;
    if (model->dimension == 3) {
        return space_limit(model, d);
    }
    const double most_move = RADIUS_PART * smallest_radius(model);
    double most = 1;
    for (int i = 0; i < model->bodies; i++) {
        most = fmax(most, hypot(d[3 * i], d[3 * i + 1]) / most_move);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        most = fmax(most, cable->rope == NULL
                              ? excess(cable, d, most_move)
                              : haw_rope_excess(model, cable, x->q, d, LEG_CHANGE, most_move));
    }
    return 1 / most;
}

static double wave_time(const haw_model *model, const double *q)
{
    double time = (double)INFINITY; /* of meshes that move */
    for (int i = 0; i < model->cables && haw_model_moves_along(model); i++) {
        const haw_cable *cable = &model->cable[i];
        time = fmin(time, cable->ops->moves_along ? haw_rope_wave_time(model, q)
                                                  : cable->ops->critical_step(cable));
    }
    if (isfinite(time)) {
        return time;
    }
    return model->dimension == 3 ? space_time(model) : haw_model_critical_step(model);
}

/* That of frictionless.c, or of the springs where there is no cable. */
double haw_equilibrium_sigma(const haw_model *model, const double *q)
{
    const double h = 100 * wave_time(model, q);
    double sigma = isfinite(h) ? 1 / (h * h) : 0;
    for (int i = 0; i < model->springs && sigma == 0; i++) {
        sigma = fmax(sigma, model->spring[i].stiffness);
    }
    return sigma > 0 ? sigma : 1;
}

/* ---- iterate ---- */

/* This part of gravity and of the given loads. */
static void apply_loads(haw_equilibrium *x, double part)
{
    haw_model *model = x->model;
    x->part = part;
    for (int j = 0; j < model->dimension; j++) {
        model->gravity[j] = part * x->gravity[j];
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->set_gravity(&model->cable[i], model->gravity);
    }
}

static double largest(const haw_equilibrium *x, const double *f, bool free_only)
{
    const int n = x->model->dofs, *equation = x->system->equation;
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = !free_only || equation[i] >= 0 ? fmax(most, fabs(f[i])) : most;
    }
    return isfinite(haw_free_norm(x->system, f)) ? most : (double)INFINITY;
}

/* Largest force before forces cancel, reactions and axial forces included. */
static double force_scale(const haw_equilibrium *x)
{
    const haw_model *model = x->model;
    double scale =
        fmax(largest(x, x->now->model.conservative, false), largest(x, x->now->model.load, false));
    scale = fmax(scale, largest(x, x->now->normal, false));
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        scale = fmax(scale, 1e-9 * cable->line.stiffness);
        if (model->dimension == 2) { /* in space reactions and loads show it */
            scale = fmax(scale, fabs(haw_cable_largest_tension(cable, x->q)));
        }
    }
    return fmax(scale, DBL_MIN);
}

static haw_status evaluate(haw_equilibrium *x)
{
    x->now->t = x->system->t = x->t;
    x->now->part = x->system->part = x->part;
    HAW_TRY(haw_forces_find(x->model, x->compliant, x->q, x->u, x->now));
    x->residual = largest(x, x->now->total, true);
    return HAW_OK;
}

static double work(const haw_equilibrium *x)
{
    return haw_dot(x->model->dofs, x->direction, x->now->total);
}

/* Move from s to another s along the direction and evaluate. */
static haw_status move(haw_equilibrium *x, double s)
{
    if (x->model->dimension == 3) {
        space_move(x, s);
    } else {
        const double way = s - x->s;
        haw_axpy(x->model->dofs, way, x->direction, x->q);
        haw_axpy(x->model->dofs, way * x->rate, x->direction, x->u);
    }
    x->s = s;
    return evaluate(x);
}

/* s with |work(s)| <= WORK_LEFT work(0): regula falsi between a point before and one beyond. */
static haw_status search(haw_equilibrium *x, double start)
{
    double low = 0, high = longest(x), at_low = start;
    x->s = 0;
    memcpy(x->from, x->q, (size_t)x->model->coordinates * sizeof(double));
    HAW_TRY(move(x, high));
    double now = work(x), at_high = now;
    for (int k = 0; k < CUTS && !(now >= -WORK_LEFT * start && isfinite(x->residual)); k++) {
        const bool is_usable = isfinite(at_high);
        const double secant = is_usable ? (low * at_high - high * at_low) / (at_high - at_low) : 0;
        HAW_TRY(move(x, fmax(low + 0.1 * (high - low), fmin(secant, low + 0.5 * (high - low)))));
        now = work(x);
        if (now > 0) {
            low = x->s;
            at_low = now;
        } else {
            high = x->s;
            at_high = now;
        }
        if (fabs(now) <= WORK_LEFT * start) {
            break;
        }
    }
    return HAW_OK;
}

static void raise_sigma(haw_equilibrium *x, double factor)
{
    x->sigma = fmax(factor * x->sigma, 1e-3 * x->sigma_first);
}

/* Solve (K + sigma M) d = f; *start = d . f. @return false where there is no such direction */
static bool find_direction(haw_equilibrium *x, double *start)
{
    memcpy(x->direction, x->now->total, (size_t)x->model->dofs * sizeof(double));
    *start = 0;
    x->factorizations++;
    if (haw_forces_factor(x->system, x->compliant, x->q, x->u, x->sigma, x->rate) == HAW_OK) {
        haw_system_solve(x->system, x->direction);
        *start = work(x);
    }
    return *start != 0 && isfinite(*start);
}

/* A direction downhill; false where there is none: sigma was raised. */
static bool descend(haw_equilibrium *x, double *start)
{
    if (!find_direction(x, start) || !(*start > 0)) {
        raise_sigma(x, 10);
        return false;
    }
    return true;
}

static haw_status iterate(haw_equilibrium *x)
{
    double start;
    if (!descend(x, &start)) {
        return HAW_OK;
    }
    HAW_TRY(search(x, start));
    if (x->s == 1) {
        x->sigma = fmax(0.1 * x->sigma, SIGMA_RANGE * x->sigma_first);
    } else if (x->s < 0.1) {
        raise_sigma(x, 4);
    }
    return HAW_OK;
}

/* True if the residual is below tolerance times the largest force, or rounding. */
static bool is_balanced(haw_equilibrium *x, double tolerance)
{
    x->scale = force_scale(x);
    const double noise = haw_forces_noise(x->model, x->q);
    return x->residual <= fmax(tolerance * x->scale, fmin(noise, MOST_NOISE * x->scale));
}

haw_status haw_equilibrium_balance(haw_equilibrium *x, double tolerance, bool *done)
{
    const int most = x->iterations + x->settings->max_iterations;
    HAW_TRY(evaluate(x));
    *done = is_balanced(x, tolerance);
    while (!*done && x->iterations < most) {
        HAW_TRY(iterate(x));
        x->iterations++;
        *done = is_balanced(x, tolerance);
    }
    return HAW_OK;
}

/* ---- loads ---- */

/*
 * Equilibria of spatial beams. Rotations and positions are moved apart, x <- x + dx,
 * R <- R exp(dtheta): a step that turns a section leaves a tension of second order in the elements
 * beside it, where the update on SE(3) would leave a compression. Newton's method takes full steps:
 * a line search would follow that tension, which the next step removes, and creep. Where it does
 * not converge the loads rise by less; the pseudo-transient steps come last.
 */

/* A full Newton step. */
static haw_status take_step(haw_equilibrium *x, bool *moved)
{
    double work;
    x->iterations++;
    *moved = find_direction(x, &work);
    if (!*moved) {
        return HAW_OK;
    }
    memcpy(x->from, x->q, (size_t)x->model->coordinates * sizeof(double));
    space_move(x, space_limit(x->model, x->direction));
    return evaluate(x);
}

static haw_status restore(haw_equilibrium *x)
{
    memcpy(x->q, x->kept, (size_t)x->model->coordinates * sizeof(double));
    return evaluate(x);
}

static void remember(const haw_equilibrium *x)
{
    memcpy(x->kept, x->q, (size_t)x->model->coordinates * sizeof(double));
}

/* Newton's method at the present loads; back where it began if it does not converge. */
static haw_status newton(haw_equilibrium *x, double tolerance, bool *done)
{
    bool moved = true;
    remember(x);
    for (int k = 0; k < FREE_STEPS && moved && !*done; k++) {
        HAW_TRY(take_step(x, &moved));
        moved = moved && isfinite(x->residual);
        *done = moved && is_balanced(x, tolerance);
    }
    return *done ? HAW_OK : restore(x);
}

/* From one part of the loads to another. */
static haw_status rise(haw_equilibrium *x, double to, double tolerance, double slack_tolerance,
                       bool *done)
{
    const double from = x->part, least = SMALLEST_RISE * (to - from);
    double at = from, step = to - from;
    while (at < to) {
        const double next = at + 1.5 * step < to ? at + step : to;
        const double wanted = next < to ? slack_tolerance : tolerance;
        apply_loads(x, next);
        HAW_TRY(evaluate(x));
        *done = is_balanced(x, wanted);
        x->sigma = SMALLEST_SIGMA * x->sigma_first;
        HAW_TRY(newton(x, wanted, done));
        at = *done ? next : at;
        step *= *done ? 2 : 0.5;
        if (step < least) {
            apply_loads(x, to);
            x->sigma = x->sigma_first;
            return haw_equilibrium_balance(x, tolerance, done);
        }
    }
    return HAW_OK;
}

/*
 * sigma leaves an error that is small in the residual but, where EA / l is 1e8 times the stiffness
 * of bending, not in the position: the last steps do without. What is singular then stays as it is.
 */
static haw_status polish(haw_equilibrium *x)
{
    x->sigma = 0;
    for (int k = 0; k < POLISHES; k++) {
        bool done = false;
        HAW_TRY(newton(x, x->settings->tolerance, &done));
    }
    return HAW_OK;
}

static haw_status space_climb(haw_equilibrium *x, int load_steps, double slack_tolerance,
                              bool *done)
{
    apply_loads(x, 0);
    for (int k = 0; k < load_steps; k++) {
        const bool last = k == load_steps - 1;
        HAW_TRY(rise(x, last ? 1 : (k + 1.0) / load_steps,
                     last ? x->settings->tolerance : slack_tolerance, slack_tolerance, done));
    }
    return *done ? polish(x) : HAW_OK;
}

static haw_status climb(haw_equilibrium *x, int load_steps, bool *done)
{
    const double tolerance = x->settings->tolerance;
    const double slack_tolerance = fmax(tolerance, SLACK_TOLERANCE);
    if (x->model->dimension == 3) {
        return space_climb(x, load_steps, slack_tolerance, done);
    }
    for (int k = 0; k < load_steps; k++) {
        const bool last = k == load_steps - 1;
        const double exponent = last ? 0 : 1 - (double)k / (load_steps - 1);
        apply_loads(x, pow(FIRST_PART, exponent));
        x->sigma = x->sigma_start;
        HAW_TRY(haw_equilibrium_balance(x, last ? tolerance : slack_tolerance, done));
    }
    return HAW_OK;
}

static haw_status load(haw_statics *statics, haw_equilibrium *x, int load_steps)
{
    bool done = false;
    HAW_TRY(climb(x, load_steps, &done));
    statics->iterations += x->iterations;
    statics->newton_iterations += x->iterations;
    statics->residual = x->residual / x->scale;
    if (done) {
        return HAW_OK;
    }
    return haw_fail(statics->context, HAW_ERR_UNCONVERGED,
                    "no equilibrium after %d Newton iterations: residual force %.3g N, largest "
                    "force %.3g N (tolerance %g); hold what nothing keeps in place, or use more "
                    "load_steps",
                    x->iterations, x->residual, x->scale, x->settings->tolerance);
}

/* The state at rest, histories and contact forces of the equilibrium, reactions. */
static haw_status keep(haw_statics *statics, const haw_equilibrium *x)
{
    haw_state *state = statics->state;
    const size_t bytes = (size_t)state->dofs * sizeof(double);
    memcpy(state->q, x->q, (size_t)state->coordinates * sizeof(double));
    for (int i = 0; i < state->dofs; i++) {
        const bool is_held = x->system->equation[i] < 0;
        state->u[i] = is_held ? state->u[i] : 0;
        statics->support[i] = is_held ? -x->now->total[i] : 0;
    }
    memcpy(statics->force, x->now->total, bytes);
    if (x->compliant == NULL) {
        return HAW_OK;
    }
    return haw_compliant_commit(x->compliant, state, statics->contacts);
}

/* Equilibrium from the configuration and the histories of the state, into the state. The mesh of a
 * rope is moved before the bristles are accepted: those that slipped with a mesh that was off the
 * tangent points would keep what the load, brought up at once, does not give them. */
static haw_status settle(haw_statics *statics, haw_equilibrium *x, int load_steps)
{
    if (x->compliant != NULL) {
        haw_compliant_begin(x->compliant, statics->state, HAW_STATICS, 0);
    }
    haw_status status = load(statics, x, load_steps);
    for (int k = 0; k < RECENTRINGS && status == HAW_OK; k++) {
        const double moved = haw_model_recentre(x->model, x->q);
        if (moved == 0) {
            break;
        }
        x->sigma_start = SIGMA_CLOSE * x->sigma_first;
        status = isinf(moved) ? HAW_ERR_NOMEM : load(statics, x, 1);
        if (moved <= CENTRED) {
            break;
        }
    }
    apply_loads(x, 1);
    return status == HAW_OK ? keep(statics, x) : status;
}

/* Friction of ropes is that of their pairs unless the start has its own: without it nothing holds a
 * rope on a sheave. */
static double start_friction(const haw_model *model)
{
    const bool own = haw_model_moves_along(model) && model->start_friction == 0;
    return own ? (double)NAN : model->start_friction;
}

static haw_status run(haw_statics *statics, haw_equilibrium *x, int load_steps)
{
    memcpy(x->q, statics->state->q, (size_t)x->model->coordinates * sizeof(double));
    if (x->compliant != NULL) {
        haw_compliant_friction(x->compliant, start_friction(x->model));
    }
    const haw_status status = settle(statics, x, load_steps);
    if (x->compliant != NULL) {
        haw_compliant_friction(x->compliant, (double)NAN);
    }
    statics->factorizations += x->factorizations;
    return status;
}

static haw_status create_vectors(haw_arena *arena, haw_equilibrium *x)
{
    const haw_model *model = x->model;
    const int n = model->coordinates > model->dofs ? model->coordinates : model->dofs;
    double **const vector[] = {&x->q, &x->u, &x->direction, &x->from, &x->way, &x->kept};
    HAW_TRY(haw_vectors_create(arena, n, sizeof vector / sizeof *vector, vector));
    return haw_force_set_create(arena, model->dofs, x->now);
}

haw_status haw_equilibrium_solve(haw_statics *statics, const haw_static_settings *settings,
                                 const bool *held, int load_steps)
{
    const double sigma = haw_equilibrium_sigma(statics->model, statics->state->q);
    const haw_arena_mark mark = haw_arena_here(statics->arena);
    haw_force_set now;
    haw_equilibrium x = {.settings = settings,
                         .model = statics->model,
                         .compliant = statics->compliant,
                         .now = &now,
                         .t = statics->state->t,
                         .sigma_first = sigma,
                         .sigma_start = sigma};
    memcpy(x.gravity, statics->model->gravity, sizeof x.gravity);
    haw_status status = create_vectors(statics->arena, &x);
    if (status == HAW_OK) {
        status = haw_system_create(statics->context, statics->model, held, &x.system);
    }
    if (status == HAW_OK) {
        status = run(statics, &x, load_steps > 1 ? load_steps : 1);
        haw_system_free(x.system);
    }
    haw_arena_rewind(statics->arena, &mark);
    return status;
}
