/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generalized-alpha in the form of M. Arnold and O. Bruels (Multibody Syst. Dyn. 18 (2007)
 * 185-202): M vdot = f(t, q, v) holds at the end of the step, and
 *
 *     (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) vdot+ + alpha_f vdot,
 *     q+ = q + h v + h^2 ((1/2 - beta) a + beta a+),   v+ = v + h ((1 - gamma) a + gamma a+),
 *     alpha_m = (2 r - 1) / (r + 1),  alpha_f = r / (r + 1),
 *     gamma = 1/2 + alpha_f - alpha_m,  beta = (gamma + 1/2)^2 / 4,
 *
 * r the spectral radius at infinite frequency. r = 1 is the implicit trapezoidal rule (a = vdot).
 * Prescribed degrees of freedom take v+ = w(t+), and a+ and q+ by the same formulas, which is the
 * index-2 form of a constraint on velocities; M vdot - f there is its multiplier. So do the labels
 * of a rope's mesh, whose velocities are chosen at the start of each step (haw_model_guide): M vdot
 * is then int rho A J' (dv/dt) ds of the material, J' q' included.
 *
 * Set-valued contact has no derivatives: where a model has any, the steps are those of nsga with
 * the same options, whose smooth motion this is, compliant contact included.
 */
#include "stepper/generalized_alpha.h"

#include "stepper/moreau_jean.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RENEWAL = 10 };

const char *const haw_friction_levels[] = {"position-and-velocity", "velocity", NULL};

