/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoupled nonsmooth generalized-alpha (O. Bruels, V. Acary, A. Cardona,
 * Comput. Methods Appl. Mech. Eng. 281 (2014) 131-161; A. Cosimo, J. Galvez, F. J. Cavalieri, A.
 * Cardona, O. Bruels, Multibody Syst. Dyn. 48 (2020) 127-149): the smooth motion q~, v~ of
 * "smooth motion" knows no contact; two problems then correct it, q+ = q~ exp(U), v+ = v~ + W,
 *
 *     position:  c_M M U - (F(q+, v~ + c_C U) - F~) = H nu,   0 <= nu_N  perp  g(q+) >= 0,
 *                -way_T in N_{C(mu nu_N)}(nu_T),
 *     velocity:  M W - (c_C / c_M) (F(q+, v~ + c_C U) - F~) = H P,
 *                0 <= P_N  perp  v_N+ + e v_N >= 0,   -v_T+ in N_{C(mu P_N)}(P_T)  where closed,
 *
 * with c_M = (1 - alpha_m) / (beta h^2 (1 - alpha_f)), c_C = gamma / (beta h), so that U changes
 * velocities by c_C U and accelerations by c_M U as in the smooth motion. The forces that U changes
 * belong to both problems: without them a stiff cable rings. P is the whole impulse of the step;
 * (c_C / c_M) nu is what P would be if the velocities c_C U were right.
 *
 * Friction on velocities alone, the published wording, lets what sticks creep: on a slope the
 * smooth motion falls by g sin(theta) h^2 / 2 in every step, and only its velocity is taken back,
 * which is a speed of h g sin(theta) / 2. With the same law on the way of the step it stays.
 *
 * Compliant contacts are forces like others. In the plane the manifold is that of coordinates.
 *
 * Newton's method starts from the displacement of the last step: a run that goes on from a
 * checkpoint agrees with one that was not interrupted to the tolerance of Newton's method.
 */
#include "model/system.h"
#include "stepper/contact_pass.h"
#include "stepper/generalized_alpha.h"

#include <math.h>
#include <string.h>

/* Workspace of a run, and the step on its way. */
typedef struct nsga_work {
    haw_alpha_step alpha; /* coefficients: mass c_M, rate c_C */
    const haw_alpha_options *options;
    double part;          /* c_C / c_M: impulse of a unit of the multiplier nu [s] */
    bool is_corrected;    /* contacts have changed q~, v~ */
    haw_force_set smooth; /* at q~, v~ */
    double *q_smooth;     /* q~ [coordinates] */
    double *v_smooth;     /* v~ [dofs] */
    double *increment;    /* that moves q to q~ [dofs] */
    double *jump;         /* U, that moves q~ to q+ [dofs] */
    double *corrected;    /* M c_C U - H P_q: momentum of the position problem [dofs] */
    double *last;         /* displacement of the last step [dofs] */
    double *rest;         /* zeros [dofs] */
    double last_h;        /* its length, 0: none [s] */
    double margin;        /* of the detection in this step [m] */
} nsga_work;

