/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moreau's time-stepping (Moreau 1988; Studer 2009, ch. 4):
 *
 *     q_M = q + a h u,   M^ (u_free - u) = h f(q_M, u) - h alpha M u,
 *     u+  = u_free + M^^-1 H Lambda,   q+ = q + h ((1 - a) u + a u+)
 *
 * theta = 0: a = 1/2, M^ = (1 + alpha h / 2) M, the explicit midpoint. theta >= 1/2: a = theta and
 * M^ gains theta^2 h^2 K(q_M), one linearised implicit solve. Contacts are detected at q_M. Where
 * prescribed end velocities jump by d within the step, M^ d moves to the right-hand side. Given
 * forces, springs, dampers and compliant contact are forces at (t_M, q_M, u), explicit.
 *
 * Where something turns in space both sums are moves by increments, and its velocity in its own
 * frame changes on the way: free motion (haw_model_coast) takes (q, u) to the middle, where the
 * step is one of velocities in the frames of q_M, and what that leaves to the end. Free motion
 * keeps energy and angular momentum of what turns, and forces and impulses act at one
 * configuration: with a = 1/2 the angular momentum of a free system stays to rounding. What is held
 * in some of its turns has the gyroscopic force of the mean of u and u_free in place of the motion,
 * iterated.
 */
#include "solver/solver.h"
#include "stepper/implicit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct moreau_options {
    haw_stepper_common common;
    double theta;
    int gyro_iterations;
} moreau_options;

typedef struct moreau_work {
    haw_force_set extra;
    bool has_extra;   /* the model has forces other than elastic ones and weight */
    double *turns[2]; /* [dofs] of the two below; NULL: nothing turns, and they are u and u+ */
    double *u_minus;  /* [dofs] u at the middle of the step, before its forces */
    double *u_end;    /* [dofs] what u_plus is at its end */
} moreau_work;

static const char *const auto_step[] = {"auto", NULL};

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(moreau_options, common.step), (double)NAN, DBL_MIN, DBL_MAX,
     "s",
     "time step; auto: 0.8 of the critical step of the explicit midpoint, 0.2 with slack cables, "
     "and "
     "no more than hard contact may sink in at the initial speeds of the bodies (depth_limit)",
     auto_step},
    {"end", HAW_OPTION_REAL, offsetof(moreau_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    {"theta", HAW_OPTION_REAL, offsetof(moreau_options, theta), 0, 0, 1, "",
     "0: explicit midpoint; 0.5 to 1: one linearised implicit solve with M + theta^2 h^2 K", NULL},
    {"gyro_iterations", HAW_OPTION_INT, offsetof(moreau_options, gyro_iterations), 3, 0, 100, "",
     "iterations of velocity-dependent inertia forces (elements with a mass that depends on q, "
     "joints, what is held in some of its turns)",
     NULL},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static const moreau_options *get_options(const haw_simulation *simulation)
{
    return (const void *)simulation->settings.stepper.options;
}

/* Fraction of the step at which forces and contacts are evaluated. */
static double mid_fraction(const haw_simulation *simulation)
{
    const double theta = get_options(simulation)->theta;
    return theta > 0 ? theta : 0.5;
}

/* A cable that jumps taut within a step gains or loses up to (h / h_crit)^2 of the energy of the
 * jump, which no linear bound knows. */
static double part_of_critical(const haw_model *model)
{
    double part = 0.8;
    for (int i = 0; i < model->cables; i++) {
        part = model->cable[i].line.slack || model->cable[i].beam.slack ? 0.2 : part;
    }
    return part;
}

/* auto: a part of h_crit, at most what the guard of depth allows, shortened so that the output
 * interval is a whole number of steps. */
static haw_status choose_step(haw_simulation *simulation)
{
    const moreau_options *o = get_options(simulation);
    const double critical = haw_model_undamped_step(&simulation->model);
    if (isnan(simulation->step)) {
        if (isinf(critical)) {
            return haw_fail(simulation->context, HAW_ERR_INPUT,
                            "stepper step: auto needs a cable; give a number");
        }
        const double every = fmin(simulation->settings.every, simulation->end);
        const double stable = haw_model_critical_step(&simulation->model);
        const double step = fmin(part_of_critical(&simulation->model) * stable,
                                 haw_guard_landing(simulation->guard, simulation->state->u));
        simulation->step = every > step ? every / ceil(every / step * (1 - 1e-12)) : step;
    }
    if (o->theta == 0 && simulation->step > critical) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "step %g s is above the critical step %g s of the explicit midpoint: use "
                        "step: auto, fewer elements or theta: 0.55",
                        simulation->step, critical);
    }
    return HAW_OK;
}

