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
 * J. Numer. Meth. Eng. 14 (1979) 1613-1626). Loads rise geometrically, gravity and given forces;
 * with cables whose sections turn, where there is no slack to be taken up, in equal steps. q is
 * moved by the rows of cables and bodies: x <- x + s dx, R <- R exp(s dtheta).
 *
 * A rope over sheaves starts as drawn, its bristles without deflection, and all loads rise in
 * proportion. Its labels are held; once it is balanced its mesh is moved back to the tangent points
 * and the equilibrium is sought again, until the mesh stays. Bristles belong to the material.
 */
#include "contact/knot.h"
#include "linalg/vector.h"
#include "statics/search.h"
#include "statics/statics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { RECENTRINGS = 8, FREE_STEPS = 15, POLISHES = 2, COARSE = 100, SETTLED = 2 };

/* Steps before contacts are foreseen, then five times as many. */
enum { PATIENCE = 20 };

static const double FIRST_PART = 1e-4;      /* of the loads, in the first of several load steps */
static const double SLACK_TOLERANCE = 1e-6; /* of load steps before the last */
static const double MOST_NOISE = 1e-2;      /* of the largest force; what flies off has more */
static const double SIGMA_RANGE = 1e-9;     /* smallest sigma over the first, see there */
static const double CENTRED = 1e-6;         /* of an element, way of a node that is none */
static const double SIGMA_CLOSE = 1e-5;     /* of the first sigma, once a mesh was moved */
static const double RADIUS_PART = 0.25;     /* of the smallest one, move of a step */
static const double LEAST_AXIS = 1e-3;      /* of a radius, distance from its axis that is none */
static const double GAP_PART = 0.4;         /* of a gap: the other side moves, too */
static const double MOST_HEAVY = 1e3; /* bodies over cables, masses that the smallest sigma suits */
static const double SMALLEST_SIGMA = 1e-9; /* over the first: keeps what is free to move regular */
static const double MOST_TURN = 0.5;       /* of a body on joints, in a step [rad] */
static const double SMALLEST_RISE = 1.0 / 64; /* of a load step */

/* ---- how far a step may go, and how fast pseudo time runs ---- */

/* Where nothing passes through anything: a part of a radius, or of what is free around a body. */
static double most_move(const haw_model *model, const haw_free_way *clear, double radius, int body)
{
    double free = clear != NULL ? clear->most : 0;
    for (int i = 0; i < model->pairs && clear != NULL; i++) {
        const haw_pair *pair = &model->pair[i];
        const bool is_own = pair->body == body || (pair->cable < 0 && pair->proxy == body);
        free = is_own ? fmin(free, clear->gap[i]) : free;
    }
    return fmax(RADIUS_PART * radius, GAP_PART * free);
}

double haw_equilibrium_longest(const haw_model *model, double part, const haw_free_way *clear,
                               const double *q, const double *direction)
{
    double radius = (double)INFINITY, most = 1;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        radius = fmin(radius, haw_pair_radius(model, pair));
        radius = pair->cable < 0 ? fmin(radius, haw_pair_girth(model, pair)) : radius;
    }
    radius *= part;
    for (int i = 0; i < model->bodies; i++) {
        double way = 0;
        for (int k = 0; k < model->dimension; k++) {
            way = hypot(way, direction[model->body[i].first + k]);
        }
        most = fmax(most, way / most_move(model, clear, radius, i));
        for (int k = model->dimension; k < model->kind->dofs && model->joints > 0; k++) {
            most = fmax(most, fabs(direction[model->body[i].first + k]) / MOST_TURN);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        most = fmax(most, cable->ops->excess(cable, q, direction, RADIUS_PART * radius));
    }
    return 1 / most;
}

/* That of frictionless.c, by the wave that crosses an element first, at q where elements change
 * their lengths; or of the springs where there is no cable. */
