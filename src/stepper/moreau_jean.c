/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moreau-Jean: the implicit theta-method with set-valued contact (M. Jean, Comput. Methods Appl.
 * Mech. Eng. 177 (1999) 235-257; V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical
 * Systems, 2008, ch. 10),
 *
 *     M (u+ - u) = h f(t_theta, q_theta, u_theta) + H Lambda,
 *     q_theta = q + theta h u_theta,   u_theta = (1 - theta) u + theta u+,   q+ = q + h u_theta,
 *
 * solved by Newton's method on u+ with M + theta h C + theta^2 h^2 K and K, C exact. The rows H are
 * those at the middle of the step as the velocity at its start predicts it, so that the contact law
 * is linear in u+: each iteration linearises the mechanics and solves one contact problem, and what
 * remains to be checked is the residual impulse of the mechanics alone. The last problem of a step
 * goes in its global form to the solver of the run and to the referee.
 *
 * Position-corrected normal law (e = 0), for every point that may close in this step:
 *
 *     0 <= Lambda_N  perpendicular to  gamma_N+ + c >= 0,
 *     c = k g~ / h + turn - drift,   g~ = g + (1 - theta) h (gamma_N- - turn - drift),
 *     turn = h kappa v_t^2 / 2,      drift = (2 theta - 1) turn,
 *
 * g the gap at the start of the step, k = 1 for g~ > 0 and 1/5 for g~ < 0: an open point may
 * approach as far as the surface, a point inside is pushed out. With gamma_N+ = -c and
 * g+ = g + h (theta gamma_N+ + (1 - theta) gamma_N-) the pair (g, gamma_N) is a linear recursion
 * with the eigenvalues 0 and 1 - k: gaps close without oscillation, and without the (1 - theta)
 * gamma_N- of g~ they would oscillate. `turn` takes gamma_N from the middle of the step to its end:
 * on a disk of curvature kappa a point that rides along with v_t has gamma_N = turn, then -turn,
 * about the middle, so that the normal impulses on a wrapped cable do no work; `drift` is what the
 * theta-method moves such a point inwards. Where restitution is asked for, points take part once
 * they are closed in the middle of the step, and c = e gamma_N- + k min(0, g) / h + turn (1 - e).
 *
 * This is contact_law: velocity, for planar models; moreau_jean_position.c has the other one, for
 * all models but ropes over sheaves.
 *
 * Of ropes over sheaves M (u+ - u) is h int rho A J' (dv/dt) ds at (q_theta, u_theta) with the
 * accelerations (u+ - u) / h; labels of their meshes are prescribed (haw_model_guide).
 */
#include "stepper/moreau_jean.h"

#include "solver/band_newton.h"
#include "stepper/contact_pass.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const laws[] = {"auto", "velocity", "position", NULL};

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_jean_options, common.step), 1e-3, DBL_MIN, DBL_MAX, "s",
     "time step", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_jean_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    {"theta", HAW_OPTION_REAL, offsetof(haw_jean_options, theta), 0.55, 0.5, 1, "",
     "0.5: no damping of vibrations; 1: implicit Euler", NULL},
    {"newton_tolerance", HAW_OPTION_REAL, offsetof(haw_jean_options, newton_tolerance), 1e-8, 1e-15,
     1e-1, "", "residual impulse over the largest impulse or momentum of the step", NULL},
    {"max_newton", HAW_OPTION_INT, offsetof(haw_jean_options, max_newton), 25, 1, 1000, "",
     "Newton iterations, one contact problem each", NULL},
    {"contact_law", HAW_OPTION_CHOICE, offsetof(haw_jean_options, contact_law), HAW_JEAN_AUTO,
     HAW_JEAN_AUTO, HAW_JEAN_POSITION, "",
     "velocity: rows of the middle of the step, gaps corrected; position: gaps and slip at its "
     "end; "
     "auto: velocity in the plane, position in space",
     laws},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* Workspace of a run with the law on velocities. */