static const haw_option options[] = {
    HAW_STEPPER_OPTIONS(1e-4),
    {"rho_infinity", HAW_OPTION_REAL, offsetof(haw_alpha_options, rho_infinity), 1, 0, 1, "",
     "spectral radius at infinite frequency; 1: implicit trapezoidal rule, no damping", NULL},
    HAW_ALPHA_NEWTON(25),
    HAW_ALPHA_FRICTION_LEVEL,
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static const double JOINTED_RHO = 0.9; /* a pendulum of h = 1e-3 s gets lost in 10 s with 0.999 */

haw_status haw_alpha_guard(const haw_simulation *simulation)
{
    const haw_alpha_options *o = (const void *)simulation->settings.stepper.options;
    if (simulation->model.joints > 0 && o->rho_infinity > JOINTED_RHO) {
        const haw_link *first = simulation->model.joint;
        const haw_status status =
            haw_fail(simulation->context, HAW_ERR_INPUT,
                     "joints need a rho_infinity of at most %g (got %g), or type: moreau-jean%s%s",
                     JOINTED_RHO, o->rho_infinity, first->is_end ? "; a joint holds " : "",
                     first->is_end ? first->place : "");
        return haw_place(simulation->context, status, "stepper.rho_infinity");
    }
    return HAW_OK;
}

haw_status haw_alpha_prepare(haw_simulation *simulation)
{
    HAW_TRY(haw_alpha_guard(simulation));
    simulation->method = haw_arena_allocate(&simulation->arena, 1, sizeof(haw_alpha_step));
    HAW_TRY(haw_arena_status(&simulation->arena));
    HAW_TRY(haw_implicit_create(simulation, NULL));
    simulation->implicit->noise = haw_forces_noise(&simulation->model, simulation->state->q);
    return HAW_OK;
}

/* ---- Newton's method ---- */

/*
 * Newton's method of generalized-alpha, unknown q+, residual r = M vdot+ - f(t+, q+, v+):
 *
 *     (mass M + rate C + K) dq = -r,   dv = rate dq,   dvdot = mass dq.
 *
 * The matrix is exact where it is assembled, and kept over iterations and steps as long as that is
 * cheaper: an iteration costs one evaluation of the forces, a new matrix four to five more.
 */

enum {
    KEPT_ITERATIONS = 4, /* more with the matrix as it is would cost more than a new one */
    DAMPINGS = 4,
    REFINED = 4, /* iterations with minima of the gap over those without */
    REFINEMENTS = 40
};

static const double GROWTH = 1e3; /* of the residual by contacts that the predictor has not seen */
static const double START_TOLERANCE = 1e-8; /* of the forces that the first accelerations leave */

void haw_alpha_complete(const haw_alpha_step *step, double *x, double *u)
{
    haw_implicit *implicit = step->simulation->implicit;
    const haw_state *state = step->simulation->state;
    const double h = step->h, *vdot = haw_alpha_acceleration(state);
    const double *a = state->a, *plus = implicit->a;
    for (int i = 0; i < state->dofs; i++) {
        if (implicit->system->equation[i] >= 0) {
            u[i] = state->u[i] + (1 - step->gamma) * h * a[i] + step->gamma * h * plus[i];
        }
        x[i] = x[i] + h * state->u[i] + h * h * ((0.5 - step->beta) * a[i] + step->beta * plus[i]);
        implicit->acceleration[i] =
            ((1 - step->alpha_m) * plus[i] + step->alpha_m * a[i] - step->alpha_f * vdot[i]) /
            (1 - step->alpha_f);
    }
}

void haw_alpha_move(const haw_alpha_step *step, double part, double *x, double *u)
{
    const haw_implicit *implicit = step->simulation->implicit;
    const int n = step->simulation->model.dofs;
    const double *dq = implicit->direction;
    haw_axpy(n, part, dq, x);
    haw_axpy(n, part * step->rate, dq, u);
    haw_axpy(n, part / (step->beta * step->h * step->h), dq, implicit->a);
    haw_axpy(n, part * step->mass, dq, implicit->acceleration);
}

/* Newton's method from a+ = 0 where velocities are free. */
static haw_status solve_motion(haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    haw_implicit_rest(step->simulation);
    memcpy(implicit->u, state->u, (size_t)state->dofs * sizeof(double));
    haw_model_prescribe(&simulation->model, step->t, implicit->u);
    haw_model_guide(&simulation->model, state->q, state->u, step->h, implicit->u);
    for (int i = 0; i < state->dofs; i++) {
        const double known = (1 - step->gamma) * step->h * state->a[i];
        const bool is_prescribed = implicit->system->equation[i] < 0;
        implicit->a[i] =
            is_prescribed ? (implicit->u[i] - state->u[i] - known) / (step->gamma * step->h) : 0;
    }
    haw_alpha_complete(step, implicit->x, implicit->u);
    return haw_alpha_newton(step);
}

/* Inertia forces M vdot at a state, none of a quasi-static step. */
static void find_inertia(const haw_alpha_step *step, const double *q, const double *u,
                         const double *vdot, double *y)
{
    const haw_model *model = &step->simulation->model;
    if (step->is_static) {
        memset(y, 0, (size_t)model->dofs * sizeof *y);
        return;
    }
    haw_model_inertia(model, q, u, vdot, y);
}

/*
 * Joints hold at the end of the step and act with the forces there (Arnold and Bruels):
 * r = M vdot - f - G lambda and -g(q) in the rows of the multipliers, which are what the iteration
 * finds for their velocities.
 */
static void add_joints(const haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const haw_model *model = &simulation->model;
    haw_implicit *implicit = simulation->implicit;
    haw_joints_find(model, implicit->q, implicit->hold);
    memset(implicit->joint, 0, (size_t)model->dofs * sizeof(double));
    haw_joints_push(model, implicit->hold, 1, implicit->u + haw_joints_dof(model), implicit->joint);
    haw_model_tie(model, implicit->joint);
    haw_axpy(model->dofs, -1, implicit->joint, implicit->residual);
    haw_joints_gaps(model, implicit->hold, -1, implicit->residual + haw_joints_dof(model));
}

/* r and its norm at the iterate. */
haw_status haw_alpha_evaluate(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    haw_implicit_place(simulation, step->t);
    HAW_TRY(haw_implicit_forces(simulation, step->t, step->part, implicit->q, implicit->u,
                                &implicit->now));
    find_inertia(step, implicit->q, implicit->u, implicit->acceleration, implicit->mass_work);
    for (int i = 0; i < n; i++) {
        implicit->residual[i] = implicit->mass_work[i] - implicit->now.total[i];
    }
    if (simulation->model.joints > 0) {
        add_joints(step);
    }
    step->norm = haw_free_norm(implicit->system, implicit->residual);
    return HAW_OK;
}

/* True if the iterations that are still needed with this contraction cost more than a new matrix.
 */
static bool is_slow(const haw_alpha_step *step, double contraction)
{
    return !(contraction < 1) ||
           log(step->tolerance / step->norm) < KEPT_ITERATIONS * log(contraction);
}

/*
 * A full step, and with an exact matrix parts of it where the residual has grown: against cycles
 * between regimes. A first growth is that of contacts which the predictor has not seen.
 */
static haw_status advance(haw_alpha_step *step, int k, bool is_exact)
{
    const double before = step->norm, limit = (k < 2 ? GROWTH : 1) * before;
    haw_implicit *implicit = step->simulation->implicit;
    double part = 1;
    haw_implicit_direct(implicit, step->learns && !is_exact);
    haw_alpha_move(step, 1, implicit->x, implicit->u);
    HAW_TRY(haw_alpha_evaluate(step));
    for (int i = 0; i < DAMPINGS && is_exact && !(step->norm <= limit); i++) {
        haw_alpha_move(step, -0.5 * part, implicit->x, implicit->u);
        part *= 0.5;
        HAW_TRY(haw_alpha_evaluate(step));
    }
    step->learns = part == 1;
    step->simulation->certificate.newton_iterations++;
    step->simulation->certificate.iterations_total++;
    return HAW_OK;
}

/* Names the first of what is_done asks for that the iterate does not have. */
static haw_status missed(const haw_alpha_step *step, int iterations)
{
    const haw_state *state = step->simulation->state;
    const haw_implicit *implicit = step->simulation->implicit;
    const double gap =
        haw_joints_miss(&step->simulation->model, implicit->hold, HAW_JOINT_TOLERANCE);
    char what[160];
    if (!(step->norm <= step->tolerance)) {
        (void)snprintf(what, sizeof what, "residual force %.3g N > %.3g N", step->norm,
                       step->tolerance);
    } else if (!(gap <= 1)) {
        (void)snprintf(what, sizeof what, "a joint is open by %.3g times what it may be", gap);
    } else if (step->pulled > 0) {
        (void)snprintf(what, sizeof what,
                       "%d contact points that close and open by turns pull instead of press "
                       "(none may)",
                       step->pulled);
    } else {
        (void)snprintf(what, sizeof what, "work of the residual %.3g J > %.3g J", implicit->leak,
                       implicit->leak_most);
    }
    return haw_fail(step->simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: %s after %d Newton iterations: use a smaller step%s%s",
                    state->step + 1, state->t, what, iterations,
                    step->norm <= step->tolerance ? ", a larger stepper.max_newton" : "",
                    haw_implicit_or_halve(step->simulation));
}

static void set_tolerance(haw_alpha_step *step, double reference)
{
    const haw_alpha_options *o = step->options;
    step->reference = reference;
    step->tolerance = fmax(fmax(o->newton_tolerance * reference, o->newton_absolute),
                           step->simulation->implicit->noise);
}

/* The state itself is not finite: no shorter step helps. */
static haw_status check_start(const haw_alpha_step *step)
{
    const haw_state *state = step->simulation->state;
    double sum = 0;
    for (int i = 0; i < state->dofs; i++) {
        sum += state->q[i] + state->u[i];
    }
    return haw_guard_finite(step->simulation, sum);
}

bool haw_alpha_closes(const haw_alpha_step *step)
{
    const double before = step->is_static ? 0 : 0.5 * step->h, part[] = {before, step->h - before};
    return haw_implicit_closes(step->simulation, part, step->simulation->implicit->u);
}

static bool is_done(haw_alpha_step *step)
{
    step->pulled = 0;
    if (!(step->norm <= step->tolerance) ||
        haw_joints_miss(&step->simulation->model, step->simulation->implicit->hold,
                        HAW_JOINT_TOLERANCE) > 1) {
        return false;
    }
    step->pulled = haw_implicit_pulls(step->simulation);
    return step->pulled == 0 && haw_alpha_closes(step);
}

/* With the gaps beside points as they are measured here. */
static haw_status settle(haw_alpha_step *step)
{
    HAW_TRY(step->settle != NULL ? step->settle(step) : HAW_OK);
    return haw_alpha_evaluate(step);
}

haw_status haw_alpha_newton(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    bool renew =
        step->renews || implicit->factor_h != step->h || implicit->factor_rate != step->rate;
    step->renews = step->learns = false;
    implicit->updates = implicit->closings = 0;
    HAW_TRY(haw_alpha_evaluate(step));
    HAW_TRY(isfinite(step->norm) ? HAW_OK : check_start(step));
    set_tolerance(step, fmax(fmin(step->norm, step->most), step->least));
    int passes = step->options->max_newton;
    for (int k = 0; k < passes; k++) {
        const double before = step->norm;
        if (!isfinite(before) || before > 1e8 * fmax(step->reference, step->tolerance)) {
            return missed(step, k);
        }
        const bool done = is_done(step);
        if (done && !haw_implicit_refine(simulation)) {
            return HAW_OK;
        }
        HAW_TRY(done ? settle(step) : HAW_OK);
        if (done) {
            passes = REFINED * step->options->max_newton;
            renew = true;
            continue;
        }
        const haw_status factored = renew ? haw_implicit_factor(simulation, implicit->q,
                                                                implicit->u, step->mass, step->rate)
                                          : HAW_OK;
        if (factored == HAW_ERR_SINGULAR) {
            return missed(step, k);
        }
        HAW_TRY(factored);
        HAW_TRY(advance(step, k, renew));
        if (k == 0 && step->norm > step->reference && isfinite(step->norm)) {
            const double most = step->reference > 0 ? GROWTH * step->reference : HUGE_VAL;
            set_tolerance(step, fmin(step->norm, most)); /* 0: joints alone are out of place */
        }
        renew = step->norm > step->tolerance && is_slow(step, step->norm / before);
    }
    return is_done(step) && !haw_implicit_refine(simulation) ? HAW_OK : missed(step, passes);
}

/* Derivative of the prescribed velocities from the right, by three values. */
static void prescribe_acceleration(haw_alpha_step *step, double *a)
{
    haw_simulation *simulation = step->simulation;
    const haw_model *model = &simulation->model;
    const int n = model->dofs, *equation = simulation->implicit->system->equation;
    const double t = simulation->state->t, d = 0.25 * step->h;
    double *w = simulation->implicit->direction;
    static const double weight[3] = {-1.5, 2, -0.5};
    memset(a, 0, (size_t)n * sizeof *a);
    memset(w, 0, (size_t)n * sizeof *w);
    for (int k = 0; k < 3; k++) {
        haw_model_prescribe(model, t + k * d, w);
        haw_axpy(n, weight[k] / d, w, a);
    }
    for (int i = 0; i < n; i++) {
        a[i] = equation[i] < 0 ? a[i] : 0;
    }
}

/* Rows of the multipliers at the start: -(G' a + d(G')/dt u) / c, the change of G' by a central
 * difference along u over a small part of the reach of the joints. */
static void start_rows(const haw_alpha_step *step, const double *a, double c, double *row)
{
    static const double PART = 1e-5;
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    double *q = simulation->work[0], *rates = implicit->direction;
    double reach = (double)INFINITY;
    haw_joints_find(model, state->q, implicit->hold);
    haw_joints_rates(model, implicit->hold, a, row);
    for (int i = 0; i < model->joints; i++) { /* none of a centre that is pinned to the origin */
        const double own = implicit->hold[i].reach;
        reach = own > 0 ? fmin(reach, own) : reach;
    }
    const double speed = fmax(haw_largest(model->dofs - model->multipliers, state->u), DBL_MIN);
    const double ahead = fmin(PART * reach / speed, step->h);
    for (int side = -1; side <= 1; side += 2) {
        haw_model_move(model, state->q, side * ahead, state->u, q);
        haw_joints_find(model, q, implicit->hold);
        haw_joints_rates(model, implicit->hold, state->u, rates);
        haw_axpy(model->multipliers, side / (2 * ahead), rates, row);
    }
    for (int i = 0; i < model->multipliers; i++) {
        row[i] /= -c;
    }
    haw_joints_find(model, state->q, implicit->hold);
}

/* residual_before = M a - f - G lambda with the forces of the state; what the joints lack with the
 * matrix c M + K. */
static double find_reactions(haw_alpha_step *step, const double *a, double c)
{
    haw_implicit *implicit = step->simulation->implicit;
    const haw_state *state = step->simulation->state;
    const haw_model *model = &step->simulation->model;
    find_inertia(step, state->q, state->u, a, implicit->residual_before);
    haw_axpy(model->dofs, -1, implicit->before.total, implicit->residual_before);
    if (model->joints > 0) {
        start_rows(step, a, c, implicit->residual_before + haw_joints_dof(model));
        memset(implicit->joint_before, 0, (size_t)model->dofs * sizeof(double));
        haw_joints_push(model, implicit->hold, 1, state->u + haw_joints_dof(model),
                        implicit->joint_before);
        haw_model_tie(model, implicit->joint_before);
        haw_axpy(model->dofs, -1, implicit->joint_before, implicit->residual_before);
    }
    return haw_free_norm(implicit->system, implicit->residual_before);
}

/*
 * M a = f by the matrix c M + K with a c so large that it is c M up to rounding, refined with the
 * product M a; the mass alone has no matrix of its own.
 */
static haw_status solve_mass(haw_alpha_step *step, double *a)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    const double c = 1e12 / (step->h * step->h);
    const double first = find_reactions(step, a, c);
    double norm = first, last = (double)INFINITY;
    HAW_TRY(haw_implicit_factor(simulation, state->q, state->u, c, 0));
    for (int k = 0; k < REFINEMENTS && norm > 0 && norm < 0.5 * last; k++) {
        memcpy(implicit->direction, implicit->residual_before,
               (size_t)state->dofs * sizeof(double));
        haw_system_solve(implicit->system, implicit->direction);
        haw_axpy(model->multipliers, -1, implicit->direction + haw_joints_dof(model),
                 state->u + haw_joints_dof(model));
        haw_axpy(state->dofs - model->multipliers, -c, implicit->direction, a);
        last = norm;
        norm = find_reactions(step, a, c);
    }
    implicit->factor_h = (double)NAN;
    if (norm <= fmax(START_TOLERANCE * first, implicit->noise)) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_SINGULAR,
                    "could not solve for the accelerations at t = %g s: %.3g N of %.3g N remain",
                    state->t, norm, first);
}