double haw_equilibrium_sigma(const haw_model *model, const double *q)
{
    double time = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const haw_line *line = &cable->line;
        double own = cable->ops->critical_step(cable);
        if (cable->ops->shortest != NULL) {
            own = haw_cable_shortest(cable, q) / sqrt(line->stiffness / line->density);
        } else if (cable->ops->turns_first) {
            own = line->le * sqrt(line->density / line->stiffness);
        }
        time = fmin(time, own);
    }
    const double h = 100 * time;
    double sigma = isfinite(h) ? 1 / (h * h) : 0;
    for (int i = 0; i < model->springs && sigma == 0; i++) {
        sigma = fmax(sigma, model->spring[i].stiffness);
    }
    return sigma > 0 ? sigma : 1;
}

/* ---- iterate ---- */

void haw_equilibrium_load(haw_model *model, const double gravity[3], double part)
{
    for (int j = 0; j < model->dimension; j++) {
        model->gravity[j] = part * gravity[j];
    }
    for (int i = 0; i < model->cables; i++) {
        haw_cable_set_gravity(&model->cable[i], model->gravity);
    }
}

/* This part of gravity and of the given loads. */
static void apply_loads(haw_equilibrium *x, double part)
{
    x->part = part;
    haw_equilibrium_load(x->model, x->gravity, part);
    if (x->compliant != NULL) { /* lines go far along one another while loads rise */
        haw_compliant_renew(x->compliant);
    }
}

/* Of forces: the gaps of joints are looked at apart. */
static double largest(const haw_equilibrium *x, const double *f, bool free_only)
{
    const int n = x->model->dofs - x->model->multipliers, *equation = x->system->equation;
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = !free_only || equation[i] >= 0 ? fmax(most, fabs(f[i])) : most;
    }
    return isfinite(haw_free_norm(x->system, f)) ? most : (double)INFINITY;
}

/* Largest force before forces cancel, reactions and axial forces included. */
double haw_equilibrium_scale(const haw_equilibrium *x)
{
    const haw_model *model = x->model;
    double scale =
        fmax(largest(x, x->now->model.conservative, false), largest(x, x->now->model.load, false));
    scale = fmax(scale, largest(x, x->now->normal, false));
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        scale = fmax(scale, 1e-9 * cable->line.stiffness);
        scale = fmax(scale, fabs(haw_cable_largest_tension(cable, x->q)));
    }
    return fmax(scale, DBL_MIN);
}

/* Multipliers of joints are increments of q in an equilibrium, rates of q on a path of them. */
static const double *find_lambda(const haw_equilibrium *x)
{
    return x->rate > 0 ? x->u + haw_joints_dof(x->model) : x->q + haw_joints_coordinate(x->model);
}

/* Forces of the joints, and their gaps as what is to vanish beside all forces. */
static void add_joints(haw_equilibrium *x)
{
    const haw_model *model = x->model;
    double *total = x->now->total;
    if (model->joints == 0) {
        return;
    }
    haw_joints_find(model, x->q, x->hold);
    haw_joints_push(model, x->hold, 1, find_lambda(x), total);
    haw_model_tie(model, total);
    haw_joints_gaps(model, x->hold, 1, total + haw_joints_dof(model));
}

haw_status haw_equilibrium_evaluate(haw_equilibrium *x)
{
    x->now->t = x->system->t = x->t;
    x->now->part = x->system->part = x->part;
    HAW_TRY(haw_forces_find(x->model, x->compliant, x->q, x->u, x->now));
    add_joints(x);
    x->residual = largest(x, x->now->total, true);
    return HAW_OK;
}

static double work(const haw_equilibrium *x)
{
    return haw_dot(x->model->dofs, x->direction, x->now->total);
}

/* To another s along the direction. */
static haw_status move(void *user, double s, double *left)
{
    haw_equilibrium *x = user;
    const int n = x->model->dofs;
    const double part = s - x->s;
    haw_model_move(x->model, x->q, part, x->direction, x->q);
    haw_axpy(n, part * x->rate, x->direction, x->u);
    x->s = s;
    HAW_TRY(haw_equilibrium_evaluate(x));
    *left = isfinite(x->residual) ? work(x) : (double)NAN;
    return HAW_OK;
}