typedef struct velocity_work {
    haw_jean base;
    haw_arena arena; /* arrays of one step; keeps its memory */
    double *u_theta; /* [dofs] */
    haw_global global;
    double *shift;    /* [2 contacts] what the law adds to gamma+ [m/s] */
    double *velocity; /* [2 contacts] of the solver: gamma+ + shift */
    double *unknown;  /* [equations] change of u+ */
    double *weight;   /* [points] trace(W_cc) / 2 of points seen with steps of weight_h, or 0 */
    double weight_h;
} velocity_work;

static velocity_work *get(const haw_jean_step *step)
{
    return step->simulation->method;
}

/* ---- contact points of a step ---- */

/* Part of a penetration that is corrected in one step. */
static const double CORRECTION = 0.2;

/* Smallest radius of curvature of a pair's surface, or of the disk that is its point [m]. */
static double pair_radius(const haw_model *model, const haw_pair *pair)
{
    const double radius = haw_pair_radius(model, pair);
    const double length = pair->cable >= 0 ? model->cable[pair->cable].line.le : pair->proxy_radius;
    return isinf(radius) || pair->cable < 0 ? fmin(radius, length) : radius;
}

/*
 * Points nearer than this at the middle of the step may touch: twice the way of the fastest node
 * and body, and a thousandth of a radius for what starts from rest.
 */
static double margin(const haw_jean_step *step)
{
    const haw_model *model = &step->simulation->model;
    double rest = 0;
    for (int i = 0; i < model->pairs; i++) {
        rest = fmax(rest, 1e-3 * pair_radius(model, &model->pair[i]));
    }
    const double weight = step->h * hypot(model->gravity[0], model->gravity[1]);
    return step->h * (weight + haw_pass_speed(step->simulation)) + rest;
}

/* Velocity of a point along the tangent relative to the centre of the surface body. */
static double orbit_speed(const haw_simulation *simulation, const haw_touch *c)
{
    const double *u = simulation->state->u;
    const bool is_proxy = simulation->model.pair[c->pair].cable < 0;
    const haw_touch_side *point = &c->side[0], *body = &c->side[1];
    double v = body->row[1][0] * u[body->first] + body->row[1][1] * u[body->first + 1];
    for (int a = 0; a < (is_proxy ? 2 : point->count); a++) {
        v += point->row[1][a] * u[haw_side_dof(point, a)];
    }
    return v;
}

static double curvature(const haw_simulation *simulation, const haw_touch *c)
{
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const haw_body *body = &simulation->model.body[pair->body];
    const double offset = pair->cable < 0 ? pair->proxy_radius : 0;
    return body->surface.ops->bend(&body->surface, c->gap + offset);
}

/* What the law adds to gamma+ of a point; false if it takes no part in this step. */
static bool find_shift(const haw_jean_step *step, const haw_touch *c, const double gamma_minus[2],
                       double shift[2])
{
    const haw_simulation *simulation = step->simulation;
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double gap = haw_contacts_gap(simulation->contacts, c, simulation->state->q);
    const double v = orbit_speed(simulation, c);
    const haw_cable *cable = pair->cable >= 0 ? &simulation->model.cable[pair->cable] : NULL;
    const bool is_carried = cable != NULL && cable->ops->moves_along; /* by the mesh */
    const double convection = is_carried ? c->convection : 0;
    const double turn = 0.5 * step->h * (curvature(simulation, c) * v * v + convection);
    const double start[2] = {gamma_minus[0] - turn, gamma_minus[1]};
    pair->law->shift(&pair->options, 2, start, shift);
    shift[0] += turn;
    if (pair->options.restitution > 0) {
        shift[0] += CORRECTION * fmin(0, gap / step->h);
        return c->gap <= 0;
    }
    const double drift = (2 * step->theta - 1) * turn;
    const double ahead = gap / step->h + (1 - step->theta) * (start[0] - drift);
    shift[0] += (ahead < 0 ? CORRECTION : 1) * ahead - drift;
    return true;
}