haw_status haw_alpha_start(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_state *state = simulation->state;
    double *vdot = haw_alpha_acceleration(state);
    HAW_TRY(check_start(step));
    HAW_TRY(haw_implicit_forces(simulation, state->t, 1, state->q, state->u, &implicit->before));
    bool has_accelerations = step->is_static;
    for (int i = 0; i < 2 * state->dofs && !has_accelerations; i++) {
        has_accelerations = state->a[i] != 0;
    }
    if (!has_accelerations) {
        prescribe_acceleration(step, vdot);
        HAW_TRY(solve_mass(step, vdot));
        memcpy(state->a, vdot, (size_t)state->dofs * sizeof *vdot);
    }
    (void)find_reactions(step, vdot, 1);
    implicit->is_current = true;
    return HAW_OK;
}

/* ---- ledger ---- */

/*
 * With the trapezoidal rule (M constant)
 *
 *     dT = dq' M (vdot + vdot+) / 2 = dq' (f + f+) / 2 + dq' (R + R+) / 2,
 *
 * R the reactions of prescribed motions, so each kind of force does the work of its mean:
 *
 *     damping_loss = -dq' mean of damping,   friction_loss, impact_loss the same of tangential and
 *     normal contact,   external_work = dq' mean of loads and reactions,
 *     numerical_loss = -(dq' mean of conservative + dV) - A,
 *     A = dq' M (b - (vdot + vdot+) / 2) - h^2 (beta - gamma / 2) b' M (a+ - a),
 *     b = (1 - gamma) a + gamma a+.
 *
 * A is the kinetic energy that the algorithm itself makes, zero for rho_infinity = 1: from
 * v+ - v = h b and dq = h (v + v+) / 2 + h^2 (beta - gamma / 2) (a+ - a).
 *
 * Sections and bodies that turn in space have the mass of their own frame, and the mass of a rope
 * depends on q. Their inertia forces I = M vdot + int rho A J' (J' q') ds are
 * known at both ends of the step as residual + f, and
 *
 *     A = dT - dq' (I + I+) / 2,
 *
 * which is zero up to the flow of kinetic energy between elements whose velocities differ. Work of
 * its mesh, dq' R of the given labels, is an error of the discretisation: it counts in
 * numerical_loss, not in external_work.
 *
 * Forces of joints do no work but what the algorithm makes: dq' (G lambda + G lambda+) / 2 is added
 * to A.
 *
 * A quasi-static step has I = 0 and no dT. What pulls where it starts out of equilibrium, as in the
 * first step of a run, is lost on the way: A = dq' (M vdot - f) / 2 at the start, over what is
 * free.
 */