static const haw_option options[] = {
    HAW_STEPPER_OPTIONS(1e-3),
    HAW_ALPHA_OPTION("rho_infinity", HAW_OPTION_REAL, rho_infinity, 0.8, 0, 1, "",
                     "spectral radius at infinite frequency; 1: no damping"),
    HAW_ALPHA_OPTION("newton_tolerance", HAW_OPTION_REAL, newton_tolerance, 1e-8, 1e-15, 1e-1, "",
                     "residual impulse over the largest impulse or momentum of the step"),
    HAW_ALPHA_OPTION("max_newton", HAW_OPTION_INT, max_newton, 50, 1, 1000, "",
                     "Newton iterations of the smooth motion, and passes of the position problem"),
    HAW_ALPHA_FRICTION_LEVEL,
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

/* ---- creation ---- */

static haw_status prepare(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    haw_arena *arena = &simulation->arena;
    HAW_TRY(haw_implicit_create(simulation, NULL));
    nsga_work *nsga = haw_arena_allocate(arena, 1, sizeof *nsga);
    simulation->method = nsga;
    HAW_TRY(haw_arena_status(arena));
    double **const vector[] = {&nsga->v_smooth,  &nsga->increment, &nsga->jump,
                               &nsga->corrected, &nsga->last,      &nsga->rest};
    double **const place[] = {&nsga->q_smooth};
    HAW_TRY(haw_pass_create(simulation));
    HAW_TRY(haw_force_set_create(arena, model->dofs, &nsga->smooth));
    HAW_TRY(haw_vectors_create(arena, model->coordinates, 1, place));
    return haw_vectors_create(arena, model->dofs, sizeof vector / sizeof *vector, vector);
}

/* ---- smooth motion ---- */

/*
 * The smooth part of a step: generalized-alpha on the manifold of configurations without the
 * forces of contacts (O. Bruels, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012) 121-137),
 *
 *     q~ = q exp(dq),   dq = h v + h^2 ((1/2 - beta) a + beta a+),
 *     v~ = v + h ((1 - gamma) a + gamma a+),   M vdot~ = F(t+, q~, v~),
 *     (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) vdot~ + alpha_f vdot,
 *
 * by Newton's method on dq with c_M M + c_C C + K. The tangent of the exponential beside K is left
 * out: it is 1 up to half the angle of the step, and costs an iteration now and then. A cable that
 * lies on a surface is far from the equilibrium that it has without: turns are limited.
 */

static const double LIMIT = 0.3; /* turn in one Newton step [rad] */

/*
 * First guess: the displacement of the last step, or h v where there was none. The accelerations of
 * closed contacts, which nothing holds here, would lead far astray, and so would the spins that
 * impulses at the surface of a thin cable leave behind. Prescribed velocities hold.
 */
static void predict_smooth(const nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    const haw_simulation *simulation = c->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const double h = c->h, *a = state->a, *u = state->u, *v = nsga->v_smooth;
    haw_model_prescribe(&simulation->model, c->t, nsga->v_smooth);
    haw_model_guide(&simulation->model, state->q, u, h, nsga->v_smooth);
    for (int i = 0; i < state->dofs; i++) {
        const double known = u[i] + (1 - c->gamma) * h * a[i];
        const double dq = nsga->last_h > 0 ? h / nsga->last_h * nsga->last[i] : h * u[i];
        const double led = (dq / h - u[i]) / (c->beta * h) + (c->beta - 0.5) / c->beta * a[i];
        const bool is_prescribed = implicit->system->equation[i] < 0;
        implicit->a[i] = is_prescribed ? (v[i] - known) / (c->gamma * h) : led;
    }
    memset(nsga->increment, 0, (size_t)state->dofs * sizeof(double));
    haw_alpha_complete(c, nsga->increment, nsga->v_smooth);
}

/* residual = h (M vdot~ - F) at the iterate. */
static haw_status evaluate_smooth(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_model_move(&simulation->model, simulation->state->q, nsga->increment, nsga->q_smooth);
    haw_model_place(&simulation->model, c->t, nsga->q_smooth);
    HAW_TRY(
        haw_implicit_forces(simulation, c->t, 1, nsga->q_smooth, nsga->v_smooth, &nsga->smooth));
    haw_model_inertia(&simulation->model, nsga->q_smooth, nsga->v_smooth, implicit->acceleration,
                      implicit->mass_work);
    for (int i = 0; i < simulation->model.dofs; i++) {
        implicit->residual[i] = c->h * (implicit->mass_work[i] - nsga->smooth.total[i]);
    }
    simulation->balance.norm = haw_free_norm(implicit->system, implicit->residual);
    return HAW_OK;
}

/* Part of a Newton step in which no orientation turns by more than the limit; angles in the plane
 * are coordinates like others. */
static double limit_turns(const haw_model *model, double scale, const double *direction)
{
    double most = 0;
    for (int i = 0; i < model->bodies && model->coordinates > model->dofs; i++) {
        most = fmax(most, haw_largest(3, direction + model->body[i].first + 3));
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int node = 0; node <= cable->line.elements && haw_cable_turns(cable); node++) {
            most = fmax(most, haw_largest(3, direction + cable->ops->node_dof(cable, node) + 3));
        }
    }
    most *= scale;
    return most > LIMIT ? LIMIT / most : 1;
}