/* Compress the list to the points that take part. */
static haw_status find_shifts(haw_jean_step *step)
{
    haw_contacts *contacts = step->simulation->contacts;
    velocity_work *jean = get(step);
    const size_t rows = 2 * (size_t)contacts->count;
    jean->shift = haw_arena_allocate(&jean->arena, rows, sizeof(double));
    jean->velocity = haw_arena_allocate(&jean->arena, rows, sizeof(double));
    HAW_TRY(haw_arena_status(&jean->arena));
    haw_contacts_velocity(contacts, step->simulation->state->u, contacts->gamma_minus);
    int kept = 0;
    for (int i = 0; i < contacts->count; i++) {
        const double minus[2] = {contacts->gamma_minus[2 * i], contacts->gamma_minus[2 * i + 1]};
        if (find_shift(step, &contacts->item[i], minus, jean->shift + 2 * kept)) {
            contacts->item[kept] = contacts->item[i];
            memcpy(contacts->gamma_minus + 2 * kept, minus, sizeof minus);
            memcpy(contacts->gamma_free + 2 * kept, minus, sizeof minus);
            kept++;
        }
    }
    contacts->count = kept;
    return HAW_OK;
}

/* ---- the problem ---- */

/* What stays the same in all iterations of the step. */
static haw_status set_problem(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_contacts *contacts = simulation->contacts;
    velocity_work *jean = get(step);
    const size_t equations = (size_t)simulation->implicit->system->equations;
    jean->global = (haw_global){.m = {0}};
    HAW_TRY(
        haw_contact_rows(contacts, simulation->implicit->system, &jean->arena, &jean->global.ht));
    HAW_TRY(haw_csr_create(&jean->arena, 0, (int)equations, 0, true, &jean->global.gt));
    jean->global.f = haw_arena_allocate(&jean->arena, equations, sizeof(double));
    jean->global.w = haw_arena_allocate(&jean->arena, 2 * (size_t)contacts->count, sizeof(double));
    jean->unknown = haw_arena_allocate(&jean->arena, equations, sizeof(double));
    HAW_TRY(haw_arena_status(&jean->arena));
    for (int i = 0; i < contacts->count; i++) {
        const int id = contacts->item[i].id;
        contacts->problem.mu[i] = simulation->model.pair[contacts->item[i].pair].options.friction;
        memcpy(contacts->impulse + 2 * i, simulation->state->impulse + 2 * id, 2 * sizeof(double));
    }
    contacts->problem.dimension = 2;
    contacts->problem.contacts = contacts->count;
    contacts->problem.w = (haw_bsr){.block = 2};
    contacts->problem.q = NULL;
    contacts->problem.global = &jean->global;
    contacts->problem.scale = haw_contacts_speed(contacts, simulation->state->u);
    return HAW_OK;
}