haw_status haw_equilibrium_go(haw_equilibrium *x, double s)
{
    double left;
    return move(x, s, &left);
}

/* What is nearest to the axis of what it is inside of, over the radius there: it comes out on its
 * own side. */
static double nearest_axis(const haw_equilibrium *x)
{
    double part = x->compliant != NULL ? 1 : (double)INFINITY;
    for (int i = 0; i < x->model->pairs && x->compliant != NULL; i++) {
        const double radius = haw_pair_radius(x->model, &x->model->pair[i]);
        if (!haw_pair_has_knots(&x->model->pair[i])) {
            part = fmin(part, 1 + haw_compliant_gap(x->compliant, i) / radius);
        }
    }
    return fmax(part, LEAST_AXIS);
}

double haw_equilibrium_reach(const haw_equilibrium *x)
{
    return haw_equilibrium_longest(x->model, nearest_axis(x), NULL, x->q, x->direction);
}

/* Small beside the softest modes of cables, which do not feel the mesh, while the first sigma grows
 * with the square of the elements; and beside those of bodies, which sigma M would hold where they
 * hang on cables without weight. */
static double least_sigma(const haw_equilibrium *x)
{
    double coarser = 1, cables = 0, heaviest = 0;
    for (int i = 0; i < x->model->cables; i++) {
        const haw_line *line = &x->model->cable[i].line;
        coarser = fmin(coarser, (double)COARSE / line->elements);
        cables += line->density * line->le * line->elements;
    }
    for (int i = 0; i < x->model->bodies; i++) {
        const haw_body *body = &x->model->body[i];
        heaviest = fmax(heaviest, body->held[0] && body->held[1] ? 0 : body->mass[0]);
    }
    const double lighter = cables > 0 ? fmin(1, MOST_HEAVY * cables / fmax(heaviest, cables)) : 1;
    return SIGMA_RANGE * coarser * coarser * lighter * x->sigma_first;
}

static void raise_sigma(haw_equilibrium *x, double factor)
{
    x->sigma = fmax(factor * x->sigma, 1e-3 * x->sigma_first);
}

void haw_equilibrium_assemble(haw_equilibrium *x)
{
    haw_forces_assemble(x->system, x->compliant, x->q, x->u, x->sigma, x->rate);
    if (x->model->joints > 0) {
        haw_joints_add_columns(x->system, x->hold, x->rate > 0 ? x->rate : 1);
        haw_joints_add_rows(x->system, x->hold);
        haw_joints_add_stiffness(x->system, x->q, 1, find_lambda(x));
    }
}

/* Solve (K + sigma M) d = f; *start = d . f, with joints d . (K + sigma M) d: they are not positive
 * where the way leads uphill, and 0 where only forces of joints are missing. @return false where
 * there is no such direction */
static bool find_direction(haw_equilibrium *x, double *start)
{
    memcpy(x->direction, x->now->total, (size_t)x->model->dofs * sizeof(double));
    *start = 0;
    x->factorizations++;
    haw_equilibrium_assemble(x);
    if (haw_system_factor(x->system) != HAW_OK) {
        return false;
    }
    haw_system_solve(x->system, x->direction);
    *start = work(x);
    for (int i = haw_joints_dof(x->model); i < x->model->dofs; i++) {
        *start -= (x->rate > 0 ? 1 + x->rate : 2) * x->direction[i] * x->now->total[i];
    }
    return (*start != 0 || x->model->joints > 0) && isfinite(*start);
}