static haw_status iterate_smooth(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    double *direction = implicit->direction;
    HAW_TRY(haw_implicit_factor(simulation, nsga->q_smooth, nsga->v_smooth, c->mass, c->rate));
    for (int i = 0; i < n; i++) {
        direction[i] = -implicit->residual[i] / c->h;
    }
    haw_system_solve(implicit->system, direction);
    const double part = limit_turns(&simulation->model, 1, direction);
    haw_alpha_move(c, part, nsga->increment, nsga->v_smooth);
    simulation->certificate.newton_iterations++;
    return evaluate_smooth(nsga);
}

static void refer(nsga_work *nsga)
{
    haw_implicit_refer(nsga->alpha.simulation, &nsga->smooth.model, nsga->v_smooth,
                       nsga->options->newton_tolerance);
}

/* Nothing can be built on this: the norm is left infinite. */
static haw_status missed_smooth(nsga_work *nsga, int iterations)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    const haw_status status =
        haw_implicit_missed(simulation, "Newton iterations of the smooth motion", iterations);
    simulation->balance.norm = (double)INFINITY;
    return status;
}

static haw_status move_smoothly(nsga_work *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    HAW_TRY(evaluate_smooth(nsga));
    refer(nsga);
    for (int k = 0; k < nsga->options->max_newton; k++) {
        if (haw_implicit_balances(simulation)) {
            return HAW_OK;
        }
        const haw_status status = iterate_smooth(nsga);
        if (status == HAW_ERR_SINGULAR || !isfinite(simulation->balance.norm)) {
            return missed_smooth(nsga, k + 1);
        }
        HAW_TRY(status);
        refer(nsga);
    }
    return haw_implicit_balances(simulation) ? HAW_OK
                                             : missed_smooth(nsga, nsga->options->max_newton);
}

/* ---- corrections ---- */

/*
 * The two corrections. In impulses P = (c_C / c_M) nu and velocities c_C U the
 * position problem reads
 *
 *     M c_C U - (c_C / c_M) (F(q+, v~ + c_C U) - F(q~, v~)) = H P,
 *
 * and Newton's method on it solves problems of contact_pass.h with A = (c_M M + c_C C + K) / c_M
 * and lever 1 / c_C. The velocity problem has A = M; its matrix is scaled alike, so that both share
 * the contacts' weights.
 */

/* y = M x, M at q+. */
static void find_momentum(const nsga_work *nsga, const double *x, double *y)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    haw_model_inertia(&simulation->model, simulation->implicit->q, nsga->rest, x, y);
}

/* ---- position ---- */

/* residual = M c_C U - (c_C / c_M) (F - F~) - H P, and what the laws say of its contacts. */
static haw_status evaluate(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_contacts *contacts = simulation->contacts;
    haw_pass *pass = simulation->pass;
    const int n = simulation->model.dofs;
    for (int i = 0; i < n; i++) {
        simulation->work[1][i] = c->rate * nsga->jump[i];
        implicit->u[i] = nsga->v_smooth[i] + simulation->work[1][i];
    }
    haw_model_move(&simulation->model, nsga->q_smooth, nsga->jump, implicit->q);
    haw_model_place(&simulation->model, c->t, implicit->q);
    HAW_TRY(haw_implicit_forces(simulation, c->t, 1, implicit->q, implicit->u, &implicit->now));
    HAW_TRY(haw_pass_detect(pass, simulation->state->q, implicit->q, implicit->u, nsga->margin));
    for (int i = 0; i < contacts->dimension * contacts->count; i++) {
        pass->shift[i] = c->rate * pass->way[i];
    }
    if (nsga->options->friction_level == HAW_FRICTION_VELOCITY) { /* none on positions */
        memset(contacts->problem.mu, 0, (size_t)contacts->count * sizeof(double));
    }
    haw_pass_push(simulation, simulation->push);
    find_momentum(nsga, simulation->work[1], implicit->mass_work);
    for (int i = 0; i < n; i++) {
        implicit->residual[i] = implicit->mass_work[i] - simulation->push[i] -
                                nsga->part * (implicit->now.total[i] - nsga->smooth.total[i]);
    }
    simulation->balance.norm = haw_free_norm(implicit->system, implicit->residual);
    return HAW_OK;
}