/* A, from the accelerations alone. Uses mass_work and work[]. */
static double algorithmic(const haw_alpha_step *step, const double *dq)
{
    haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    const double *a = state->a, *plus = implicit->a, *vdot = haw_alpha_acceleration(state);
    double *b = simulation->work[0], *difference = simulation->work[1];
    const double curvature = step->h * step->h * (step->beta - 0.5 * step->gamma);
    if (step->options->rho_infinity == 1) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        b[i] = (1 - step->gamma) * a[i] + step->gamma * plus[i];
        difference[i] = b[i] - 0.5 * (vdot[i] + implicit->acceleration[i]);
    }
    haw_model_mass(&simulation->model, difference, implicit->mass_work);
    double made = haw_dot(n, dq, implicit->mass_work);
    for (int i = 0; i < n; i++) {
        difference[i] = plus[i] - a[i];
    }
    haw_model_mass(&simulation->model, difference, implicit->mass_work);
    made -= curvature * haw_dot(n, b, implicit->mass_work);
    return made;
}

/* A, where the kinetic energy has changed by this: of quasi-static steps, of ropes, of others. Rows
 * of joints are no forces: what they lack at a start, g'', would do work on the impulses. */
static double find_made(const haw_alpha_step *step, const double *dq, double change)
{
    const haw_implicit *implicit = step->simulation->implicit;
    const double *before = implicit->residual_before, *now = implicit->residual;
    const int n = haw_joints_dof(&step->simulation->model), *equation = implicit->system->equation;
    double work = 0;
    if (step->is_static) {
        for (int i = 0; i < n; i++) {
            work += equation[i] >= 0 ? dq[i] * before[i] : 0;
        }
        return 0.5 * work;
    }
    const haw_model *model = &step->simulation->model;
    if (!haw_model_is_gyroscopic(model) && !haw_model_turns(model)) {
        return algorithmic(step, dq);
    }
    for (int i = 0; i < n; i++) {
        work += dq[i] * (before[i] + implicit->before.total[i] + implicit->joint_before[i]);
        work += dq[i] * (now[i] + implicit->now.total[i] + implicit->joint[i]);
    }
    return change - 0.5 * work;
}