static haw_status detect(haw_simulation *simulation)
{
    haw_jean_step *step = haw_jean_get(simulation);
    haw_contacts *contacts = simulation->contacts;
    const haw_state *state = simulation->state;
    haw_arena_reset(&get(step)->arena);
    contacts->count = 0;
    if (simulation->implicit->system->equations == 0) {
        return HAW_OK;
    }
    for (int i = 0; i < state->dofs; i++) {
        simulation->q_mid[i] = state->q[i] + 0.5 * step->h * state->u[i];
    }
    contacts->margin = margin(step);
    const haw_status found = haw_contacts_detect(contacts, simulation->q_mid, state->u, step->h);
    contacts->margin = 0;
    if (found != HAW_OK) {
        contacts->count = 0;
        return found;
    }
    if (contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(find_shifts(step));
    return contacts->count > 0 ? set_problem(step) : HAW_OK;
}

/* ---- contact problem of a linearised step ---- */

/* Than the tolerance, in the band: the referee's weights are others. */
static const double SHARPER = 0.3;

static void set_velocities(haw_jean_step *step)
{
    const haw_contacts *contacts = step->simulation->contacts;
    haw_contacts_velocity(contacts, step->simulation->u_plus, get(step)->global.w);
    for (int i = 0; i < 2 * contacts->count; i++) {
        get(step)->global.w[i] += get(step)->shift[i];
    }
}

/* Of the matrix in units of mass over its entries. */
static double mass_scale(const haw_jean_step *step)
{
    return step->theta * step->h * step->theta * step->h;
}

static void set_right(const haw_jean_step *step, const double *right)
{
    const haw_system *system = step->simulation->implicit->system;
    for (int i = 0; i < system->equations; i++) {
        get(step)->global.f[i] = right[system->dof[i]];
    }
}

/* Weights of points are kept as long as the step is: only their order of magnitude matters. */
static double *recall_weights(const haw_jean_step *step)
{
    const haw_contacts *contacts = step->simulation->contacts;
    velocity_work *jean = get(step);
    double *weight = haw_arena_allocate(&jean->arena, (size_t)contacts->count, sizeof(double));
    if (jean->weight_h != step->h) {
        memset(jean->weight, 0, (size_t)step->simulation->model.points * sizeof(double));
        jean->weight_h = step->h;
    }
    for (int i = 0; weight != NULL && i < contacts->count; i++) {
        weight[i] = jean->weight[contacts->item[i].id];
    }
    return weight;
}

/* What a solved problem leaves: weights, velocities without contact, v over all dofs. */
static void spread(const haw_jean_step *step, const double *weight, double *v)
{
    haw_simulation *simulation = step->simulation;
    const haw_contacts *contacts = simulation->contacts;
    velocity_work *jean = get(step);
    const int *equation = simulation->implicit->system->equation;
    for (int i = 0; i < contacts->count; i++) {
        jean->weight[contacts->item[i].id] = weight[i];
    }
    haw_axpy(2 * contacts->count, -1, jean->shift, contacts->gamma_free);
    for (int i = 0; i < simulation->model.dofs; i++) {
        v[i] = equation[i] >= 0 ? jean->unknown[equation[i]] : 0;
    }
}

static haw_status solve_band(haw_jean_step *step, const double *right, double *v, bool *met)
{
    haw_simulation *simulation = step->simulation;
    const haw_system *system = simulation->implicit->system;
    const haw_contacts *contacts = simulation->contacts;
    velocity_work *jean = get(step);
    haw_band_result result;
    haw_solver_common common;
    const haw_arena_mark mark = haw_arena_here(&jean->arena);
    double *weight = recall_weights(step);
    if (weight == NULL) {
        return HAW_ERR_NOMEM;
    }
    set_right(step, right);
    memcpy(&common, simulation->settings.solver.options, sizeof common);
    const haw_band_problem problem = {
        .matrix = system->matrix,
        .scale = mass_scale(step),
        .is_factored = true,
        .dimension = 2,
        .contacts = contacts->count,
        .ht = &jean->global.ht,
        .f = jean->global.f,
        .w = jean->global.w,
        .mu = contacts->problem.mu,
        .weight = weight,
        .speed = contacts->problem.scale,
        .tolerance = SHARPER * common.tolerance,
        .free = contacts->gamma_free,
    };
    const haw_status status = haw_band_newton(&problem, &jean->arena, contacts->impulse,
                                              jean->unknown, jean->velocity, &result);
    *met = result.met;
    simulation->report.iterations += result.iterations;
    simulation->certificate.factorizations += result.factorizations;
    if (status == HAW_OK) {
        spread(step, weight, v);
    }
    haw_arena_rewind(&jean->arena, &mark);
    return status;
}

static haw_status solve_contacts(haw_jean_step *step, const double *right)
{
    haw_simulation *simulation = step->simulation;
    haw_contacts *contacts = simulation->contacts;
    const int before = simulation->report.iterations;
    const haw_arena_mark mark = haw_arena_here(&get(step)->arena);
    set_velocities(step);
    set_right(step, right);
    haw_status status = haw_contact_matrix(simulation->implicit->system, mass_scale(step),
                                           &get(step)->arena, &get(step)->global.m);
    if (status == HAW_OK) {
        status = haw_solve(&contacts->problem, &simulation->settings.solver, simulation->workspace,
                           contacts->impulse, get(step)->velocity, &simulation->report);
    }
    haw_arena_rewind(&get(step)->arena, &mark);
    simulation->report.iterations += before;
    return status;
}

/* ---- Newton's method ---- */

/* Start of Newton's method: the velocity stays as it is, prescribed ones are those at the end. */
static void predict_iterate(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    memcpy(simulation->u_plus, state->u, (size_t)n * sizeof(double));
    haw_model_prescribe(&simulation->model, state->t + step->h, simulation->u_plus);
    haw_model_guide(&simulation->model, state->q, state->u, step->h, simulation->u_plus);
    memset(simulation->push, 0, (size_t)n * sizeof(double));
}

/* u_theta and q_theta of the iterate. */
static void place(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    double *u = get(step)->u_theta, *q = simulation->implicit->q;
    const double ahead = step->theta * step->h;
    for (int i = 0; i < state->dofs; i++) {
        u[i] = (1 - step->theta) * state->u[i] + step->theta * simulation->u_plus[i];
        q[i] = state->q[i] + ahead * u[i];
    }
}

/* residual = M (u+ - u) - h f - H Lambda, and what its norm is compared with. */
static haw_status evaluate(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    double *jump = simulation->work[1], *residual = implicit->residual;
    place(step);
    HAW_TRY(haw_implicit_forces(simulation, state->t + step->theta * step->h, 1, implicit->q,
                                get(step)->u_theta, &implicit->now));
    for (int i = 0; i < n; i++) {
        jump[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_implicit_momentum(simulation, get(step)->u_theta, jump);
    for (int i = 0; i < n; i++) {
        residual[i] =
            implicit->mass_work[i] - step->h * implicit->now.total[i] - simulation->push[i];
    }
    step->norm = haw_free_norm(implicit->system, residual);
    return HAW_OK;
}

/* Largest impulse at hand: axial forces, contacts, other forces, the momentum itself. */
static void find_reference(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    double reference = step->h * haw_free_norm(implicit->system, implicit->now.total);
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const double tension = haw_cable_largest_tension(cable, simulation->state->q);
        reference = fmax(reference, step->h * fmax(tension, 1e-9 * cable->line.stiffness));
    }
    memcpy(simulation->work[1], simulation->state->u,
           (size_t)simulation->model.dofs * sizeof(double));
    haw_implicit_momentum(simulation, get(step)->u_theta, simulation->work[1]);
    reference = fmax(reference, haw_free_norm(implicit->system, implicit->mass_work));
    reference = fmax(reference, haw_free_norm(implicit->system, simulation->push));
    step->reference = fmax(reference, DBL_MIN);
}

double haw_jean_tolerance(const haw_jean_step *step)
{
    return fmax(step->tolerance * step->reference, 4 * step->h * step->simulation->implicit->noise);
}

/* right = h f - M (u+ - u): the impulse that is left without contacts. */
static void find_right(const haw_jean_step *step, double *right)
{
    const haw_simulation *simulation = step->simulation;
    for (int i = 0; i < simulation->model.dofs; i++) {
        right[i] = -(simulation->implicit->residual[i] + simulation->push[i]);
    }
}

/* direction = A^-1 (right + H Lambda), A = (theta h)^2 times the factorized matrix. */
static void direct(const haw_jean_step *step, const double *right, double *direction)
{
    const haw_simulation *simulation = step->simulation;
    const double rate = 1 / (step->theta * step->h);
    for (int i = 0; i < simulation->model.dofs; i++) {
        direction[i] = rate * rate * (right[i] + simulation->push[i]);
    }
    haw_system_solve(simulation->implicit->system, direction);
}

/* Contact problem of the linearised step by the solver of the run, then the direction. */
static haw_status solve_judged(haw_jean_step *step, const double *right, double *direction)
{
    HAW_TRY(solve_contacts(step, right));
    haw_pass_push(step->simulation, step->simulation->push);
    HAW_TRY(haw_system_factor(step->simulation->implicit->system));
    direct(step, right, direction);
    return HAW_OK;
}

/* u+ += A^-1 (right + H Lambda) with the impulses of the linearised step. */
static haw_status iterate(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const double rate = 1 / (step->theta * step->h);
    double *direction = implicit->direction, *right = simulation->u_free;
    bool met = true;
    find_right(step, right);
    HAW_TRY(haw_implicit_factor(simulation, implicit->q, get(step)->u_theta, rate * rate, rate));
    if (simulation->contacts->count == 0) {
        direct(step, right, direction);
    } else {
        set_velocities(step);
        HAW_TRY(solve_band(step, right, direction, &met));
        haw_pass_push(step->simulation, step->simulation->push);
    }
    if (!met) {
        HAW_TRY(solve_judged(step, right, direction));
    }
    haw_axpy(simulation->model.dofs, 1, direction, simulation->u_plus);
    simulation->certificate.newton_iterations++;
    return evaluate(step);
}

static bool is_balanced(const haw_jean_step *step)
{
    return step->norm <= haw_jean_tolerance(step);
}

/* The referee's word on the impulses; what the solver of the run makes better is taken over. */
static haw_status judge(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_contacts *contacts = simulation->contacts;
    double *direction = simulation->implicit->direction, *right = simulation->u_free;
    const int before = simulation->report.iterations;
    if (contacts->count == 0) {
        return HAW_OK;
    }
    find_right(step, right);
    HAW_TRY(solve_contacts(step, right));
    if (simulation->report.iterations > before) {
        haw_pass_push(step->simulation, step->simulation->push);
        HAW_TRY(haw_system_factor(simulation->implicit->system));
        direct(step, right, direction);
        haw_axpy(simulation->model.dofs, 1, direction, simulation->u_plus);
        HAW_TRY(evaluate(step));
    }
    return HAW_OK;
}

static haw_status iterate_until_balanced(haw_jean_step *step)
{
    const haw_simulation *simulation = step->simulation;
    HAW_TRY(evaluate(step));
    find_reference(step);
    for (int k = 0; k < step->max_newton; k++) {
        const haw_status status = iterate(step);
        if (status == HAW_ERR_SINGULAR || !isfinite(step->norm)) {
            return haw_jean_missed(step, "Newton iterations", k + 1);
        }
        HAW_TRY(status);
        if (k == 0) {
            find_reference(step);
        }
        HAW_TRY(is_balanced(step) ? judge(step) : HAW_OK);
        if (is_balanced(step)) {
            const bool is_met =
                simulation->contacts->count == 0 || simulation->report.outcome == HAW_CONVERGED;
            return is_met ? HAW_OK : haw_jean_missed(step, "Newton iterations", k + 1);
        }
    }
    return haw_jean_missed(step, "Newton iterations", step->max_newton);
}

static haw_status predict(haw_simulation *simulation)
{
    predict_iterate(haw_jean_begin(simulation));
    return HAW_OK;
}

static haw_status solve(haw_simulation *simulation)
{
    haw_jean_step *step = haw_jean_get(simulation);
    const haw_status status = iterate_until_balanced(step);
    haw_jean_end(step);
    return status;
}

/* q+, the points there and their velocities. */
static haw_status close_step(haw_simulation *simulation, haw_step_end *end)
{
    const haw_jean_step *step = haw_jean_get(simulation);
    const haw_state *state = simulation->state;
    haw_contacts *contacts = simulation->contacts;
    double *q = simulation->work[0], *u = simulation->u_plus;
    for (int i = 0; i < state->dofs; i++) {
        q[i] = state->q[i] + step->h * ((1 - step->theta) * state->u[i] + step->theta * u[i]);
    }
    haw_contacts_velocity(contacts, u, contacts->gamma_plus);
    for (int i = 0; i < contacts->count; i++) {
        contacts->item[i].gap = haw_contacts_gap(contacts, &contacts->item[i], q);
    }
    *end = (haw_step_end){.q = q, .u = u};
    return HAW_OK;
}

/* ---- ledger ---- */

/*
 * With u_mean = (u + u+) / 2 and a constant mass
 *
 *     dT = u_mean' M (u+ - u) = u_mean' (h f + H Lambda + R),
 *
 * f at q_theta, R the impulses of prescribed motions: every kind of force does the work that it
 * does on u_mean, and
 *
 *     numerical_loss = -(h f_conservative . u_mean + dV),
 *
 * which holds the damping of theta > 1/2, h (theta - 1/2) f . (u+ - u), and the curvature of V. Of
 * ropes, whose mass depends on q, the inertia impulses I = residual + h f + H Lambda are known, and
 * numerical_loss has besides
 *
 *     u_mean' I - dT - (work of the labels' R on u_mean):
 *
 * what the kinetic energy has grown by less, and the work of the mesh, which is no external one.
 */

/* Of ropes: what the kinetic energy has grown by more than the inertia impulses took. */
static double transported(const haw_jean_step *step, double change)
{
    const haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    double work = 0;
    for (int i = 0; i < simulation->model.dofs; i++) {
        work += simulation->u_mean[i] *
                (implicit->residual[i] + simulation->push[i] + step->h * implicit->now.total[i]);
    }
    return change - work;
}

static void find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    static const double part[2] = {0, 1};
    const haw_jean_step *step = haw_jean_get(simulation);
    const haw_implicit *implicit = simulation->implicit;
    haw_jean_mean(simulation);
    haw_step_contact_losses(simulation, &work->friction, &work->impact);
    work->of = haw_implicit_work(implicit, part, step->h, simulation->u_mean);
    work->reactions = haw_jean_react(simulation);
    work->mesh = haw_implicit_mesh_work(implicit, simulation->reaction, simulation->u_mean);
    if (haw_model_moves_along(&simulation->model)) {
        work->made = transported(step, end->kinetic - simulation->kinetic);
    }
}

/* ---- workspace ---- */

static haw_status prepare_velocity(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    haw_arena *arena = &simulation->arena;
    velocity_work *jean = haw_arena_allocate(arena, 1, sizeof *jean);
    simulation->method = jean;
    HAW_TRY(haw_arena_status(arena));
    haw_arena_init(&jean->arena, simulation->context);
    jean->u_theta = haw_arena_allocate(arena, (size_t)model->dofs + 1, sizeof(double));
    jean->weight = haw_arena_allocate(arena, (size_t)model->points + 1, sizeof(double));
    return haw_arena_status(arena);
}

static void release_velocity(haw_simulation *simulation)
{
    velocity_work *jean = simulation->method;
    haw_arena_fini(&jean->arena);
}

const haw_stepper_ops haw_jean_velocity = {
    .row.name = "moreau-jean (contact_law: velocity)",
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SET_VALUED | HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS,
    .prepare = prepare_velocity,
    .release = release_velocity,
    .predict = predict,
    .detect = detect,
    .solve = solve,
    .close = close_step,
    .find_work = find_work,
};

/* ---- what both contact laws share ---- */

static const haw_jean_options *get_options(const haw_simulation *simulation)
{
    return (const void *)simulation->settings.stepper.options;
}

haw_jean_step *haw_jean_get(const haw_simulation *simulation)
{
    haw_jean *jean = simulation->method;
    return &jean->step;
}

haw_jean_step *haw_jean_begin(haw_simulation *simulation)
{
    const haw_jean_options *o = get_options(simulation);
    haw_jean_step *step = haw_jean_get(simulation);
    *step = (haw_jean_step){.simulation = simulation,
                            .h = simulation->h,
                            .theta = o->theta,
                            .tolerance = o->newton_tolerance,
                            .max_newton = o->max_newton};
    simulation->implicit->noise = haw_forces_noise(&simulation->model, simulation->state->q);
    return step;
}

haw_status haw_jean_missed(const haw_jean_step *step, const char *passes, int count)
{
    const haw_simulation *simulation = step->simulation;
    const haw_report *report = &simulation->report;
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s missed its tolerance after %d %s: residual impulse %.3g "
                    "N s (tolerance %.3g), residual of %d contacts %.3g (tolerance %.3g): use a "
                    "smaller step or on_unconverged: halve",
                    simulation->state->step + 1, simulation->state->t, count, passes, step->norm,
                    haw_jean_tolerance(step), simulation->contacts->count, report->residual.stop,
                    report->tolerance);
}

