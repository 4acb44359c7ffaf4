/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moreau-Jean with laws on positions: the implicit theta-method of moreau_jean.c on the manifold of
 * configurations, in the plane and in space, with everything at the end of the step,
 *
 *     M (u+ - u) = h ((1 - theta) F(t, q, u) + theta F(t+, q+, u+)) + H(q+) P,
 *     q+ = q exp(h ((1 - theta) u + theta u+)),
 *
 * positions added, orientations multiplied; F holds elastic, damping, gyroscopic and given forces.
 * In space prescribed coordinates are those at t + h exactly.
 *
 * Contact laws (contact_pass.h) hold at the end of the step for positions, not velocities: what is
 * closed has gap 0 to the solver's tolerance, and what sticks has not moved on the turning surface.
 * Newton's method on u+ with M + theta h C + (theta h)^2 K and K, C exact solves one contact
 * problem per pass. Left out, the tangent of the exponential would cost passes: where a section
 * turns about one axis while it is soft about another, half the angle of the step times the stiff
 * shear competes with the torsion. An iterate is accepted when its own residual impulse and the
 * referee's word on its own gaps and ways meet the tolerances: no linearisation is left in either.
 */
#include "model/system.h"
#include "stepper/contact_pass.h"
#include "stepper/moreau_jean.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Workspace of a run. */
typedef struct position_work {
    haw_jean base;
    haw_pass pass;
    double *q_plus;    /* [coordinates] of the iterate */
    double *increment; /* [dofs] that moves q to it */
    double *middle;    /* [coordinates] q + h u / 2: where restitution looks for closed points */
    double *shift;     /* [3 contacts] velocities of the contact problem at the iterate */
    double margin;     /* of the detection in this step [m] */
    int lost;          /* passes in a row whose contact problem missed its tolerance */
    double t_before;   /* time of implicit->before */
} position_work;

enum {
    CUTS = 4,
    LOST = 3 /* contact problems in a row that a step to be halved is given up at */
};

static const double GROWTH = 300;

/* Part of a penetration that the velocity level corrects in one step. */
static const double CORRECTION = 0.2;

/* Gap of a closed point, over the margin of the detection: what the solver's tolerance leaves. */
static const double CLOSED = 1e-6;

static position_work *get(const haw_jean_step *step)
{
    return step->simulation->method;
}

/* ---- contact laws at the end of the step ---- */

/*
 * Newton's law for points that are closed in the middle of the step as the velocity at its start
 * predicts it: u = gamma+ + e gamma-, or what pushes a penetration out if that is more. Others are
 * left alone as far as the velocity at the start may take them.
 */
