/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The step that all rows of the steppers' table share: predict, detect, solve, close, ledger,
 * acceptance, certificate. What a row has of its own it answers in stepper.h.
 */
#include "linalg/inline.h"
#include "stepper/contact_pass.h"

#include <math.h>
#include <string.h>

/* ---- impulses of contacts ---- */

haw_status haw_step_reserve_closed(haw_simulation *simulation, int count)
{
    void *closed = simulation->closed;
    const haw_status status = haw_grow(simulation->context, count, sizeof *simulation->closed,
                                       &simulation->closed_capacity, &closed);
    simulation->closed = closed;
    return status;
}

static HAW_INLINE void keep_impulses(ptrdiff_t d, haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    double *impulse = simulation->state->impulse;
    for (int i = 0; i < simulation->closed_count; i++) {
        memset(impulse + d * simulation->closed[i], 0, (size_t)d * sizeof(double));
    }
    for (int i = 0; i < contacts->count; i++) {
        const int id = contacts->item[i].id;
        memcpy(impulse + d * id, contacts->impulse + d * i, (size_t)d * sizeof(double));
        simulation->closed[i] = id;
    }
    simulation->closed_count = contacts->count;
}

haw_status haw_step_keep_impulses(haw_simulation *simulation)
{
    HAW_TRY(haw_step_reserve_closed(simulation, simulation->contacts->count));
    HAW_BY_DIMENSION(simulation->contacts->dimension, keep_impulses, simulation);
    return HAW_OK;
}

haw_status haw_step_contact_energy(haw_simulation *simulation, double *energy)
{
    const haw_state *state = simulation->state;
    double *normal = simulation->work[0], *tangential = simulation->work[1];
    *energy = 0;
    if (simulation->compliant == NULL) {
        return HAW_OK;
    }
    haw_compliant_begin(simulation->compliant, state, HAW_STATICS, 0);
    memset(normal, 0, (size_t)state->dofs * sizeof *normal);
    memset(tangential, 0, (size_t)state->dofs * sizeof *tangential);
    HAW_TRY(haw_compliant_evaluate(simulation->compliant, state->q, state->u, normal, tangential));
    *energy = haw_compliant_energy(simulation->compliant);
    return HAW_OK;
}

void haw_step_contact_losses(const haw_simulation *simulation, double *friction, double *impact)
{
    const haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    *friction = *impact = 0;
    for (int i = 0; i < contacts->count; i++) {
        const ptrdiff_t at = (ptrdiff_t)d * i;
        const double *minus = contacts->gamma_minus + at, *plus = contacts->gamma_plus + at;
        const double *impulse = contacts->impulse + at;
        *impact -= 0.5 * (plus[0] + minus[0]) * impulse[0];
        for (int k = 1; k < d; k++) {
            *friction -= 0.5 * (plus[k] + minus[k]) * impulse[k];
        }
    }
}

haw_status haw_step_relieve_solver(haw_simulation *simulation)
{
    const haw_solver_settings stalled = simulation->solver;
    HAW_TRY(haw_solver_settings_init(simulation->context, "auto", &simulation->solver));
    memcpy(simulation->solver.options, stalled.options, sizeof(haw_solver_common));
    return HAW_OK;
}

/* Sweeps stall where contacts outnumber the degrees of freedom: `auto` goes on from there, and
 * takes the later steps as well, which would stall at ten thousand sweeps each. */
haw_status haw_step_solve_contacts(haw_simulation *simulation, double *u)
{
    haw_contacts *contacts = simulation->contacts;
    haw_report *report = &simulation->report;
    const haw_solver_settings *solver = &simulation->solver;
    const char *stalled = solver->ops->row.name;
    HAW_TRY(
        haw_solve(&contacts->problem, solver, simulation->workspace, contacts->impulse, u, report));
    if (report->outcome != HAW_STALLED || solver->ops->is_newton) {
        return HAW_OK;
    }
    const int iterations = report->iterations;
    HAW_TRY(haw_step_relieve_solver(simulation));
    haw_log(simulation->context, HAW_LOG_WARNING,
            "%s stalls at t = %g s at a residual of %.3g with %d closed points: auto goes on",
            stalled, simulation->state->t, report->residual.stop, contacts->count);
    HAW_TRY(
        haw_solve(&contacts->problem, solver, simulation->workspace, contacts->impulse, u, report));
    report->iterations += iterations;
    return HAW_OK;
}

/* ---- ledger ---- */

/*
 * Every term from its own forces; the balance takes them as they are,
 *
 *     numerical_loss = -(work of conservative forces + dV) - made - work of meshes,
 *     balance        = dE - external_work + all losses.
 */