void haw_jean_end(const haw_jean_step *step)
{
    step->simulation->balance =
        (haw_balance){step->norm, step->reference, haw_jean_tolerance(step)};
}

void haw_jean_find_reference(haw_jean_step *step, const haw_forces *force)
{
    haw_simulation *simulation = step->simulation;
    double *momentum = simulation->implicit->mass_work;
    const int n = simulation->model.dofs;
    haw_model_mass(&simulation->model, simulation->state->u, momentum);
    double square = step->h * step->h *
                    fmax(haw_dot(n, force->conservative, force->conservative),
                         haw_dot(n, force->load, force->load));
    square = fmax(square, haw_dot(n, momentum, momentum));
    square = fmax(square, haw_dot(n, simulation->push, simulation->push));
    step->reference = fmax(sqrt(square), DBL_MIN);
}

void haw_jean_mean(haw_simulation *simulation)
{
    for (int i = 0; i < simulation->model.dofs; i++) {
        simulation->u_mean[i] = 0.5 * (simulation->state->u[i] + simulation->u_plus[i]);
    }
}

double haw_jean_react(haw_simulation *simulation)
{
    const haw_implicit *implicit = simulation->implicit;
    double work = 0;
    for (int i = 0; i < simulation->model.dofs; i++) {
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] = is_prescribed ? implicit->residual[i] : 0;
        work += simulation->reaction[i] * simulation->u_mean[i];
    }
    return work;
}