/* Forces by kind, NULL where all are elastic or weight. */
static haw_force_set *extra_forces(const haw_simulation *simulation)
{
    moreau_work *work = simulation->method;
    return simulation->is_pushed || work->has_extra ? &work->extra : NULL;
}

static haw_status prepare(haw_simulation *simulation)
{
    const moreau_options *o = get_options(simulation);
    haw_arena *arena = &simulation->arena;
    moreau_work *work = haw_arena_allocate(arena, 1, sizeof *work);
    HAW_TRY(haw_arena_status(arena));
    double **const vector[] = {&work->turns[0], &work->turns[1]};
    HAW_TRY(haw_force_set_create(arena, simulation->model.dofs, &work->extra));
    if (haw_model_turns(&simulation->model)) {
        HAW_TRY(haw_vectors_create(arena, simulation->model.dofs, 2, vector));
    }
    work->has_extra = haw_model_has_extra_forces(&simulation->model);
    simulation->method = work;
    if (o->theta > 0 && o->theta < 0.5) {
        const haw_status status =
            haw_fail(simulation->context, HAW_ERR_INPUT,
                     "theta must be 0 (explicit midpoint) or between 0.5 and 1 (got %g)", o->theta);
        return haw_place(simulation->context, status, "stepper.theta");
    }
    HAW_TRY(
        haw_projection_create(simulation->context, simulation->inertia, &simulation->projection));
    return haw_place(simulation->context, choose_step(simulation), "stepper.step");
}

static bool is_damped(const haw_model *model)
{
    for (int i = 0; i < model->cables; i++) {
        if (model->cable[i].damping_mass > 0) {
            return true;
        }
    }
    return false;
}

/* y += factor alpha M v on every damped cable. */
static void damp(haw_simulation *simulation, double factor, const double *v, double *y)
{
    const haw_model *model = &simulation->model;
    if (!is_damped(model)) {
        return;
    }
    double *momentum = simulation->work[1];
    haw_inertia_mass(simulation->inertia, v, momentum);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        haw_axpy(cable->line.dofs, factor * cable->damping_mass, momentum + cable->first,
                 y + cable->first);
    }
}

static bool moves(const haw_cable *cable, int end)
{
    const haw_body *carrier = cable->guide[end].carrier;
    return cable->end[end].kind == HAW_END_MOTION ||
           (carrier != NULL && carrier->motion == HAW_MOTION_PRESCRIBED);
}

static bool has_moving_end(const haw_model *model)
{
    for (int i = 0; i < model->cables; i++) {
        if (moves(&model->cable[i], 0) || moves(&model->cable[i], 1)) {
            return true;
        }
    }
    return false;
}

/*
 * y = M^ d of the jump d of prescribed end velocities in this step: moved to the right-hand side.
 * Returns false if nothing jumps.
 */
static bool prescribed_jump(haw_simulation *simulation, double *d, double *y)
{
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    const haw_inertia *inertia = simulation->inertia;
    bool jumps = false;
    if (!has_moving_end(model)) {
        return false;
    }
    memset(d, 0, (size_t)model->dofs * sizeof *d);
    haw_model_prescribe(model, state->t + simulation->h, d);
    for (int i = 0; i < inertia->held_count; i++) {
        const int dof = inertia->held[i];
        d[dof] -= state->u[dof];
        jumps = jumps || d[dof] != 0;
    }
    memset(d, 0, haw_body_dofs(model) * (size_t)model->bodies * sizeof *d);
    if (jumps) {
        haw_inertia_mass(simulation->inertia, d, y);
        damp(simulation, 0.5 * simulation->h, d, y);
    }
    return jumps;
}