static haw_status iterate(haw_equilibrium *x)
{
    double start, left;
    x->settled += x->sigma <= least_sigma(x) ? 1 : 0;
    if (!find_direction(x, &start) || !(start >= 0)) { /* none leads downhill */
        raise_sigma(x, 10);
        return HAW_OK;
    }
    x->s = 0;
    const bool is_joined = haw_joints_miss(x->model, x->hold, HAW_JOINT_TOLERANCE) <= 1;
    HAW_TRY(is_joined ? haw_search(move, x, haw_equilibrium_reach(x), start, INFINITY)
                      : move(x, haw_equilibrium_reach(x), &left));
    if (x->s == 1) {
        const double low = SIGMA_RANGE * x->sigma_first;
        x->sigma = x->sigma > low ? fmax(0.1 * x->sigma, low) : least_sigma(x);
    } else if (x->s < 0.1) {
        raise_sigma(x, 4);
    }
    return HAW_OK;
}

/* Below this the residual is rounding. */
static double rounding(const haw_equilibrium *x)
{
    const double noise =
        fmin(haw_forces_noise(x->model, x->q), haw_forces_noise_largest(x->model, x->q));
    return fmin(noise, MOST_NOISE * x->scale);
}

/* True if the residual is below tolerance times the largest force, or rounding. On fine meshes
 * loads may be less than that: they have to have been seen by Newton's method. */
static bool is_balanced(haw_equilibrium *x, double tolerance)
{
    const bool is_seen = x->settled >= SETTLED || tolerance >= SLACK_TOLERANCE;
    x->scale = haw_equilibrium_scale(x);
    return isfinite(x->scale) && haw_joints_miss(x->model, x->hold, HAW_JOINT_TOLERANCE) <= 1 &&
           x->residual <= fmax(tolerance * x->scale, is_seen ? rounding(x) : 0);
}

/* The same of gaps beside points, too, which are measured once all else holds. */
static haw_status settle(haw_equilibrium *x, double tolerance, bool *done)
{
    *done = is_balanced(x, tolerance);
    if (*done && x->compliant != NULL && haw_compliant_refine(x->compliant)) {
        const double sigma = x->sigma;
        bool seen;
        x->sigma = fmin(sigma, least_sigma(x));
        HAW_TRY(haw_equilibrium_foresee(x, true, &seen));
        x->sigma = seen ? x->sigma : sigma;
        HAW_TRY(haw_equilibrium_evaluate(x));
        *done = is_balanced(x, tolerance);
    }
    return HAW_OK;
}

/* Where steps go to and fro between contacts, near to balance: what they will press. From farther
 * away, as from slack that is not taken up, it may be any equilibrium. */
static haw_status look_ahead(haw_equilibrium *x, int now, int *next)
{
    const double sigma = x->sigma;
    bool done;
    if (now < *next || !(x->residual <= HAW_NEARLY * x->scale)) {
        return HAW_OK;
    }
    *next = 5 * now;
    x->sigma = fmin(sigma, least_sigma(x));
    HAW_TRY(haw_equilibrium_foresee(x, false, &done));
    x->sigma = done ? x->sigma : sigma;
    return HAW_OK;
}

haw_status haw_equilibrium_balance(haw_equilibrium *x, double tolerance, bool *done)
{
    const int most = x->iterations + x->settings->max_iterations;
    int next = PATIENCE;
    x->settled = 0;
    HAW_TRY(haw_equilibrium_evaluate(x));
    HAW_TRY(settle(x, tolerance, done));
    for (int k = 0; !*done && x->iterations < most; k++) {
        x->sigma = x->residual <= rounding(x) ? fmin(x->sigma, least_sigma(x)) : x->sigma;
        HAW_TRY(haw_context_goes_on(x->model->context));
        HAW_TRY(look_ahead(x, k, &next));
        HAW_TRY(iterate(x));
        x->iterations++;
        HAW_TRY(settle(x, tolerance, done));
    }
    return HAW_OK;
}

/* ---- loads ---- */

/*
 * Cables with sections that turn. Rotations and positions are moved apart, x <- x + dx,
 * R <- R exp(dtheta): a step that turns a section leaves a tension of second order in the elements
 * beside it, where the update on SE(3) would leave a compression. Newton's method takes full steps:
 * a line search would follow that tension, which the next step removes, and creep. Where it does
 * not converge the loads rise by less; the pseudo-transient steps come last.
 */

