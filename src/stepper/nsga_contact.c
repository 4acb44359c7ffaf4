/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two corrections of nsga (see nsga.c). In impulses P = (c_C / c_M) nu and velocities c_C U the
 * position problem reads
 *
 *     M c_C U - (c_C / c_M) (F(q+, v~ + c_C U) - F(q~, v~)) = H P,
 *
 * and Newton's method on it solves problems of the stage with A = (c_M M + c_C C + K) / c_M and
 * lever 1 / c_C. The velocity problem has A = M; its matrix is scaled alike, so that both share the
 * contacts' weights.
 */
#include "model/space.h"
#include "stepper/contact_rows.h"
#include "stepper/nsga.h"
#include "stepper/space_jean.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { D = 3 };

static double contact_tolerance(const haw_simulation *simulation)
{
    haw_solver_common common;
    memcpy(&common, simulation->settings.solver.options, sizeof common);
    return fmax(common.tolerance, 64 * DBL_EPSILON);
}

static haw_status missed(const haw_nsga_step *step, const char *level, int passes)
{
    const haw_simulation *simulation = step->alpha.simulation;
    const haw_report *report = &simulation->report;
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: after %d passes of the %s problem the residual impulse "
                    "is %.3g N s (tolerance %.3g) and the residual of %d contacts %.3g (tolerance "
                    "%.3g): use a smaller step or on_unconverged: halve",
                    simulation->state->step + 1, simulation->state->t, passes, level,
                    step->judged.norm, haw_jean_tolerance(&step->judged),
                    simulation->contacts->count, report->residual.natural, report->tolerance);
}

/* ---- position ---- */