/* q+ [coordinates] of the velocities u_plus at the middle, which become u_end: the free motion of
 * the rest of the step, and what q_M is ahead of u_plus. */
static void find_end(const haw_simulation *simulation, double *u_plus, double *q)
{
    moreau_work *work = simulation->method;
    const double a = mid_fraction(simulation), h = simulation->h;
    double *way = simulation->work[1];
    work->u_end = work->turns[1] != NULL ? work->turns[1] : u_plus;
    haw_model_coast(&simulation->model, (1 - a) * h, u_plus, way, work->u_end);
    for (int i = 0; a != 0.5 && i < simulation->model.dofs; i++) {
        way[i] += (1 - 2 * a) * h * (work->u_minus[i] - u_plus[i]);
    }
    haw_model_move(&simulation->model, simulation->q_mid, 1, way, q);
    haw_model_place(&simulation->model, simulation->state->t + h, q);
}

/* x + M^^-1 G of the impulses after which G' x = rate, and these as forces behind what they hold.
 */
static void apply_joints(haw_simulation *simulation, const double *rate, double *x)
{
    const haw_model *model = &simulation->model;
    double *force = x + haw_joints_dof(model);
    haw_projection_apply(simulation->projection, rate, x, force);
    for (int i = 0; i < model->multipliers; i++) {
        force[i] /= simulation->h;
    }
}

/* Joints give x the rates along G(q_M) with which they would hold at the end of the step that `u`
 * leads to. @return false: G is the same there */
static bool join(haw_simulation *simulation, double *u, double *x)
{
    haw_projection *projection = simulation->projection;
    const haw_model *model = &simulation->model;
    const moreau_work *work = simulation->method;
    double *rate = simulation->push, *impulse = x + haw_joints_dof(model);
    if (projection == NULL) {
        return false;
    }
    find_end(simulation, u, simulation->u_mean);
    const bool turns = haw_projection_turn(projection, simulation->u_mean, u, work->u_end, rate);
    memset(impulse, 0, (size_t)model->multipliers * sizeof(double));
    apply_joints(simulation, rate, x);
    return turns;
}

/* force = f and the gyroscopic one of the mean of u and u_end. @return whether anything turns */
static bool add_gyroscopic(haw_simulation *simulation, const double *f, const double *u_end,
                           double *force)
{
    const haw_model *model = &simulation->model;
    const moreau_work *work = simulation->method;
    const bool is_turning = haw_model_is_gyroscopic(model) || haw_model_turns(model);
    memcpy(force, f, (size_t)model->dofs * sizeof *force);
    for (int i = 0; i < model->dofs && is_turning; i++) {
        simulation->u_mean[i] = 0.5 * (work->u_minus[i] + u_end[i]);
    }
    if (is_turning) {
        haw_model_gyroscopic(model, simulation->q_mid, simulation->u_mean, force);
    }
    return is_turning;
}

/* u_free = u + M^^-1 (h f - h alpha M u + G lambda), f all forces at q_M, the gyroscopic one and
 * the turn of joints with `u_end` for u+. @return whether one of both depends on `u_end` */
static bool free_velocity(haw_simulation *simulation, const double *f, double *u_end)
{
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    const double *u_minus = ((const moreau_work *)simulation->method)->u_minus;
    const int n = model->dofs;
    double *x = simulation->u_free, *d = simulation->u_mean, *y = simulation->push;
    const bool is_turning = add_gyroscopic(simulation, f, u_end, simulation->force);
    for (int i = 0; i < n; i++) {
        x[i] = simulation->h * simulation->force[i];
    }
    damp(simulation, -simulation->h, u_minus, x);
    if (prescribed_jump(simulation, d, y)) {
        haw_axpy(n, -1, y, x);
        const double theta = get_options(simulation)->theta;
        haw_inertia_stiffness(simulation->inertia, d, y);
        haw_axpy(n, -theta * theta * simulation->h * simulation->h, y, x);
    }
    haw_inertia_solve(simulation->inertia, x);
    haw_axpy(n, 1, u_minus, x);
    haw_model_prescribe(model, state->t + simulation->h, x);
    return join(simulation, u_end, x) || is_turning;
}