static void rebound(const haw_jean_step *step, const haw_touch *c,
                    const double minus[HAW_DIRECTIONS], const double plus[HAW_DIRECTIONS],
                    double shift[HAW_DIRECTIONS])
{
    const haw_simulation *simulation = step->simulation;
    const int d = simulation->contacts->dimension;
    const position_work *jean = simulation->method;
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double middle = haw_contacts_gap(simulation->contacts, c, jean->middle);
    const double gap = haw_contacts_gap(simulation->contacts, c, simulation->state->q);
    pair->law->shift(&pair->options, d, minus, shift);
    for (int k = 0; k < d; k++) {
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
static bool is_landing(const haw_simulation *simulation, const haw_touch *c)
{
    const position_work *jean = simulation->method;
    const haw_state *state = simulation->state;
    const ptrdiff_t d = state->dimension;
    return state->impulse[d * c->id] == 0 &&
           haw_contacts_gap(simulation->contacts, c, state->q) > CLOSED * jean->margin;
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
static void land(const haw_jean_step *step, const haw_touch *c, const double plus[HAW_DIRECTIONS],
                 double shift[HAW_DIRECTIONS])
{
    const int d = step->simulation->contacts->dimension;
    const double ahead = c->gap / step->h + (1 - step->theta) * plus[0];
    shift[0] = fmin(c->gap / (step->theta * step->h), ahead);
    for (int k = 1; k < d; k++) {
        shift[k] = plus[k];
    }
}

static void find_shifts(const haw_jean_step *step)
{
    const haw_simulation *simulation = step->simulation;
    haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    const position_work *jean = simulation->method;
    haw_contacts_velocity(contacts, simulation->state->u, contacts->gamma_minus);
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        const double *minus = contacts->gamma_minus + d * i, *plus = contacts->gamma_plus + d * i;
        double *shift = jean->shift + d * i;
        if (simulation->model.pair[c->pair].options.restitution > 0) {
            rebound(step, c, minus, plus, shift);
        } else if (is_landing(simulation, c)) {
            land(step, c, plus, shift);
        } else {
            for (int k = 0; k < d; k++) {
                shift[k] = jean->pass.way[d * i + k] / (step->theta * step->h);
            }
        }
    }
}

static haw_status detect(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    position_work *jean = simulation->method;
    HAW_TRY(haw_pass_detect(&jean->pass, simulation->state->q, jean->q_plus, jean->margin));
    const size_t rows = (size_t)jean->pass.d * (size_t)simulation->contacts->count;
    jean->shift = haw_arena_allocate(&jean->pass.arena, rows, sizeof(double));
    if (jean->shift == NULL) {
        simulation->contacts->count = 0;
        return HAW_ERR_NOMEM;
    }
    find_shifts(step);
    return HAW_OK;
}

/* ---- iterate ---- */

static void place(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    position_work *jean = get(step);
    for (int i = 0; i < state->dofs; i++) {
        jean->increment[i] =
            step->h * ((1 - step->theta) * state->u[i] + step->theta * simulation->u_plus[i]);
    }
    haw_model_move(&simulation->model, state->q, jean->increment, jean->q_plus);
    haw_model_place(&simulation->model, state->t + step->h, jean->q_plus);
}

/* Forces at the start: those where the last step ended, unless the state was replaced. */
static haw_status start_forces(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    position_work *jean = get(step);
    if (implicit->is_current && jean->t_before == state->t) {
        return HAW_OK;
    }
    jean->t_before = state->t;
    implicit->is_current = true;
    return haw_implicit_forces(simulation, state->t, 1, state->q, state->u, &implicit->before);
}

/* Newton's method starts from the velocities that the last step leads on to. */
static void predict_iterate(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    position_work *jean = get(step);
    for (int i = 0; i < state->dofs; i++) {
        simulation->u_plus[i] = state->u[i] + step->h * state->a[i];
        jean->increment[i] = 0.5 * step->h * state->u[i];
    }
    haw_model_move(&simulation->model, state->q, jean->increment, jean->middle);
    haw_model_prescribe(&simulation->model, state->t + step->h, simulation->u_plus);
    jean->margin = haw_pass_margin(simulation);
    place(step);
}

/* residual = M (u+ - u) - h F - H P with the forces and the contacts at the iterate. */
static haw_status evaluate(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const double *before = implicit->before.total, *now = implicit->now.total;
    const double part[2] = {step->h * (1 - step->theta), step->h * step->theta};
    double *jump = simulation->work[1];
    HAW_TRY(haw_implicit_forces(simulation, state->t + step->h, 1, get(step)->q_plus,
                                simulation->u_plus, &implicit->now));
    HAW_TRY(detect(step));
    haw_pass_push(simulation, simulation->push);
    for (int i = 0; i < state->dofs; i++) {
        jump[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_model_mass(&simulation->model, jump, implicit->mass_work);
    for (int i = 0; i < state->dofs; i++) {
        implicit->residual[i] =
            implicit->mass_work[i] - part[0] * before[i] - part[1] * now[i] - simulation->push[i];
    }
    step->norm = haw_free_norm(implicit->system, implicit->residual);
    return HAW_OK;
}

/* ---- passes ---- */

/* The matrix over (theta h)^2 at the iterate. */
static void assemble(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const double rate = 1 / (step->theta * step->h);
    haw_system_clear(simulation->implicit->system);
    haw_system_add_model(simulation->implicit->system, get(step)->q_plus, simulation->u_plus,
                         rate * rate, rate);
    haw_contacts_tangent(simulation->contacts, rate, simulation->implicit->system);
}

/* Where a full Newton step leads astray: the residual impulse grows by GROWTH and beyond every
 * impulse at hand, or an element turns so far that its strains lose their meaning. */
static bool is_astray(const haw_jean_step *step, double limit)
{
    const haw_simulation *simulation = step->simulation;
    return !(step->norm <= limit) ||
           haw_model_guard(&simulation->model, 0, get(step)->q_plus) != HAW_OK;
}

/* u+ += direction, and impulses with it; half of that, at most CUTS times, as long as it leads
 * astray. */
static haw_status advance(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const int dofs = simulation->model.dofs;
    const double limit = fmax(GROWTH * step->norm, step->reference);
    double part = 1;
    haw_axpy(dofs, 1, simulation->implicit->direction, simulation->u_plus);
    place(step);
    HAW_TRY(evaluate(step));
    for (int cut = 0; cut < CUTS && is_astray(step, limit); cut++) {
        part *= 0.5;
        haw_axpy(dofs, -part, simulation->implicit->direction, simulation->u_plus);
        haw_pass_halve(&get(step)->pass);
        place(step);
        HAW_TRY(evaluate(step));
    }
    return HAW_OK;
}

/* One linearised step: u+ += A^-1 (h F - M (u+ - u) + H P). */
static haw_status iterate(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    position_work *jean = get(step);
    const haw_model *model = &simulation->model;
    const double lever = step->theta * step->h;
    double *right = simulation->u_free;
    for (int i = 0; i < model->dofs; i++) {
        right[i] = -(implicit->residual[i] + simulation->push[i]);
    }
    assemble(step);
    HAW_TRY(haw_pass_solve(&jean->pass, lever * lever, right, jean->shift, implicit->direction));
    jean->lost = simulation->report.outcome == HAW_CONVERGED ? 0 : jean->lost + 1;
    haw_pass_rates(simulation, jean->increment, implicit->direction);
    simulation->certificate.newton_iterations++;
    return advance(step);
}

/* The iterate balances, and its own gaps and ways obey the laws. */
static bool is_solved(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_report *report = &simulation->report;
    position_work *jean = get(step);
    report->tolerance = haw_pass_tolerance(simulation);
    report->residual = haw_pass_measure(&jean->pass, jean->shift);
    const bool met = report->residual.stop <= report->tolerance;
    jean->pass.holds = met;
    report->outcome = met ? HAW_CONVERGED : HAW_ITERATION_LIMIT;
    return met && step->norm <= haw_jean_tolerance(step);
}

/* Where shorter steps are to be tried, one whose contact problems are not solved takes no more of
 * them: the general solvers take their time before they give up. */
static bool is_hopeless(const haw_jean_step *step)
{
    const bool halves = step->simulation->settings.on_unconverged == HAW_UNCONVERGED_HALVE;
    return !isfinite(step->norm) || (halves && get(step)->lost >= LOST);
}

static haw_status pass_until_solved(haw_jean_step *step)
{
    HAW_TRY(evaluate(step));
    haw_jean_find_reference(step, &step->simulation->implicit->now.model);
    for (int k = 0; k < step->max_newton; k++) {
        const haw_status status = iterate(step);
        if (status == HAW_ERR_SINGULAR || is_hopeless(step)) {
            return haw_jean_missed(step, "Newton passes", k + 1);
        }
        HAW_TRY(status);
        haw_jean_find_reference(step, &step->simulation->implicit->now.model);
        if (is_solved(step)) {
            return HAW_OK;
        }
    }
    return haw_jean_missed(step, "Newton passes", step->max_newton);
}

static haw_status predict(haw_simulation *simulation)
{
    haw_jean_step *step = haw_jean_begin(simulation);
    haw_pass_begin(&get(step)->pass);
    get(step)->lost = 0;
    HAW_TRY(start_forces(step));
    predict_iterate(step);
    return HAW_OK;
}

static haw_status solve(haw_simulation *simulation)
{
    haw_jean_step *step = haw_jean_get(simulation);
    const haw_status status = pass_until_solved(step);
    haw_jean_end(step);
    return status;
}

static haw_status close_step(haw_simulation *simulation, haw_step_end *end)
{
    const haw_jean_step *step = haw_jean_get(simulation);
    double *a = simulation->implicit->a;
    for (int i = 0; i < simulation->model.dofs; i++) {
        a[i] = (simulation->u_plus[i] - simulation->state->u[i]) / step->h;
    }
    *end = (haw_step_end){.q = get(step)->q_plus, .u = simulation->u_plus, .a = a};
    return HAW_OK;
}

/* ---- ledger ---- */

/*
 * With u_mean = (u + u+) / 2 and a constant mass
 *
 *     dT = u_mean' M (u+ - u) = u_mean' (h F + H P + R),   F = (1 - theta) F_n + theta F+,
 *
 * R the impulses of prescribed motions: every kind of force does the work that it does on u_mean,
 * contacts with the rows at the end of the step, and
 *
 *     numerical_loss = -(h (F_conservative + F_gyroscopic) . u_mean + dV),
 *
 * which holds the damping of theta > 1/2, the curvature of V, and the gyroscopic forces' work on
 * the mean of two velocities (none on either of them). Where a surface turns by omega h in a step,
 * the normal at its end leans by half of that against the chord of the step: impact_loss then holds
 * -omega h / 2 per unit of normal impulse and speed, which goes to zero with the step.
 */

static void find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    const haw_jean_step *step = haw_jean_get(simulation);
    const double part[2] = {1 - step->theta, step->theta};
    (void)end;
    haw_jean_mean(simulation);
    haw_step_contact_losses(simulation, &work->friction, &work->impact);
    work->of = haw_implicit_work(simulation->implicit, part, step->h, simulation->u_mean);
    work->reactions = haw_jean_react(simulation);
}

/* The forces of the end are those of the next start. */
static void turn_over(haw_simulation *simulation)
{
    haw_jean_step *step = haw_jean_get(simulation);
    haw_implicit_turn_over(simulation->implicit);
    simulation->implicit->is_current = true;
    get(step)->t_before = simulation->state->t + step->h;
}

/* ---- the problem of the end, for readers ---- */

/*
 * The problem that the last pass would solve next: with v = du and the impulses of the iterate,
 *
 *     A v = right + H P,   u = H^T v + shift,
 *
 * linearised where the step ended, so that v = 0 and the accepted impulses solve it to the
 * tolerances of the step.
 */
static haw_status complete_problem(haw_simulation *simulation)
{
    haw_jean_step *step = haw_jean_get(simulation);
    const double lever = step->theta * step->h;
    const haw_implicit *implicit = simulation->implicit;
    if (get(step)->pass.global.m.rows > 0) {
        return HAW_OK;
    }
    for (int i = 0; i < simulation->model.dofs; i++) {
        simulation->u_free[i] = -(implicit->residual[i] + simulation->push[i]);
    }
    assemble(step);
    return haw_pass_problem(&get(step)->pass, lever * lever, simulation->u_free, get(step)->shift);
}

/* ---- creation ---- */

static haw_status prepare(haw_simulation *simulation)
{
    const size_t dofs = (size_t)simulation->model.dofs + 1;
    const size_t coordinates = (size_t)simulation->model.coordinates + 1;
    haw_arena *arena = &simulation->arena;
    position_work *jean = haw_arena_allocate(arena, 1, sizeof *jean);
    simulation->method = jean;
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(haw_pass_create(simulation, &jean->pass));
    jean->q_plus = haw_arena_allocate(arena, coordinates, sizeof(double));
    jean->middle = haw_arena_allocate(arena, coordinates, sizeof(double));
    jean->increment = haw_arena_allocate(arena, dofs, sizeof(double));
    return haw_arena_status(arena);
}

static void release(haw_simulation *simulation)
{
    position_work *jean = simulation->method;
    haw_arena_fini(&jean->pass.arena);
}

const haw_stepper_ops haw_jean_position = {
    .row.name = "moreau-jean (contact_law: position)",
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED | HAW_STEPPER_CLOSED,
    .prepare = prepare,
    .release = release,
    .predict = predict,
    .solve = solve,
    .close = close_step,
    .find_work = find_work,
    .turn_over = turn_over,
    .complete_problem = complete_problem,
};