/* Newton's method with full steps at the present loads; back where it began if it does not
 * converge. */
static haw_status newton(haw_equilibrium *x, double tolerance, bool *done)
{
    const size_t bytes = (size_t)x->model->coordinates * sizeof(double);
    bool moved = true;
    memcpy(x->kept, x->q, bytes);
    for (int k = 0; k < FREE_STEPS && moved && !*done; k++) {
        double start, left;
        x->iterations++;
        moved = find_direction(x, &start) && (x->model->joints == 0 || start >= 0);
        x->s = 0;
        HAW_TRY(moved ? move(x, haw_equilibrium_reach(x), &left) : HAW_OK);
        moved = moved && isfinite(x->residual);
        HAW_TRY(moved ? settle(x, tolerance, done) : HAW_OK);
    }
    if (*done) {
        return HAW_OK;
    }
    memcpy(x->q, x->kept, bytes);
    return haw_equilibrium_evaluate(x);
}

/* Pseudo-transient steps at a part of the loads. */
static haw_status creep(haw_equilibrium *x, double part, double tolerance, bool *done)
{
    apply_loads(x, part);
    x->sigma = x->sigma_start;
    return haw_equilibrium_balance(x, tolerance, done);
}

/* From one part of the loads to another by whole steps. */
static haw_status rise(haw_equilibrium *x, double to, double tolerance, double slack_tolerance,
                       bool *done)
{
    const double from = x->part, least = SMALLEST_RISE * (to - from);
    double at = from, step = to - from;
    while (at < to) {
        const double next = at + 1.5 * step < to ? at + step : to;
        const double wanted = next < to ? slack_tolerance : tolerance;
        apply_loads(x, next);
        HAW_TRY(haw_equilibrium_evaluate(x));
        x->sigma = SMALLEST_SIGMA * x->sigma_first;
        x->settled = SETTLED;
        HAW_TRY(settle(x, wanted, done));
        HAW_TRY(newton(x, wanted, done));
        at = *done ? next : at;
        step *= *done ? 2 : 0.5;
        if (step < least) {
            return creep(x, to, tolerance, done);
        }
    }
    return HAW_OK;
}

static bool takes_whole_steps(const haw_model *model)
{
    bool whole = model->joints > 0; /* no line search knows what the gaps are worth */
    for (int i = 0; i < model->cables; i++) {
        whole = whole || model->cable[i].ops->turns_first;
    }
    return whole;
}

/*
 * Loads rise geometrically, so that slack is taken up, or where steps are whole evenly from 0.
 * There sigma leaves an error that is small in the residual but, where EA / l is 1e8 times the
 * stiffness of bending, not in the position: the last steps do without. What is singular then stays
 * as it is.
 */
static haw_status climb(haw_equilibrium *x, int load_steps, bool *done)
{
    const double tolerance = x->settings->tolerance, slack = fmax(tolerance, SLACK_TOLERANCE);
    const bool is_whole = takes_whole_steps(x->model);
    apply_loads(x, 0);
    for (int k = 0; k < load_steps; k++) {
        const bool last = k == load_steps - 1;
        const double wanted = last ? tolerance : slack;
        const double exponent = last ? 0 : 1 - (double)k / (load_steps - 1);
        HAW_TRY(is_whole ? rise(x, last ? 1 : (k + 1.0) / load_steps, wanted, slack, done)
                         : creep(x, pow(FIRST_PART, exponent), wanted, done));
    }
    for (int k = 0; k < POLISHES && is_whole && *done; k++) {
        bool converged = false;
        x->sigma = 0;
        HAW_TRY(newton(x, tolerance, &converged));
    }
    return HAW_OK;
}