/* Whether u_free would change with u_plus for u+; what turns about a principal axis has no
 * gyroscopic force. */
static bool is_moved(haw_simulation *simulation, const double *f)
{
    double *force = simulation->push;
    const size_t bytes = (size_t)simulation->model.dofs * sizeof *force;
    (void)add_gyroscopic(simulation, f, simulation->u_plus, force);
    return simulation->projection != NULL || memcmp(force, simulation->force, bytes) != 0;
}

/* Forces at q_M, by kind where not all are elastic or weight. What damps with the mass is taken
 * out: it acts at the mid velocity, with M^; so are gyroscopic forces, which are iterated. */
static haw_status find_forces(haw_simulation *simulation, const double **f)
{
    const haw_state *state = simulation->state;
    const double *u_minus = ((const moreau_work *)simulation->method)->u_minus;
    haw_force_set *extra = extra_forces(simulation);
    if (extra == NULL) {
        haw_model_force(&simulation->model, simulation->q_mid, simulation->work[0]);
        *f = simulation->work[0];
        return HAW_OK;
    }
    *f = extra->total;
    if (simulation->compliant != NULL) {
        haw_compliant_begin(simulation->compliant, state, HAW_DYNAMICS, simulation->h);
    }
    const double t = state->t + mid_fraction(simulation) * simulation->h;
    HAW_TRY(haw_implicit_forces(simulation, t, 1, simulation->q_mid, u_minus, extra));
    damp(simulation, 1, u_minus, extra->model.damping);
    damp(simulation, 1, u_minus, extra->total);
    haw_axpy(state->dofs, -1, extra->model.gyroscopic, extra->total);
    return HAW_OK;
}

/* At q_M. */
static haw_status update_mass(haw_simulation *simulation)
{
    const bool same = simulation->inertia->is_constant;
    const haw_state *state = simulation->state;
    haw_status status = haw_inertia_update(simulation->inertia, simulation->q_mid);
    if (status == HAW_ERR_SINGULAR) {
        return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                        "the effective mass is not positive definite in step %ld at t = %g s: use "
                        "a smaller step, or %s",
                        state->step + 1, state->t,
                        haw_model_is_gyroscopic(&simulation->model)
                            ? "element: bezier"
                            : "theta: 0, which no cable in compression disturbs");
    }
    if (status == HAW_OK && simulation->projection != NULL) {
        status = haw_projection_update(simulation->projection, simulation->q_mid, same);
    }
    if (status == HAW_ERR_SINGULAR) {
        return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                        "joints hold each other in step %ld at t = %g s: their forces are no "
                        "longer unique",
                        state->step + 1, state->t);
    }
    return status;
}

/* Free motion. */
static haw_status predict(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    if (simulation->inertia->h != simulation->h) {
        HAW_TRY(
            haw_inertia_set(simulation->inertia, simulation->h, get_options(simulation)->theta));
    }
    moreau_work *work = simulation->method;
    const int n = state->dofs;
    const haw_model *model = &simulation->model;
    double *way = simulation->work[1];
    const double ahead = mid_fraction(simulation) * simulation->h;
    const double *f;
    work->u_minus = work->turns[0] != NULL ? work->turns[0] : state->u;
    haw_model_coast(model, ahead, state->u, way, work->u_minus);
    haw_model_move(model, state->q, 1, way, simulation->q_mid);
    haw_model_place(model, state->t + ahead, simulation->q_mid);
    HAW_TRY(update_mass(simulation));
    HAW_TRY(find_forces(simulation, &f));
    bool iterates = free_velocity(simulation, f, work->u_minus);
    for (int k = 0; iterates && k < get_options(simulation)->gyro_iterations; k++) {
        memcpy(simulation->u_plus, simulation->u_free, (size_t)n * sizeof(double));
        iterates = is_moved(simulation, f);
        iterates = iterates && free_velocity(simulation, f, simulation->u_plus);
    }
    return HAW_OK;
}