static void book(haw_simulation *simulation, const haw_step_end *end, const haw_step_work *work)
{
    haw_ledger *ledger = &simulation->ledger;
    const double elastic = end->energy.elastic - simulation->energy.elastic;
    const double gravity = end->energy.gravity - simulation->energy.gravity;
    const double external = work->of.load + work->reactions - work->mesh;
    const double friction = work->friction - work->of.tangential;
    const double impact = work->impact - work->of.normal, damping = -work->of.damping;
    const double numerical = -(work->of.conservative + elastic + gravity) - work->made - work->mesh;
    const double balance = (end->kinetic - simulation->kinetic) + elastic + gravity - external +
                           friction + impact + damping + numerical;
    ledger->external_work += external;
    ledger->friction_loss += friction;
    ledger->impact_loss += impact;
    ledger->damping_loss += damping;
    ledger->numerical_loss += numerical;
    ledger->balance_error = fmax(ledger->balance_error, fabs(balance));
    ledger->balance_drift += balance;
    ledger->kinetic = end->kinetic;
    ledger->elastic = end->energy.elastic;
    ledger->gravity = end->energy.gravity;
}

/* Sums that overflow are no ledger: it stays that of the step before. */
static haw_status book_finite(haw_simulation *simulation, const haw_step_end *end,
                              const haw_step_work *work)
{
    const haw_ledger before = simulation->ledger, *now = &simulation->ledger;
    book(simulation, end, work);
    const haw_status status = haw_guard_finite(
        simulation, now->external_work + now->friction_loss + now->impact_loss + now->damping_loss +
                        now->numerical_loss + now->balance_drift);
    if (status != HAW_OK) {
        simulation->ledger = before;
    }
    return status;
}

/* ---- certificate ---- */

/* What the referee found, of accepted and of missed steps alike. */
static void book_residual(haw_simulation *simulation)
{
    const haw_residual *residual = &simulation->report.residual;
    haw_certificate *certificate = &simulation->certificate;
    certificate->residual_max = fmax(certificate->residual_max, residual->natural);
    certificate->relative_max = fmax(certificate->relative_max, residual->relative);
    certificate->cone_max = fmax(certificate->cone_max, residual->cone);
    certificate->complementarity_max =
        fmax(certificate->complementarity_max, residual->complementarity);
    certificate->iterations_total += simulation->report.iterations;
}

void haw_step_book_depths(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    haw_certificate *certificate = &simulation->certificate;
    for (int i = 0; i < contacts->count; i++) {
        certificate->penetration_points_max =
            fmax(certificate->penetration_points_max, 0 - contacts->item[i].gap); /* no -0 */
    }
    certificate->penetration_max =
        fmax(certificate->penetration_max, certificate->penetration_points_max);
}

void haw_step_certify(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_balance *balance = &simulation->balance;
    haw_certificate *certificate = &simulation->certificate;
    const bool has_problem = simulation->set_valued > 0 && simulation->report.tolerance > 0;
    simulation->last_residual = balance->reference > 0 ? balance->norm / balance->reference : 0;
    if (balance->tolerance > 0) {
        certificate->newton_residual_max =
            fmax(certificate->newton_residual_max, balance->norm / balance->tolerance);
    }
    if (has_problem) {
        /* sum (gamma_free + gamma+) Lambda / 2: never positive for e = 0, whatever moves */
        double work = 0;
        for (int i = 0; i < contacts->dimension * simulation->set_valued; i++) {
            work +=
                0.5 * (contacts->gamma_free[i] + contacts->gamma_plus[i]) * contacts->impulse[i];
        }
        simulation->last_residual = simulation->report.residual.natural;
        book_residual(simulation);
        simulation->ledger.contact_work_max = fmax(simulation->ledger.contact_work_max, work);
    }
    if (contacts->count > certificate->contacts_max) {
        certificate->contacts_max = contacts->count;
    }
    if (contacts->looked_max > certificate->grid_points_max) {
        certificate->grid_points_max = contacts->looked_max;
    }
    haw_step_book_depths(simulation);
    haw_joints_find(&simulation->model, simulation->state->q, simulation->hold);
    certificate->joint_drift_max =
        fmax(certificate->joint_drift_max, haw_joints_drift(&simulation->model, simulation->hold));
}

/* ---- the step ---- */

/*
 * A missed tolerance ends the run, or the attempt where steps are halved. Where misses only warn
 * the step is taken, if it is nearer to balance than its start was. Bristles of a rope that a
 * missed step has torn do not come back: there a miss is an error.
 */
static haw_status judge(haw_simulation *simulation, haw_status status)
{
    const haw_balance *balance = &simulation->balance;
    const bool warns = simulation->settings.on_unconverged == HAW_UNCONVERGED_WARN &&
                       !haw_model_moves_along(&simulation->model);
    if (status != HAW_OK && haw_context_insists(simulation->context)) {
        return haw_fail(simulation->context, HAW_ERR_CANCELLED,
                        "cancelled at t = %g s, in a step that went on for seconds",
                        simulation->state->t);
    }
    if (status != HAW_ERR_UNCONVERGED) {
        return status;
    }
    simulation->report.outcome = HAW_ITERATION_LIMIT;
    if (warns && (balance->tolerance == 0 || balance->norm < balance->reference)) {
        return HAW_OK;
    }
    simulation->certificate.unconverged_steps++;
    book_residual(simulation);
    return status;
}

