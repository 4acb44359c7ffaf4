/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moreau-Jean in space: the implicit theta-method of moreau_jean.c on the configuration manifold,
 * with everything at the end of the step,
 *
 *     M (u+ - u) = h ((1 - theta) F(t, q, u) + theta F(t+, q+, u+)) + H(q+) P,
 *     q+ = q exp(h ((1 - theta) u + theta u+)),
 *
 * positions added, orientations multiplied; F holds elastic, damping, gyroscopic and given forces.
 * Prescribed coordinates and velocities are those at t + h exactly.
 *
 * Contact laws (space_stage.h) hold at the end of the step for positions, not velocities: what is
 * closed has gap 0 to the solver's tolerance, and what sticks has not moved on the turning surface.
 * Newton's method on u+ with M + theta h C + (theta h)^2 K and K, C exact solves one contact
 * problem per pass. Left out, the tangent of the exponential would cost passes: where a section
 * turns about one axis while it is soft about another, half the angle of the step times the stiff
 * shear competes with the torsion. An iterate is accepted when its own residual impulse and the
 * referee's word on its own gaps and ways meet the tolerances: no linearisation is left in either.
 */
#include "stepper/space_jean.h"

#include "model/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    CUTS = 4,
    LOST = 3 /* contact problems in a row that a step to be halved is given up at */
};

static const double GROWTH = 300;

static haw_space_jean *get(const haw_jean_step *step)
{
    return step->simulation->space;
}

/* ---- iterate ---- */

static void place(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    haw_space_jean *jean = get(step);
    for (int i = 0; i < state->dofs; i++) {
        jean->increment[i] =
            step->h * ((1 - step->theta) * state->u[i] + step->theta * simulation->u_plus[i]);
    }
    haw_space_move(&simulation->model, state->q, jean->increment, jean->q_plus);
    haw_space_place(&simulation->model, state->t + step->h, jean->q_plus);
}

/* Forces at the start: those where the last step ended, unless the state was replaced. */
static haw_status start_forces(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    haw_space_jean *jean = get(step);
    if (implicit->is_current && jean->t_before == state->t) {
        return HAW_OK;
    }
    jean->t_before = state->t;
    implicit->is_current = true;
    return haw_implicit_forces(simulation, state->t, 1, state->q, state->u, &implicit->before);
}