/* Closed points at q_M of set-valued laws; compliant ones are forces of the free motion already. */
static haw_status detect(haw_simulation *simulation)
{
    const moreau_work *work = simulation->method;
    haw_contacts *contacts = simulation->contacts;
    contacts->count = 0;
    if (!haw_contacts_any(&simulation->model)) {
        return HAW_OK;
    }
    const haw_status found =
        haw_contacts_detect(contacts, simulation->q_mid, work->u_minus, simulation->h);
    contacts->count = found == HAW_OK ? contacts->count : 0;
    if (found != HAW_OK || simulation->compliant == NULL) {
        return found;
    }
    /* they are listed behind these once W is made, in arrays that must not grow then */
    const int compliant = haw_compliant_closed(simulation->compliant);
    return haw_contacts_reserve_rows(contacts, contacts->count + compliant);
}

/* What no solver can do: W_NN = 0 of a contact that closes. @param least  velocity below this [m/s]
 */
static haw_status explain_held(const haw_simulation *simulation, double least)
{
    const haw_problem *problem = &simulation->contacts->problem;
    const int d = problem->dimension, n = simulation->contacts->count;
    double largest = 0;
    for (int i = 0; i < n; i++) {
        const double *block = problem->w.value + (ptrdiff_t)d * d * problem->w.diagonal[i];
        for (int k = 0; k < d; k++) {
            largest = fmax(largest, block[(d + 1) * k]);
        }
    }
    for (int i = 0; i < n; i++) {
        const double own = problem->w.value[(ptrdiff_t)d * d * problem->w.diagonal[i]];
        const bool closes = problem->q[(ptrdiff_t)d * i] < least;
        HAW_TRY(closes ? haw_guard_held(simulation, i, own, largest) : HAW_OK);
    }
    return HAW_OK;
}

/* More closed points on an element than it has freedom for: impulses are not unique, and solvers
 * slow. @return points per element with which they would be, 0: there are not too many
 * @param spacing  the distance of these */
static int points_enough(const haw_simulation *simulation, double *spacing)
{
    const haw_contacts *contacts = simulation->contacts;
    int enough = 0, closed = 0;
    int of = -1, on = -1; /* pair and element of those that are closed */
    for (int i = 0; i < contacts->count; i++) {
        const haw_pair *pair = &simulation->model.pair[contacts->item[i].pair];
        if (pair->cable < 0 || pair->points_per_element < 1) {
            continue;
        }
        const haw_line *line = &simulation->model.cable[pair->cable].line;
        const int most = line->dofs / (contacts->dimension * line->elements);
        const int few = most < 1 ? 1 : most;
        const int element =
            (contacts->item[i].id - pair->first_point) / (pair->feet * pair->points_per_element);
        closed = contacts->item[i].pair == of && element == on ? closed + 1 : 1;
        of = contacts->item[i].pair;
        on = element;
        if (closed > few && (enough == 0 || few < enough)) {
            enough = few;
            *spacing = line->le / few;
        }
    }
    return enough;
}

/* A tolerance that no row met. */
static haw_status explain_miss(const haw_simulation *simulation)
{
    const haw_report *report = &simulation->report;
    const haw_state *state = simulation->state;
    char remedy[128] = ": allow more solver.max_iterations or try another solver.type";
    double spacing = 0;
    const int enough = points_enough(simulation, &spacing);
    if (enough > 0) {
        (void)snprintf(remedy, sizeof remedy,
                       ", more than their elements can follow: contact.points_per_element: %d (or "
                       "a spacing of %.2g m)",
                       enough, spacing);
    }
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s missed its tolerance: residual %.3g > %.3g after %d "
                    "iterations of %s with %d closed points%s",
                    state->step + 1, state->t, report->residual.stop, report->tolerance,
                    report->iterations, simulation->solver.ops->row.name,
                    simulation->contacts->count, remedy);
}