/* Contacts at q+ and the shifts of their problem; without friction where it acts on velocities. */
static haw_status detect(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_nsga *nsga = step->nsga;
    HAW_TRY(haw_space_stage_detect(simulation, simulation->state->q, simulation->implicit->q,
                                   nsga->margin));
    const size_t rows = D * (size_t)contacts->count;
    nsga->shift = haw_arena_allocate(&simulation->stage->arena, rows + 1, sizeof(double));
    if (nsga->shift == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (size_t i = 0; i < rows; i++) {
        nsga->shift[i] = step->alpha.rate * simulation->stage->way[i];
    }
    if (step->options->friction_level == HAW_FRICTION_VELOCITY) {
        memset(contacts->problem.mu, 0, (size_t)contacts->count * sizeof(double));
    }
    return HAW_OK;
}

/* residual = M c_C U - (c_C / c_M) (F - F~) - H P, and what the laws say of its contacts. */
static haw_status evaluate(haw_nsga_step *step)
{
    const haw_alpha_step *c = &step->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_nsga *nsga = step->nsga;
    const int n = simulation->model.dofs;
    for (int i = 0; i < n; i++) {
        simulation->work[1][i] = c->rate * nsga->jump[i];
        implicit->u[i] = nsga->v_smooth[i] + simulation->work[1][i];
    }
    haw_space_move(&simulation->model, nsga->q_smooth, nsga->jump, implicit->q);
    haw_space_place(&simulation->model, c->t, implicit->q);
    HAW_TRY(haw_implicit_forces(simulation, c->t, 1, implicit->q, implicit->u, &implicit->now));
    HAW_TRY(detect(step));
    haw_space_stage_push(simulation, simulation->push);
    haw_model_mass(&simulation->model, simulation->work[1], implicit->mass_work);
    for (int i = 0; i < n; i++) {
        implicit->residual[i] = implicit->mass_work[i] - simulation->push[i] -
                                step->part * (implicit->now.total[i] - nsga->smooth.total[i]);
    }
    step->judged.norm = haw_implicit_norm(implicit, implicit->residual);
    return HAW_OK;
}

/* Nothing touches: the smooth motion stands. */
static bool is_free(const haw_contacts *contacts)
{
    for (int i = 0; i < contacts->count; i++) {
        if (!(contacts->item[i].gap > 0) || contacts->impulse[D * i] > 0) {
            return false;
        }
    }
    return true;
}

static bool is_solved(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_report *report = &simulation->report;
    report->tolerance = contact_tolerance(simulation);
    report->residual = haw_space_stage_measure(simulation, step->nsga->shift);
    const bool met = report->residual.natural <= report->tolerance;
    report->outcome = met ? HAW_CONVERGED : HAW_ITERATION_LIMIT;
    return met && step->judged.norm <= haw_jean_tolerance(&step->judged);
}

static haw_status iterate(haw_nsga_step *step)
{
    const haw_alpha_step *c = &step->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_jean_step turned = {.simulation = simulation, .theta = 1, .h = step->part};
    double *right = simulation->u_free;
    for (int i = 0; i < simulation->model.dofs; i++) {
        right[i] = -(implicit->residual[i] + simulation->push[i]);
    }
    haw_system_clear(implicit->system);
    haw_system_add_model(implicit->system, implicit->q, implicit->u, c->mass, c->rate);
    haw_space_jean_turn(&turned);
    HAW_TRY(haw_space_stage_solve(simulation, 1 / c->mass, right, step->nsga->shift,
                                  implicit->direction));
    const int n = simulation->model.dofs;
    const double part = haw_nsga_limit(n, 1 / c->rate, implicit->direction);
    haw_axpy(n, part / c->rate, implicit->direction, step->nsga->jump);
    simulation->certificate.newton_iterations++;
    return evaluate(step);
}

/* Start where the last displacement leads: without contact a cable may be far from where it is. */
static haw_status start(haw_nsga_step *step)
{
    const haw_simulation *simulation = step->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_nsga *nsga = step->nsga;
    if (nsga->last_h == 0) {
        return HAW_OK;
    }
    for (int i = 0; i < simulation->model.dofs; i++) {
        implicit->direction[i] = step->alpha.h / nsga->last_h * nsga->last[i];
    }
    haw_space_move(&simulation->model, simulation->state->q, implicit->direction, implicit->q);
    haw_space_place(&simulation->model, step->alpha.t, implicit->q);
    haw_space_difference(&simulation->model, nsga->q_smooth, implicit->q, nsga->jump);
    return evaluate(step);
}

haw_status haw_nsga_correct_position(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    memset(step->nsga->jump, 0, (size_t)simulation->model.dofs * sizeof(double));
    step->nsga->margin = haw_space_stage_margin(simulation);
    HAW_TRY(evaluate(step));
    if (is_free(simulation->contacts)) {
        return HAW_OK;
    }
    step->is_corrected = true;
    HAW_TRY(start(step));
    for (int k = 0; k < step->options->max_newton; k++) {
        const haw_status status = iterate(step);
        if (status == HAW_ERR_SINGULAR || !isfinite(step->judged.norm)) {
            return missed(step, "position", k + 1);
        }
        HAW_TRY(status);
        haw_nsga_find_reference(step);
        if (is_solved(step)) {
            return HAW_OK;
        }
    }
    return missed(step, "position", step->options->max_newton);
}

/* ---- velocity ---- */

/* Only closed contacts take part; their friction is that of the model. */
static haw_status choose_closed(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_space_stage *stage = simulation->stage;
    const double near = simulation->report.tolerance * stage->reference / step->alpha.rate;
    int kept = 0;
    for (int i = 0; i < contacts->count; i++) {
        double *impulse = contacts->impulse + (ptrdiff_t)D * kept;
        memmove(impulse, contacts->impulse + (ptrdiff_t)D * i, D * sizeof *impulse);
        memmove(stage->way + (ptrdiff_t)D * kept, stage->way + (ptrdiff_t)D * i,
                D * sizeof *stage->way);
        contacts->item[kept] = contacts->item[i];
        contacts->problem.mu[kept] =
            simulation->model.pair[contacts->item[i].pair].options.friction;
        kept += impulse[0] > 0 || contacts->item[i].gap <= near ? 1 : 0;
    }
    contacts->count = contacts->problem.contacts = kept;
    return haw_contact_rows(contacts, simulation->implicit->system, &stage->arena,
                            &stage->global.ht);
}

/* c_M M: c_M as in the position problem, so that the weights stay. */
static void assemble_mass(const haw_nsga_step *step)
{
    const haw_simulation *simulation = step->alpha.simulation;
    const haw_model *model = &simulation->model;
    haw_system *system = simulation->implicit->system;
    double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS];
    haw_system_clear(system);
    for (int i = 0; i < 6 * model->bodies; i++) {
        const haw_body *body = &model->body[i / 6];
        const int dof = body->first + i % 6;
        haw_system_add(system, dof, dof, step->alpha.mass * body->mass[i % 6]);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_beam *beam = &model->cable[i].beam;
        beam->ops->mass(beam, m);
        for (int k = 0; k < HAW_SPACE_DOFS * HAW_SPACE_DOFS; k++) {
            m[k] *= step->alpha.mass;
        }
        for (int e = 0; e < beam->elements; e++) {
            haw_system_add_element(system, i, e, m);
        }
    }
}