void haw_alpha_find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    static const double mean[2] = {0.5, 0.5};
    const haw_alpha_step *step = simulation->method;
    haw_implicit *implicit = simulation->implicit;
    double *dq = implicit->direction;
    haw_model_difference(&simulation->model, simulation->state->q, end->q, dq);
    for (int i = 0; i < simulation->model.dofs; i++) {
        const bool is_prescribed = implicit->system->equation[i] < 0;
        const double reaction = 0.5 * (implicit->residual_before[i] + implicit->residual[i]);
        simulation->reaction[i] = is_prescribed ? step->h * reaction : 0;
        work->reactions += is_prescribed ? reaction * dq[i] : 0;
    }
    work->of = haw_implicit_work(implicit, mean, 1, dq);
    work->mesh = haw_implicit_mesh_work(implicit, simulation->reaction, dq) / step->h;
    work->made = find_made(step, dq, end->kinetic - simulation->kinetic);
    work->made += 0.5 * haw_dot(simulation->model.dofs, implicit->joint_before, dq);
    work->made += 0.5 * haw_dot(simulation->model.dofs, implicit->joint, dq);
}

/* ---- step ---- */

void haw_alpha_coefficients(haw_alpha_step *step, double rho)
{
    const double h = step->h;
    step->alpha_m = (2 * rho - 1) / (rho + 1);
    step->alpha_f = rho / (rho + 1);
    step->gamma = 0.5 + step->alpha_f - step->alpha_m;
    step->beta = 0.25 * (step->gamma + 0.5) * (step->gamma + 0.5);
    step->mass = (1 - step->alpha_m) / ((1 - step->alpha_f) * step->beta * h * h);
    step->rate = step->gamma / (step->beta * h);
}