/* Guards of contact. Explicit steps guard their speed as they detect, and are so short that depths
 * may be looked at every now and then. */
static haw_status guard(haw_simulation *simulation, const haw_step_end *end)
{
    enum { EXPLICIT = 128 };

    const haw_state *state = simulation->state;
    const bool is_explicit = haw_stepper_has(simulation, HAW_STEPPER_EXPLICIT);
    const bool is_path = haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC);
    const bool is_last = simulation->steps_total >= 0
                             ? state->step + 1 >= simulation->steps_total
                             : state->t + simulation->h >= simulation->end * (1 - 1e-12);
    const haw_guard_step step = {.t = state->t,
                                 .h = simulation->h,
                                 .before = state->q,
                                 .u_before = state->u,
                                 .ahead = is_path ? 0 : simulation->h,
                                 .after = end->q,
                                 .is_last = is_last,
                                 .is_explicit = is_explicit,
                                 .is_due = is_last || state->step % EXPLICIT == 0};
    return haw_guard_check(simulation->guard, &step, &simulation->certificate.penetration_max);
}

/* The state, its energies, histories and impulses are those of the end. */
static haw_status accept(haw_simulation *simulation, const haw_step_end *end)
{
    const haw_stepper_ops *row = simulation->ops;
    haw_state *state = simulation->state;
    const size_t bytes = (size_t)state->dofs * sizeof(double);
    memcpy(state->q, end->q, (size_t)state->coordinates * sizeof(double));
    memcpy(state->u, end->u, bytes);
    if (end->a != NULL) {
        memcpy(state->a, end->a, bytes);
    }
    if (end->vdot != NULL) {
        memcpy(state->a + state->dofs, end->vdot, bytes);
    }
    simulation->energy = end->energy;
    simulation->kinetic = end->kinetic;
    if (row->turn_over != NULL) {
        row->turn_over(simulation);
    }
    if (simulation->compliant != NULL) {
        HAW_TRY(haw_compliant_commit(simulation->compliant, state, simulation->contacts));
    }
    return haw_step_keep_impulses(simulation);
}

/* Up to the solution. */
static haw_status prepare(haw_simulation *simulation)
{
    const haw_stepper_ops *row = simulation->ops;
    simulation->report = (haw_report){.outcome = HAW_CONVERGED};
    simulation->balance = (haw_balance){.norm = 0};
    simulation->contacts->count = simulation->set_valued = 0;
    HAW_TRY(row->predict(simulation));
    return row->detect != NULL ? row->detect(simulation) : HAW_OK;
}

/* Passes that go on from the regimes of the one before take fewer steps, but may go in a circle. */
static haw_status solve(haw_simulation *simulation)
{
    struct haw_pass *pass = simulation->pass;
    const haw_status status = simulation->ops->solve(simulation);
    if (status != HAW_ERR_UNCONVERGED || pass == NULL || !pass->went_on) {
        return status;
    }
    pass->is_wary = true;
    const haw_status prepared = prepare(simulation);
    const haw_status again = prepared == HAW_OK ? simulation->ops->solve(simulation) : prepared;
    pass->is_wary = false;
    return again;
}

haw_status haw_step(haw_simulation *simulation)
{
    const haw_stepper_ops *row = simulation->ops;
    haw_step_end end = {.q = NULL};
    haw_step_work work = {.made = 0};
    if (row->step != NULL) {
        return row->step(simulation);
    }
    HAW_TRY(prepare(simulation));
    const haw_status solved = solve(simulation);
    simulation->set_valued = simulation->contacts->count; /* readers see what was missed, too */
    HAW_TRY(judge(simulation, solved));
    HAW_TRY(row->close(simulation, &end));
    end.energy = haw_model_energy(&simulation->model, end.q);
    end.kinetic = haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC)
                      ? simulation->kinetic
                      : haw_model_kinetic(&simulation->model, end.q, end.u);
    HAW_TRY(haw_guard_finite(simulation, end.energy.elastic + end.energy.gravity + end.kinetic));
    HAW_TRY(haw_model_guard(&simulation->model, simulation->state->t, end.q));
    HAW_TRY(guard(simulation, &end));
    HAW_TRY(simulation->implicit == NULL ? HAW_OK
                                         : haw_guard_folds(simulation, end.q, true, HAW_ERR_GUARD));
    row->find_work(simulation, &end, &work);
    HAW_TRY(book_finite(simulation, &end, &work));
    simulation->hard[0] += work.impact;
    simulation->hard[1] += work.friction;
    HAW_TRY(accept(simulation, &end));
    haw_step_certify(simulation);
    return HAW_OK;
}