/* Newton's method starts from the velocities that the last step leads on to. */
static void predict(const haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    haw_space_jean *jean = get(step);
    for (int i = 0; i < state->dofs; i++) {
        simulation->u_plus[i] = state->u[i] + step->h * state->a[i];
        jean->increment[i] = 0.5 * step->h * state->u[i];
    }
    haw_space_move(&simulation->model, state->q, jean->increment, jean->middle);
    haw_space_prescribe(&simulation->model, state->t + step->h, simulation->u_plus);
    jean->margin = haw_space_stage_margin(simulation);
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
    HAW_TRY(haw_space_jean_detect(step));
    haw_space_stage_push(simulation, simulation->push);
    for (int i = 0; i < state->dofs; i++) {
        jump[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_model_mass(&simulation->model, jump, implicit->mass_work);
    for (int i = 0; i < state->dofs; i++) {
        implicit->residual[i] =
            implicit->mass_work[i] - part[0] * before[i] - part[1] * now[i] - simulation->push[i];
    }
    step->norm = haw_implicit_norm(implicit, implicit->residual);
    return HAW_OK;
}

/* Largest impulse at hand: of elastic forces with the reactions of held ends, of given forces and
 * of contacts, or the momentum itself. */
static void find_reference(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    const double *elastic = implicit->now.model.conservative, *load = implicit->now.model.load;
    haw_model_mass(&simulation->model, simulation->state->u, implicit->mass_work);
    double square = step->h * step->h * fmax(haw_dot(n, elastic, elastic), haw_dot(n, load, load));
    square = fmax(square, haw_dot(n, implicit->mass_work, implicit->mass_work));
    square = fmax(square, haw_dot(n, simulation->push, simulation->push));
    step->reference = fmax(sqrt(square), DBL_MIN);
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
    haw_space_jean_turn(step);
}

/* Where a full Newton step leads astray: the residual impulse grows by GROWTH and beyond every
 * impulse at hand, or an element turns so far that its strains lose their meaning. */
static bool is_astray(const haw_jean_step *step, double limit)
{
    const haw_simulation *simulation = step->simulation;
    return !(step->norm <= limit) ||
           haw_space_guard(&simulation->model, get(step)->q_plus) != HAW_OK;
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
        haw_space_stage_halve(simulation);
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
    const haw_model *model = &simulation->model;
    const double lever = step->theta * step->h;
    double *right = simulation->u_free;
    for (int i = 0; i < model->dofs; i++) {
        right[i] = -(implicit->residual[i] + simulation->push[i]);
    }
    assemble(step);
    HAW_TRY(haw_space_stage_solve(simulation, lever * lever, right, get(step)->shift,
                                  implicit->direction));
    get(step)->lost = simulation->report.outcome == HAW_CONVERGED ? 0 : get(step)->lost + 1;
    haw_space_stage_rates(simulation, get(step)->increment, implicit->direction);
    simulation->certificate.newton_iterations++;
    return advance(step);
}

static double contact_tolerance(const haw_simulation *simulation)
{
    haw_solver_common common;
    memcpy(&common, simulation->settings.solver.options, sizeof common);
    return fmax(common.tolerance, 64 * DBL_EPSILON);
}

/* The iterate balances, and its own gaps and ways obey the laws. */
static bool is_solved(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_report *report = &simulation->report;
    report->tolerance = contact_tolerance(simulation);
    report->residual = haw_space_stage_measure(simulation, get(step)->shift);
    const bool met = report->residual.natural <= report->tolerance;
    simulation->stage->holds = met;
    report->outcome = met ? HAW_CONVERGED : HAW_ITERATION_LIMIT;
    return met && step->norm <= haw_jean_tolerance(step);
}

static haw_status missed(const haw_jean_step *step, int passes)
{
    const haw_simulation *simulation = step->simulation;
    const haw_report *report = &simulation->report;
    if (!isfinite(step->norm)) {
        return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                        "step %ld at t = %g s: the iterate is no longer finite after %d Newton "
                        "passes: use a smaller step or on_unconverged: halve",
                        simulation->state->step + 1, simulation->state->t, passes);
    }
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: after %d Newton passes the residual impulse is %.3g N s "
                    "(tolerance %.3g) and the residual of %d contacts %.3g (tolerance %.3g): use a "
                    "smaller step or on_unconverged: halve",
                    simulation->state->step + 1, simulation->state->t, passes, step->norm,
                    haw_jean_tolerance(step), simulation->contacts->count, report->residual.natural,
                    report->tolerance);
}

/* Where shorter steps are to be tried, one whose contact problems are not solved takes no more of
 * them: the general solvers take their time before they give up. */
static bool is_hopeless(const haw_jean_step *step)
{
    const bool halves = step->simulation->settings.on_unconverged == HAW_UNCONVERGED_HALVE;
    return !isfinite(step->norm) || (halves && get(step)->lost >= LOST);
}

static haw_status solve(haw_jean_step *step)
{
    haw_space_stage_begin(step->simulation);
    get(step)->lost = 0;
    HAW_TRY(start_forces(step));
    predict(step);
    HAW_TRY(evaluate(step));
    find_reference(step);
    for (int k = 0; k < step->max_newton; k++) {
        const haw_status status = iterate(step);
        if (status == HAW_ERR_SINGULAR || is_hopeless(step)) {
            return missed(step, k + 1);
        }
        HAW_TRY(status);
        find_reference(step);
        if (is_solved(step)) {
            return HAW_OK;
        }
    }
    return missed(step, step->max_newton);
}