/* Impulses of the step before. */
static void recall(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    const ptrdiff_t d = contacts->dimension;
    for (int i = 0; i < contacts->count; i++) {
        memcpy(contacts->impulse + d * i, simulation->state->impulse + d * contacts->item[i].id,
               (size_t)d * sizeof(double));
    }
}

/* By a row that is a Newton method itself, in the band of the degrees of freedom touched. */
static haw_status solve_region(haw_simulation *simulation, bool *solved)
{
    const haw_solver_settings *solver = &simulation->solver;
    haw_contacts *contacts = simulation->contacts;
    haw_solver_common common;
    *solved = false;
    if (!solver->ops->is_newton || simulation->projection != NULL) {
        return HAW_OK;
    }
    if (simulation->region == NULL) {
        HAW_TRY(haw_region_create(simulation->context, &simulation->model, &simulation->region));
    }
    memcpy(&common, solver->options, sizeof common);
    recall(simulation);
    HAW_TRY(haw_region_solve(simulation->region, contacts, simulation->inertia, common.tolerance,
                             contacts->gamma_plus, &simulation->report));
    *solved = simulation->report.outcome == HAW_CONVERGED;
    return HAW_OK;
}

/* Over W, where the report is of a region that has missed. */
static haw_status solve_directly(haw_simulation *simulation, bool *solved)
{
    const haw_problem *problem = &simulation->contacts->problem;
    haw_solver_settings direct;
    if (simulation->report.iterations == 0 || !haw_lemke_pays(problem)) {
        return HAW_OK;
    }
    HAW_TRY(haw_solver_settings_init(simulation->context, "lemke", &direct));
    memcpy(direct.options, simulation->solver.options, sizeof(haw_solver_common));
    HAW_TRY(haw_solve(problem, &direct, simulation->workspace, simulation->contacts->impulse,
                      simulation->contacts->gamma_plus, &simulation->report));
    *solved = simulation->report.outcome == HAW_CONVERGED;
    return HAW_OK;
}