/*
 * A matrix that is kept makes a run depend on more than its state, in the last bits. With a new one
 * every few steps a run that goes on from a checkpoint there has the same bits.
 */
haw_alpha_step *haw_alpha_set(haw_simulation *simulation)
{
    haw_alpha_step *step = simulation->method;
    *step = (haw_alpha_step){.simulation = simulation,
                             .options = (const void *)simulation->settings.stepper.options,
                             .h = simulation->h,
                             .lead = 1,
                             .t = simulation->state->t + simulation->h,
                             .part = 1,
                             .most = (double)INFINITY,
                             .renews = simulation->state->step % RENEWAL == 0};
    return step;
}

haw_status haw_alpha_begin(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    if (simulation->compliant != NULL) {
        haw_compliant_begin(simulation->compliant, simulation->state, HAW_DYNAMICS, step->h);
    }
    return simulation->implicit->is_current ? HAW_OK : haw_alpha_start(step);
}

/* Once more with a new matrix: one that is kept from before a contact closed may lead astray. */
static haw_status attempt(haw_alpha_step *step)
{
    const bool was_exact = step->renews;
    const haw_status status = step->attempt(step);
    if (status != HAW_ERR_UNCONVERGED || was_exact) {
        return status;
    }
    HAW_TRY(haw_alpha_begin(step));
    step->renews = true;
    return step->attempt(step);
}