/* Nothing touches: the smooth motion stands. */
static bool is_free(const haw_contacts *contacts)
{
    for (int i = 0; i < contacts->count; i++) {
        if (!(contacts->item[i].gap > 0) || contacts->impulse[contacts->dimension * i] > 0) {
            return false;
        }
    }
    return true;
}

static haw_status iterate(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    double *right = simulation->u_free;
    for (int i = 0; i < simulation->model.dofs; i++) {
        right[i] = -(implicit->residual[i] + simulation->push[i]);
    }
    haw_forces_assemble(implicit->system, simulation->compliant, implicit->q, implicit->u, c->mass,
                        c->rate);
    haw_contacts_tangent(simulation->contacts, 1 / nsga->part, implicit->system);
    HAW_TRY(haw_pass_solve(simulation->pass, 1 / c->mass, right, implicit->direction));
    const int n = simulation->model.dofs;
    const double part = limit_turns(&simulation->model, 1 / c->rate, implicit->direction);
    haw_axpy(n, part / c->rate, implicit->direction, nsga->jump);
    simulation->certificate.newton_iterations++;
    return evaluate(nsga);
}

/* Start where the last displacement leads: without contact a cable may be far from where it is. */
static haw_status start(nsga_work *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    if (nsga->last_h == 0) {
        return HAW_OK;
    }
    for (int i = 0; i < simulation->model.dofs; i++) {
        implicit->direction[i] = nsga->alpha.h / nsga->last_h * nsga->last[i];
    }
    haw_model_move(&simulation->model, simulation->state->q, implicit->direction, implicit->q);
    haw_model_place(&simulation->model, nsga->alpha.t, implicit->q);
    haw_model_difference(&simulation->model, nsga->q_smooth, implicit->q, nsga->jump);
    for (int i = 0; i < simulation->model.dofs; i++) { /* in the plane these are integrated */
        nsga->jump[i] = implicit->system->equation[i] < 0 ? 0 : nsga->jump[i];
    }
    return evaluate(nsga);
}

static haw_status correct_position(nsga_work *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    memset(nsga->jump, 0, (size_t)simulation->model.dofs * sizeof(double));
    nsga->margin = haw_pass_margin(simulation, 2, 0.1);
    HAW_TRY(evaluate(nsga));
    if (is_free(simulation->contacts)) {
        return HAW_OK;
    }
    nsga->is_corrected = true;
    HAW_TRY(start(nsga));
    for (int k = 0; k < nsga->options->max_newton; k++) {
        const haw_status status = iterate(nsga);
        if (status == HAW_ERR_SINGULAR || !isfinite(simulation->balance.norm)) {
            return haw_implicit_missed(simulation, "passes of the position problem", k + 1);
        }
        HAW_TRY(status);
        refer(nsga);
        if (haw_pass_judge(simulation->pass) && haw_implicit_balances(simulation)) {
            return HAW_OK;
        }
    }
    return haw_implicit_missed(simulation, "passes of the position problem",
                               nsga->options->max_newton);
}

/* ---- velocity ---- */

/* Only closed contacts take part; their friction is that of the model. */
static haw_status choose_closed(nsga_work *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_pass *pass = simulation->pass;
    const ptrdiff_t d = contacts->dimension;
    const double near = simulation->report.tolerance * pass->reference / nsga->alpha.rate;
    int kept = 0;
    for (int i = 0; i < contacts->count; i++) {
        double *impulse = contacts->impulse + d * kept;
        memmove(impulse, contacts->impulse + d * i, (size_t)d * sizeof *impulse);
        memmove(pass->way + d * kept, pass->way + d * i, (size_t)d * sizeof *pass->way);
        contacts->item[kept] = contacts->item[i];
        contacts->problem.mu[kept] =
            simulation->model.pair[contacts->item[i].pair].options.friction;
        kept += impulse[0] > 0 || contacts->item[i].gap <= near ? 1 : 0;
    }
    contacts->count = contacts->problem.contacts = kept;
    return haw_contact_rows(contacts, simulation->implicit->system, &pass->arena, &pass->global.ht);
}