/* Impulses from those of the step before. */
static haw_status solve(haw_simulation *simulation)
{
    const moreau_work *work = simulation->method;
    haw_contacts *contacts = simulation->contacts;
    haw_report *report = &simulation->report;
    bool solved;
    if (contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(haw_workspace_reserve(simulation->workspace, contacts->capacity));
    haw_contacts_velocity(contacts, work->u_minus, contacts->gamma_minus);
    HAW_TRY(haw_contacts_pose(contacts, simulation->u_free));
    HAW_TRY(solve_region(simulation, &solved));
    if (solved) {
        return HAW_OK;
    }
    recall(simulation);
    HAW_TRY(haw_contacts_delassus(contacts, simulation->inertia, simulation->projection));
    HAW_TRY(solve_directly(simulation, &solved));
    if (solved) {
        return HAW_OK;
    }
    HAW_TRY(haw_step_solve_contacts(simulation, contacts->gamma_plus));
    if (report->outcome == HAW_CONVERGED) {
        return HAW_OK;
    }
    const bool is_finite = report->outcome != HAW_NOT_FINITE;
    HAW_TRY(explain_held(simulation, is_finite ? -report->tolerance * contacts->problem.scale
                                               : (double)INFINITY));
    return is_finite ? explain_miss(simulation) : haw_guard_finite(simulation, (double)NAN);
}

/* u+ and q+, into u_end and work[0], of what u_plus is at the middle. */
static haw_status close_step(haw_simulation *simulation, haw_step_end *end)
{
    const moreau_work *work = simulation->method;
    const haw_model *model = &simulation->model;
    const int n = model->dofs;
    double *u_plus = simulation->u_plus;
    memset(simulation->push, 0, (size_t)n * sizeof(double));
    memcpy(u_plus, simulation->u_free, (size_t)n * sizeof(double));
    if (simulation->contacts->count > 0) {
        haw_contacts_apply(simulation->contacts, simulation->contacts->impulse, simulation->push);
        double *x = simulation->work[0];
        memcpy(x, simulation->push, (size_t)n * sizeof(double));
        haw_inertia_solve(simulation->inertia, x);
        if (simulation->projection != NULL) {
            apply_joints(simulation, NULL, x);
        }
        haw_axpy(n, 1, x, u_plus);
        haw_contacts_velocity(simulation->contacts, u_plus, simulation->contacts->gamma_plus);
    }
    if (simulation->projection != NULL) {
        haw_joints_push(model, simulation->projection->hold, simulation->h,
                        u_plus + haw_joints_dof(model), simulation->push);
    }
    for (int i = 0; i < n; i++) {
        simulation->u_mean[i] = 0.5 * (work->u_minus[i] + u_plus[i]);
    }
    find_end(simulation, u_plus, simulation->work[0]);
    *end = (haw_step_end){.q = simulation->work[0], .u = work->u_end};
    return HAW_OK;
}

/* W, which steps in a window do without. */
static haw_status complete_problem(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    return contacts->problem.w.rows == contacts->count
               ? HAW_OK
               : haw_contacts_delassus(contacts, simulation->inertia, simulation->projection);
}

/* ---- ledger ---- */

/*
 * Energies of a step, with u_mean = (u + u+) / 2:
 *
 *     f_eff          = f - theta^2 h K (u+ - u), the force that the step applied
 *     damping_loss   = h alpha u_mean' M u_mean
 *     numerical_loss = -( dV + h f_eff . u_mean + dT_M )
 *     dT_M           = [T(q+, u+) - T(q_M, u+)] - [T(q, u) - T(q_M, u)]
 *
 * dT_M is the transport of kinetic energy by a mass that depends on q (zero for Cartesian
 * elements). External work is that of the reactions of prescribed degrees of freedom,
 * R = M (u+ - u) + h alpha M u_mean - h f_eff - H Lambda, and of given forces. Where forces are
 * known by kind, each kind works on h u_mean, and numerical_loss has the conservative ones only.
 */

/* force <- f_eff = f - theta^2 h K (u+ - u) */
static void effective_force(haw_simulation *simulation)
{
    const moreau_work *work = simulation->method;
    const double theta = get_options(simulation)->theta;
    const int n = simulation->state->dofs;
    if (theta == 0) {
        return;
    }
    double *jump = simulation->q_mid, *kick = simulation->work[1];
    for (int i = 0; i < n; i++) {
        jump[i] = simulation->u_plus[i] - work->u_minus[i];
    }
    haw_inertia_stiffness(simulation->inertia, jump, kick);
    haw_axpy(n, -theta * theta * simulation->h, kick, simulation->force);
}

/* Impulse of the reaction of a prescribed degree of freedom; returns its work.
 * `inertia` = M (u+ - u) + h alpha M u_mean there. */
static double react(haw_simulation *simulation, int dof, double inertia)
{
    const double impulse = inertia - simulation->h * simulation->force[dof] - simulation->push[dof];
    simulation->reaction[dof] = impulse;
    return impulse * simulation->u_mean[dof];
}

/* Of reactions: of bodies and of moving ends. */
static double external_work(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const haw_inertia *inertia = simulation->inertia;
    const double *u_minus = ((const moreau_work *)simulation->method)->u_minus;
    const int n = model->dofs;
    double work = 0, ends = 0;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < model->kind->dofs; j++) {
            const int dof = body->first + j;
            if (body->held[j]) {
                const double jump = simulation->u_plus[dof] - simulation->state->u[dof];
                work += react(simulation, dof, body->mass[j] * jump);
            }
        }
    }
    if (!has_moving_end(model)) {
        return work;
    }
    double *jump = simulation->q_mid, *momentum = simulation->u_free;
    for (int i = 0; i < n; i++) {
        jump[i] = simulation->u_plus[i] - u_minus[i];
    }
    haw_inertia_mass(inertia, jump, momentum);
    damp(simulation, simulation->h, simulation->u_mean, momentum);
    for (int i = 0; i < inertia->held_count; i++) {
        ends += react(simulation, inertia->held[i], momentum[inertia->held[i]]);
    }
    return work + ends;
}