/*
 * Newton's method; with the published switching it is repeated from the start of the step until
 * the states found after it are those that it assumed.
 */
static haw_status solve_switching(haw_alpha_step *step)
{
    const haw_state *state = step->simulation->state;
    haw_compliant *compliant = step->simulation->compliant;
    const bool switches = compliant != NULL && haw_compliant_is_switched(compliant);
    double error = (double)INFINITY;
    for (int k = 0; k < (switches ? step->options->max_switching : 1); k++) {
        HAW_TRY(switches ? step->attempt(step) : attempt(step));
        error = switches ? haw_compliant_switch(compliant) : 0;
        if (error <= step->options->switching_tolerance) {
            return HAW_OK;
        }
    }
    return haw_fail(step->simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: contacts still switch between stick and slip after %d "
                    "solutions (error %.3g N, tolerance %.3g N): use a smaller step%s",
                    state->step + 1, state->t, step->options->max_switching, error,
                    step->options->switching_tolerance, haw_implicit_or_halve(step->simulation));
}

haw_status haw_alpha_solve(haw_simulation *simulation)
{
    haw_alpha_step *step = simulation->method;
    const haw_status status = solve_switching(step);
    simulation->balance = (haw_balance){step->norm, step->reference, step->tolerance};
    return status;
}