/* c_M M: c_M as in the position problem, so that the weights stay. */
static void assemble_mass(const nsga_work *nsga)
{
    const haw_implicit *implicit = nsga->alpha.simulation->implicit;
    haw_system_clear(implicit->system);
    haw_system_add_mass(implicit->system, implicit->q, nsga->alpha.mass);
}

/* v+ = v~ + M^-1 (M c_C U - H P_q + H P), P_q the impulses of the position problem. */
static haw_status solve_closed(nsga_work *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    double *still = contacts->gamma_plus;
    haw_contacts_velocity(contacts, simulation->state->u, contacts->gamma_minus);
    haw_contacts_velocity(contacts, nsga->v_smooth, still);
    for (int i = 0; i < contacts->count; i++) { /* Newton's impact law: v+ + e v- */
        const haw_pair *pair = &simulation->model.pair[contacts->item[i].pair];
        double *shift = simulation->pass->shift + (ptrdiff_t)d * i;
        pair->law->shift(&pair->options, d, contacts->gamma_minus + (ptrdiff_t)d * i, shift);
        haw_axpy(d, 1, still + (ptrdiff_t)d * i, shift);
    }
    assemble_mass(nsga);
    HAW_TRY(haw_pass_solve(simulation->pass, 1 / nsga->alpha.mass, nsga->corrected,
                           implicit->direction));
    haw_axpy(d * contacts->count, 1, still, contacts->gamma_free);
    memcpy(simulation->u_plus, nsga->v_smooth, (size_t)simulation->model.dofs * sizeof(double));
    haw_axpy(simulation->model.dofs, 1, implicit->direction, simulation->u_plus);
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    return HAW_OK;
}

static haw_status correct_velocity(nsga_work *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_report *report = &simulation->report;
    const int n = simulation->model.dofs;
    const double position = report->residual.natural;
    memcpy(simulation->u_plus, simulation->implicit->u, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        simulation->work[1][i] = nsga->alpha.rate * nsga->jump[i];
    }
    find_momentum(nsga, simulation->work[1], nsga->corrected);
    haw_axpy(n, -1, simulation->push, nsga->corrected); /* with the rows at q+ */
    if (simulation->contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(choose_closed(nsga));
    HAW_TRY(simulation->contacts->count > 0 ? solve_closed(nsga) : HAW_OK);
    haw_pass_push(simulation, simulation->push);
    if (report->outcome != HAW_CONVERGED) {
        return haw_implicit_missed(simulation, "pass of the velocity problem", 1);
    }
    report->residual.natural = fmax(report->residual.natural, position);
    return HAW_OK;
}

/* That of the velocities, M (v+ - v~) = M c_C U - H P_q + H P. */
static haw_status complete_problem(haw_simulation *simulation)
{
    const nsga_work *nsga = simulation->method;
    assemble_mass(nsga);
    return haw_pass_problem(simulation->pass, 1 / nsga->alpha.mass, nsga->corrected);
}

/* ---- accelerations ---- */

/* change -= c_M times what the inertia forces of the smooth accelerations have grown by. */
static void change_inertia(const nsga_work *nsga, double *change)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_model *model = &simulation->model;
    double *smooth = simulation->work[0], *now = simulation->work[1];
    haw_model_inertia(model, nsga->q_smooth, nsga->v_smooth, implicit->acceleration, smooth);
    haw_model_inertia(model, implicit->q, simulation->u_plus, implicit->acceleration, now);
    haw_axpy(model->dofs, nsga->alpha.mass, smooth, change);
    haw_axpy(model->dofs, -nsga->alpha.mass, now, change);
}