/* ---- acceptance ---- */

/* The forces of the end are those of the next start. */
static void swap_forces(haw_simulation *simulation, double t)
{
    haw_implicit *implicit = simulation->implicit;
    const haw_force_set before = implicit->before;
    implicit->before = implicit->now;
    implicit->now = before;
    implicit->is_current = true;
    ((haw_space_jean *)simulation->space)->t_before = t;
}

static haw_status accept(haw_jean_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_state *state = simulation->state;
    const haw_model *model = &simulation->model;
    const double *q_plus = get(step)->q_plus, *u_plus = simulation->u_plus;
    const haw_energy energy = haw_model_energy(model, q_plus);
    const double kinetic = haw_model_kinetic(model, q_plus, u_plus);
    HAW_TRY(haw_jean_check_finite(simulation, energy.elastic + energy.gravity + kinetic));
    HAW_TRY(haw_space_guard(model, q_plus));
    HAW_TRY(haw_step_keep_impulses(simulation));
    haw_space_jean_book(step, energy, kinetic);
    haw_step_certify(simulation);
    for (int i = 0; i < state->dofs; i++) {
        state->a[i] = (u_plus[i] - state->u[i]) / step->h;
    }
    memcpy(state->q, q_plus, (size_t)state->coordinates * sizeof(double));
    memcpy(state->u, u_plus, (size_t)state->dofs * sizeof(double));
    simulation->energy = energy;
    simulation->kinetic = kinetic;
    swap_forces(simulation, state->t + step->h);
    return HAW_OK;
}

haw_status haw_space_jean_step(haw_simulation *simulation)
{
    haw_jean_step now = haw_jean_begin(simulation);
    simulation->implicit->noise = haw_implicit_noise(simulation, simulation->state->q);
    HAW_TRY(haw_jean_settle(&now, solve(&now)));
    return accept(&now);
}

/*
 * The problem that the last pass would solve next: with v = du and the impulses of the iterate,
 *
 *     A v = right + H P,   u = H^T v + shift,
 *
 * linearised where the step ended, so that v = 0 and the accepted impulses solve it to the
 * tolerances of the step.
 */
haw_status haw_space_jean_problem(haw_simulation *simulation)
{
    haw_jean_step step = haw_jean_begin(simulation);
    const double lever = step.theta * step.h;
    haw_implicit *implicit = simulation->implicit;
    for (int i = 0; i < simulation->model.dofs; i++) {
        simulation->u_free[i] = -(implicit->residual[i] + simulation->push[i]);
    }
    assemble(&step);
    return haw_space_stage_problem(simulation, lever * lever, simulation->u_free,
                                   get(&step)->shift);
}

/* ---- creation ---- */

static haw_status create(haw_simulation *simulation)
{
    const size_t dofs = (size_t)simulation->model.dofs + 1;
    const size_t coordinates = (size_t)simulation->model.coordinates + 1;
    haw_space_jean *jean = haw_space_stage_own(simulation, sizeof *jean);
    if (jean == NULL) {
        return HAW_ERR_NOMEM;
    }
    jean->q_plus = haw_arena_allocate(&jean->arena, coordinates, sizeof(double));
    jean->middle = haw_arena_allocate(&jean->arena, coordinates, sizeof(double));
    jean->increment = haw_arena_allocate(&jean->arena, dofs, sizeof(double));
    return jean->q_plus != NULL && jean->middle != NULL && jean->increment != NULL ? HAW_OK
                                                                                   : HAW_ERR_NOMEM;
}

haw_status haw_space_jean_prepare(haw_simulation *simulation)
{
    const haw_jean_options *o = (const void *)simulation->settings.stepper.options;
    simulation->step = o->common.step;
    simulation->end = o->common.end;
    if (simulation->implicit == NULL) {
        HAW_TRY(haw_implicit_create(simulation, NULL, &simulation->implicit));
    }
    HAW_TRY(haw_space_stage_create(simulation));
    return create(simulation);
}