/* What is missing where there is no equilibrium. */
static const char *advise(const haw_model *model)
{
    for (int i = 0; i < model->pairs; i++) {
        const haw_compliance *compliance = &model->pair[i].compliance;
        if (compliance->tangential != NULL && compliance->tangential->is_drag &&
            compliance->t.mu_static > 0) {
            return "friction in proportion to a velocity is none at rest, and what it alone would "
                   "hold creeps: use tangential: bristle or law: hard, or quasi-static for the "
                   "creep";
        }
    }
    return "hold what nothing keeps in place, or use more load_steps";
}

static haw_status load(haw_statics *statics, haw_equilibrium *x, int load_steps)
{
    bool done = false;
    HAW_TRY(climb(x, load_steps, &done));
    *statics->residual = x->residual / x->scale;
    if (done) {
        return HAW_OK;
    }
    return haw_fail(statics->context, HAW_ERR_UNCONVERGED,
                    "no equilibrium after %d Newton iterations: residual force %.3g N, largest "
                    "force %.3g N (tolerance %g); %s",
                    x->iterations, x->residual, x->scale, x->settings->tolerance,
                    advise(statics->model));
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
    memcpy(state->u + haw_joints_dof(x->model), x->q + haw_joints_coordinate(x->model),
           (size_t)x->model->multipliers * sizeof(double));
    memset(state->q + haw_joints_coordinate(x->model), 0,
           (size_t)x->model->multipliers * sizeof(double));
    memcpy(statics->force, x->now->total, bytes);
    if (x->compliant == NULL) {
        return HAW_OK;
    }
    statics->contacts->count = 0;
    return haw_compliant_commit(x->compliant, state, statics->contacts);
}

/* Friction of ropes is that of their pairs unless the start has its own: without it nothing holds a
 * rope on a sheave. */
static double start_friction(const haw_model *model)
{
    const bool own = haw_model_moves_along(model) && model->start_friction == 0;
    return own ? (double)NAN : model->start_friction;
}

/* Equilibrium from the configuration and the histories of the state, into the state. The mesh of a
 * rope is moved before the bristles are accepted: those that slipped with a mesh that was off the
 * tangent points would keep what the load, brought up at once, does not give them. */
static haw_status run(haw_statics *statics, haw_equilibrium *x, int load_steps)
{
    memcpy(x->q, statics->state->q, (size_t)x->model->coordinates * sizeof(double));
    memcpy(x->q + haw_joints_coordinate(x->model), statics->state->u + haw_joints_dof(x->model),
           (size_t)x->model->multipliers * sizeof(double));
    if (x->compliant != NULL) {
        haw_compliant_friction(x->compliant, start_friction(x->model));
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
    status = status == HAW_OK ? keep(statics, x) : status;
    if (x->compliant != NULL) {
        haw_compliant_friction(x->compliant, (double)NAN);
    }
    *statics->iterations += x->iterations;
    *statics->newton_iterations += x->iterations;
    *statics->factorizations += x->factorizations;
    return status;
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
                         .arena = statics->arena,
                         .now = &now,
                         .t = statics->state->t,
                         .sigma_first = sigma,
                         .sigma_start = sigma};
    const haw_model *model = x.model;
    const int n = model->coordinates > model->dofs ? model->coordinates : model->dofs;
    double **const vector[] = {&x.q, &x.u, &x.direction, &x.kept};
    memcpy(x.gravity, model->gravity, sizeof x.gravity);
    haw_status status =
        haw_vectors_create(statics->arena, n, sizeof vector / sizeof *vector, vector);
    if (status == HAW_OK) {
        status = haw_force_set_create(statics->arena, model->dofs, &now);
    }
    if (status == HAW_OK) {
        x.hold = haw_arena_allocate(statics->arena, (size_t)model->joints, sizeof *x.hold);
        status = haw_arena_status(statics->arena);
    }
    if (status == HAW_OK) {
        status = haw_system_create(statics->context, statics->model, held, NULL, &x.system);
    }
    if (status == HAW_OK) {
        status = run(statics, &x, load_steps > 1 ? load_steps : 1);
        haw_system_free(x.system);
    }
    haw_arena_rewind(statics->arena, &mark);
    return status;
}