/* Work of the forces that are known by kind; all zero where all are elastic or weight. */
static haw_works works_by_kind(const haw_simulation *simulation)
{
    const haw_force_set *extra = extra_forces(simulation);
    const int n = simulation->state->dofs;
    const double h = simulation->h, *u = simulation->u_mean;
    haw_works work = {.load = 0};
    if (extra == NULL) {
        return work;
    }
    work.damping = h * haw_dot(n, extra->model.damping, u);
    work.load = h * haw_dot(n, extra->model.load, u);
    if (simulation->compliant != NULL) {
        work.normal = h * haw_dot(n, extra->normal, u);
        work.tangential = h * haw_dot(n, extra->tangential, u);
    }
    return work;
}

/* Kinetic energy carried by the change of M within the step; before q_mid is overwritten. */
static double transport(const haw_simulation *simulation, double kinetic_plus)
{
    const haw_model *model = &simulation->model;
    if (!haw_model_is_gyroscopic(model)) {
        return 0;
    }
    const double plus = haw_model_kinetic(model, simulation->q_mid, simulation->u_plus);
    const double minus = haw_model_kinetic(model, simulation->q_mid, simulation->state->u);
    return (kinetic_plus - plus) - (simulation->kinetic - minus);
}

/* Of the impulses of joints, which no force of the model makes. */
static double joint_work(const haw_simulation *simulation)
{
    const haw_projection *projection = simulation->projection;
    const haw_model *model = &simulation->model;
    if (projection == NULL) {
        return 0;
    }
    haw_joints_rates(model, projection->hold, simulation->u_mean, projection->rate);
    return simulation->h * haw_dot(model->multipliers, projection->rate,
                                   simulation->u_plus + haw_joints_dof(model));
}

static void find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    const int n = simulation->state->dofs;
    const double moved = transport(simulation, end->kinetic);
    effective_force(simulation);
    const double power = haw_dot(n, simulation->force, simulation->u_mean);
    const haw_works kinds = works_by_kind(simulation);
    const double others = kinds.damping + kinds.load + kinds.normal + kinds.tangential;
    work->of = kinds;
    work->of.conservative = simulation->h * power - others;
    work->reactions = external_work(simulation);
    if (is_damped(&simulation->model)) {
        double *momentum = simulation->q_mid;
        memset(momentum, 0, (size_t)n * sizeof *momentum);
        damp(simulation, simulation->h, simulation->u_mean, momentum);
        work->of.damping -= haw_dot(n, momentum, simulation->u_mean);
    }
    work->made = moved + joint_work(simulation);
    haw_step_contact_losses(simulation, &work->friction, &work->impact);
}

const haw_stepper_ops haw_stepper_moreau = {
    .row.name = "moreau",
    .row.summary = "Moreau time-stepping: explicit midpoint, or one linearised implicit solve",
    .row.source =
        "J.-J. Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988)",
    .row.options = options,
    .row.options_size = sizeof(moreau_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED |
             HAW_STEPPER_COMPLIANT | HAW_STEPPER_MIXED | HAW_STEPPER_CLOSED |
             HAW_STEPPER_VARIABLE_MASS | HAW_STEPPER_EXPLICIT | HAW_STEPPER_JOINTS |
             HAW_STEPPER_LINES,
    .order = 2,
    .prepare = prepare,
    .predict = predict,
    .detect = detect,
    .solve = solve,
    .close = close_step,
    .find_work = find_work,
    .complete_problem = complete_problem,
};