static haw_status correct_acceleration(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    double *change = implicit->direction;
    HAW_TRY(
        haw_implicit_forces(simulation, c->t, 1, implicit->q, simulation->u_plus, &implicit->now));
    if (!nsga->is_corrected) {
        return HAW_OK;
    }
    for (int i = 0; i < n; i++) {
        change[i] = c->mass * (implicit->now.total[i] - nsga->smooth.total[i]);
    }
    if (haw_model_is_gyroscopic(&simulation->model)) {
        change_inertia(nsga, change);
    }
    assemble_mass(nsga);
    simulation->certificate.factorizations++;
    HAW_TRY(haw_system_factor(implicit->system));
    haw_system_solve(implicit->system, change);
    haw_axpy(n, 1, change, implicit->acceleration);
    haw_axpy(n, (1 - c->alpha_f) / (1 - c->alpha_m), change, implicit->a);
    return HAW_OK;
}

/* ---- ledger ---- */

/*
 * With u_mean = (v + v+) / 2, a constant mass and b = (1 - gamma) a +
 * gamma a+, the momentum of a step is
 *
 *     M (v+ - v) = h M b + (M c_C U - H P_q) + H P + R = I + H P + R + A,
 *     I = h (F(t, q, v) + F(t+, q+, v+)) / 2,
 *
 * R the impulses of prescribed motions: each kind of force does the work of its trapezoidal
 * impulse on u_mean, and
 *
 *     numerical_loss = -((I_conservative + I_gyroscopic) . u_mean + dV) - A . u_mean - B,
 *     A = h M b + M c_C U - H P_q - I,   B = H P . u_mean + friction_loss + impact_loss,
 *
 * A the momentum that the algorithm makes beside the forces: damping of rho_infinity < 1, and what
 * forces differ between the smooth motion and the corrected one. Contacts lose energy as P does
 * work on u_mean, with the rows at the end of the step. But what was closed before and stays closed
 * loses friction on its way along the surface alone, -P_T . way_T / h: positions and velocities are
 * corrected by problems of their own, and at the edge of sticking the velocities of one step are
 * noise that the next one takes back. B is the work of P_T on that noise.
 *
 * Where M depends on q, all this is with M(q+), and
 *
 *     transport = dT - u_mean . M(q+) (v+ - v)
 *
 * is made besides.
 */

/*
 * Work of A and transport, where the kinetic energy has changed by this, and of the impulses of the
 * prescribed motions, which stay in simulation->reaction. What the smooth motion and the position
 * problem give to the momentum is that without H P.
 */
static void split(nsga_work *nsga, double change, double *made, double *reaction)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    double *given = simulation->work[1], *momentum = simulation->work[0];
    *reaction = 0;
    for (int i = 0; i < state->dofs; i++) {
        given[i] = nsga->v_smooth[i] - state->u[i];
    }
    find_momentum(nsga, given, momentum);
    haw_axpy(state->dofs, 1, nsga->corrected, momentum);
    for (int i = 0; i < state->dofs; i++) {
        given[i] = simulation->u_plus[i] - state->u[i];
    }
    find_momentum(nsga, given, implicit->mass_work);
    const bool varies = haw_model_is_gyroscopic(&simulation->model);
    *made = varies ? change - haw_dot(state->dofs, implicit->mass_work, simulation->u_mean) : 0;
    for (int i = 0; i < state->dofs; i++) {
        const double impulse =
            0.5 * nsga->alpha.h * (implicit->before.total[i] + implicit->now.total[i]);
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] =
            is_prescribed ? implicit->mass_work[i] - impulse - simulation->push[i] : 0;
        *reaction += simulation->reaction[i] * simulation->u_mean[i];
        *made += is_prescribed ? 0 : (momentum[i] - impulse) * simulation->u_mean[i];
    }
}