/* Newton's impact law: v+ + e v- with the rows at q+; `still`: velocities of contacts at v~. */
static void find_shifts(haw_nsga_step *step, const double *still)
{
    haw_simulation *simulation = step->alpha.simulation;
    const haw_contacts *contacts = simulation->contacts;
    for (int i = 0; i < contacts->count; i++) {
        const haw_pair *pair = &simulation->model.pair[contacts->item[i].pair];
        double *shift = step->nsga->shift + (ptrdiff_t)D * i;
        pair->law->shift(&pair->options, D, contacts->gamma_minus + (ptrdiff_t)D * i, shift);
        haw_axpy(D, 1, still + (ptrdiff_t)D * i, shift);
    }
}

/* v+ = v~ + M^-1 (M c_C U - H P_q + H P), P_q the impulses of the position problem. */
static haw_status solve_closed(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_contacts *contacts = simulation->contacts;
    const int rows = D * contacts->count;
    double *still = contacts->gamma_plus;
    haw_contacts_velocity(contacts, simulation->state->u, contacts->gamma_minus);
    haw_contacts_velocity(contacts, step->nsga->v_smooth, still);
    find_shifts(step, still);
    assemble_mass(step);
    HAW_TRY(haw_space_stage_solve(simulation, 1 / step->alpha.mass, step->nsga->corrected,
                                  step->nsga->shift, implicit->direction));
    haw_axpy(rows, 1, still, contacts->gamma_free);
    memcpy(simulation->u_plus, step->nsga->v_smooth,
           (size_t)simulation->model.dofs * sizeof(double));
    haw_axpy(simulation->model.dofs, 1, implicit->direction, simulation->u_plus);
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    return HAW_OK;
}

/* Momentum that the position problem has given, with the rows at q+. */
static void find_corrected(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    const int n = simulation->model.dofs;
    double *jump = simulation->work[1];
    for (int i = 0; i < n; i++) {
        jump[i] = step->alpha.rate * step->nsga->jump[i];
    }
    haw_model_mass(&simulation->model, jump, step->nsga->corrected);
    haw_axpy(n, -1, simulation->push, step->nsga->corrected);
}

haw_status haw_nsga_correct_velocity(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_report *report = &simulation->report;
    const double position = report->residual.natural;
    memcpy(simulation->u_plus, simulation->implicit->u,
           (size_t)simulation->model.dofs * sizeof(double));
    find_corrected(step);
    if (simulation->contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(choose_closed(step));
    HAW_TRY(simulation->contacts->count > 0 ? solve_closed(step) : HAW_OK);
    haw_space_stage_push(simulation, simulation->push);
    if (report->outcome != HAW_CONVERGED) {
        return missed(step, "velocity", 1);
    }
    report->residual.natural = fmax(report->residual.natural, position);
    return HAW_OK;
}

/* ---- accelerations ---- */

haw_status haw_nsga_correct_acceleration(haw_nsga_step *step)
{
    const haw_alpha_step *c = &step->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    double *change = implicit->direction;
    HAW_TRY(
        haw_implicit_forces(simulation, c->t, 1, implicit->q, simulation->u_plus, &implicit->now));
    if (!step->is_corrected) {
        return HAW_OK;
    }
    for (int i = 0; i < n; i++) {
        change[i] = c->mass * (implicit->now.total[i] - step->nsga->smooth.total[i]);
    }
    assemble_mass(step);
    simulation->certificate.factorizations++;
    HAW_TRY(haw_system_factor(implicit->system));
    haw_system_solve(implicit->system, change);
    haw_axpy(n, 1, change, implicit->acceleration);
    haw_axpy(n, (1 - c->alpha_f) / (1 - c->alpha_m), change, implicit->a);
    return HAW_OK;
}