haw_status haw_alpha_close(haw_simulation *simulation, haw_step_end *end)
{
    const haw_implicit *implicit = simulation->implicit;
    if (simulation->compliant != NULL) {
        simulation->certificate.held_points += haw_compliant_held(simulation->compliant);
    }
    *end = (haw_step_end){
        .q = implicit->q, .u = implicit->u, .a = implicit->a, .vdot = implicit->acceleration};
    return HAW_OK;
}

/* The forces of the accepted iterate are those from which the next step starts. */
void haw_alpha_turn_over(haw_simulation *simulation)
{
    haw_implicit *implicit = simulation->implicit;
    double *residual = implicit->residual;
    double *joint = implicit->joint;
    haw_implicit_turn_over(implicit);
    implicit->joint = implicit->joint_before;
    implicit->joint_before = joint;
    implicit->residual = implicit->residual_before;
    implicit->residual_before = residual;
}

void haw_alpha_carry(haw_simulation *simulation, haw_pack *pack)
{
    haw_implicit_carry(simulation->implicit, pack);
}

/* The step from the options of the run. */
static haw_status begin(haw_simulation *simulation)
{
    haw_alpha_step *step = haw_alpha_set(simulation);
    step->attempt = solve_motion;
    haw_alpha_coefficients(step, step->options->rho_infinity);
    return haw_alpha_begin(step);
}

/* The theta-method whose spectral radius at infinite frequency is the same: (1 - theta) / theta. */
static void adopt_theta(void *own)
{
    haw_alpha_options alpha;
    haw_jean_options jean;
    memcpy(&alpha, own, sizeof alpha);
    haw_options_init(haw_stepper_moreau_jean.row.options, &jean);
    jean.common = alpha.common;
    jean.theta = 1 / (1 + alpha.rho_infinity);
    jean.newton_tolerance = alpha.newton_tolerance;
    jean.max_newton = alpha.max_newton;
    memcpy(own, &jean, sizeof jean);
}

static const haw_stepper_deputy deputies[] = {
    {&haw_stepper_nsga, NULL}, {&haw_stepper_moreau_jean, adopt_theta}, {NULL, NULL}};

const haw_stepper_ops haw_stepper_generalized_alpha = {
    .row.name = "generalized-alpha",
    .row.summary = "implicit: generalized-alpha with full Newton; rho_infinity 1: trapezoidal rule",
    .row.source = "M. Arnold, O. Bruels, Multibody Syst. Dyn. 18 (2007) 185-202",
    .row.options = options,
    .row.options_size = sizeof(haw_alpha_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_COMPLIANT | HAW_STEPPER_SWITCHING |
             HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS | HAW_STEPPER_JOINTS | HAW_STEPPER_MINIMA |
             HAW_STEPPER_VARIABLE_MASS,
    .order = 2,
    .nonsmooth = deputies,
    .prepare = haw_alpha_prepare,
    .predict = begin,
    .solve = haw_alpha_solve,
    .close = haw_alpha_close,
    .find_work = haw_alpha_find_work,
    .turn_over = haw_alpha_turn_over,
    .carry = haw_alpha_carry,
    .settle = begin,
};