/* B, and the losses of contacts; the impulses of the state are those of the last step. */
static double find_losses(const nsga_work *nsga, double *friction, double *impact)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_contacts *contacts = simulation->contacts;
    const ptrdiff_t d = contacts->dimension;
    double noise = 0;
    *friction = *impact = 0;
    for (ptrdiff_t i = 0; i < contacts->count; i++) {
        const double *minus = contacts->gamma_minus + d * i, *plus = contacts->gamma_plus + d * i;
        const double *impulse = contacts->impulse + d * i, *way = simulation->pass->way + d * i;
        const bool stays = simulation->state->impulse[d * contacts->item[i].id] > 0;
        double along = 0, slid = 0;
        for (int k = 1; k < d; k++) {
            along += 0.5 * impulse[k] * (minus[k] + plus[k]);
            slid += impulse[k] * way[k] / nsga->alpha.h;
        }
        *friction -= stays ? slid : along;
        *impact -= 0.5 * impulse[0] * (minus[0] + plus[0]);
        noise += stays ? along - slid : 0;
    }
    return noise;
}

static void find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    static const double part[2] = {0.5, 0.5};
    nsga_work *nsga = simulation->method;
    double made;
    haw_implicit_mean(simulation);
    const double noise = find_losses(nsga, &work->friction, &work->impact);
    split(nsga, end->kinetic - simulation->kinetic, &made, &work->reactions);
    work->mesh =
        haw_implicit_mesh_work(simulation->implicit, simulation->reaction, simulation->u_mean);
    work->of = haw_implicit_work(simulation->implicit, part, nsga->alpha.h, simulation->u_mean);
    work->made = made + noise;
}

/* ---- step ---- */

static haw_status predict(haw_simulation *simulation)
{
    nsga_work *nsga = simulation->method;
    nsga->alpha = (haw_alpha_step){
        .simulation = simulation, .h = simulation->h, .t = simulation->state->t + simulation->h};
    nsga->options = (const void *)simulation->settings.stepper.options;
    nsga->is_corrected = false;
    haw_alpha_coefficients(&nsga->alpha, nsga->options->rho_infinity);
    nsga->part = nsga->alpha.rate / nsga->alpha.mass;
    simulation->implicit->noise = haw_forces_noise(&simulation->model, simulation->state->q);
    haw_pass_begin(simulation->pass);
    if (!simulation->implicit->is_current) {
        nsga->last_h = 0;
        HAW_TRY(haw_alpha_start(&nsga->alpha));
    }
    predict_smooth(nsga);
    return HAW_OK;
}

static haw_status solve(haw_simulation *simulation)
{
    nsga_work *nsga = simulation->method;
    HAW_TRY(move_smoothly(nsga));
    const haw_status position = correct_position(nsga);
    const bool goes_on = position == HAW_ERR_UNCONVERGED && isfinite(simulation->balance.norm);
    HAW_TRY(goes_on ? HAW_OK : position); /* a miss may only be a warning */
    const haw_status velocity = correct_velocity(nsga);
    return position != HAW_OK && velocity == HAW_OK ? position : velocity;
}

static haw_status close_step(haw_simulation *simulation, haw_step_end *end)
{
    const haw_implicit *implicit = simulation->implicit;
    nsga_work *nsga = simulation->method;
    HAW_TRY(correct_acceleration(nsga));
    haw_model_difference(&simulation->model, simulation->state->q, implicit->q, nsga->last);
    nsga->last_h = nsga->alpha.h;
    *end = (haw_step_end){.q = implicit->q,
                          .u = simulation->u_plus,
                          .a = implicit->a,
                          .vdot = implicit->acceleration};
    return HAW_OK;
}

/* The forces of the end are those of the next start. */
static void turn_over(haw_simulation *simulation)
{
    haw_implicit_turn_over(simulation->implicit);
}

const haw_stepper_ops haw_stepper_nsga = {
    .row.name = "nsga",
    .row.summary = "nonsmooth generalized-alpha: smooth motion, then positions and velocities "
                   "corrected",
    .row.source =
        "O. Bruels, V. Acary, A. Cardona, Comput. Methods Appl. Mech. Eng. 281 (2014) 131-161",
    .row.options = options,
    .row.options_size = sizeof(haw_alpha_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED |
             HAW_STEPPER_COMPLIANT | HAW_STEPPER_MIXED | HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS |
             HAW_STEPPER_VARIABLE_MASS,
    .order = 2,
    .prepare = prepare,
    .predict = predict,
    .solve = solve,
    .close = close_step,
    .find_work = find_work,
    .turn_over = turn_over,
    .complete_problem = complete_problem,
};