/* ---- the row of the table ---- */

/* Of contact_law: auto, by dimensions. */
static const int presets[] = {[2] = HAW_JEAN_VELOCITY, [3] = HAW_JEAN_POSITION};

static haw_status prepare(haw_simulation *simulation)
{
    const haw_jean_options *o = get_options(simulation);
    simulation->step = o->common.step;
    simulation->end = o->common.end;
    if (simulation->implicit == NULL) {
        HAW_TRY(haw_implicit_create(simulation, &simulation->implicit));
    }
    const int law =
        o->contact_law == HAW_JEAN_AUTO ? presets[simulation->model.dimension] : o->contact_law;
    simulation->ops = law == HAW_JEAN_VELOCITY ? &haw_jean_velocity : &haw_jean_position;
    HAW_TRY(haw_guard_model(simulation));
    return simulation->ops->prepare(simulation);
}

const haw_stepper_ops haw_stepper_moreau_jean = {
    .row.name = "moreau-jean",
    .row.summary = "implicit theta-method with set-valued contact, full Newton, gaps corrected",
    .row.source = "M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257; V. Acary, B. "
                  "Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), ch. 10",
    .row.options = options,
    .row.options_size = sizeof(haw_jean_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED | HAW_STEPPER_CLOSED |
             HAW_STEPPER_LABELS,
    .order = 1,
    .prepare = prepare,
};
