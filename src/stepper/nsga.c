/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoupled nonsmooth generalized-alpha (O. Bruels, V. Acary, A. Cardona,
 * Comput. Methods Appl. Mech. Eng. 281 (2014) 131-161; A. Cosimo, J. Galvez, F. J. Cavalieri, A.
 * Cardona, O. Bruels, Multibody Syst. Dyn. 48 (2020) 127-149): a smooth motion q~, v~ that knows no
 * contact, M vdot~ = F(q~, v~), is corrected by U in its positions and by W in its velocities. With
 * c_M = (1 - alpha_m) / (beta h^2 (1 - alpha_f)), c_C = gamma / (beta h), U changes velocities by
 * c_C U and accelerations by c_M U as in the smooth motion:
 *
 *     position:  c_M M U - (F(q+, v~ + c_C U) - F~) = H nu,   0 <= nu_N  perp  g(q+) >= 0,
 *                -way_T in N_{C(mu nu_N)}(nu_T).
 *
 * The sum of both is generalized-alpha with the forces of contacts,
 *
 *     M vdot - F(q, v) = H nu,   v = v(q), vdot = vdot(q) by its formulas (generalized_alpha.c),
 *
 * whatever q~ is: so q+ is found by Newton's method from where the last displacement leads. A cable
 * pressed to a body would go far without contact, by the turns of its sections out of all bounds.
 *
 *     velocity:  M w = H_m P - H P_q,   P_q = (c_C / c_M) nu,   v+ = v(q+) + w,
 *                0 <= P_N  perp  v_N+ + e v_N >= 0,   -v_T+ in N_{C(mu P_N)}(P_T)  where closed,
 *
 * P the whole impulse of the step; P_q is what it would be if the velocities v(q+) were right. H_m
 * are the mean rows of both ends of the step (lean.h), as the forces that they resist are means.
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
#include "stepper/lean.h"

#include <math.h>
#include <string.h>

/* Workspace of a run, and the step on its way. */
typedef struct nsga_work {
    haw_alpha_step alpha; /* coefficients: mass c_M, rate c_C */
    const haw_alpha_options *options;
    double part;         /* c_C / c_M: impulse of a unit of the multiplier nu [s] */
    bool is_touched;     /* contacts took part */
    double *increment;   /* that moves q to the iterate [dofs] */
    double *positioned;  /* -H P_q, of the position problem [dofs] */
    double *given;       /* G mu of the velocity problem, and mu [dofs] */
    double *lambda;      /* of joints in the smooth motion before the step, as a tail [dofs] */
    double *next;        /* after it: G lambda, and lambda [dofs] */
    double *last[2];     /* displacements of the last two steps, the later one first; without
                            compliant contacts, or of another length, twice the same [dofs] */
    double *rest;        /* zeros [dofs] */
    double last_h;       /* their length, 0: none [s] */
    double margin;       /* of the detection in this step [m] */
    haw_leaning *before; /* by contact id, of the touches at the start */
    haw_leaning *now;    /* and of those of the velocities */
    haw_touch *ends;     /* these with their rows at the end, of the step at hand */
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
    HAW_TRY(haw_alpha_guard(simulation));
    HAW_TRY(haw_implicit_create(simulation, NULL));
    nsga_work *nsga = haw_arena_allocate(arena, 1, sizeof *nsga);
    simulation->method = nsga;
    HAW_TRY(haw_arena_status(arena));
    double **const vector[] = {&nsga->increment, &nsga->positioned, &nsga->last[0], &nsga->last[1],
                               &nsga->given,     &nsga->lambda,     &nsga->next,    &nsga->rest};
    HAW_TRY(haw_pass_create(simulation));
    nsga->before = haw_arena_allocate(arena, (size_t)model->points + 1, sizeof *nsga->before);
    nsga->now = haw_arena_allocate(arena, (size_t)model->points + 1, sizeof *nsga->now);
    HAW_TRY(haw_arena_status(arena));
    return haw_vectors_create(arena, model->dofs, sizeof vector / sizeof *vector, vector);
}

/* ---- joints ---- */

/* force = G lambda with the rows in implicit->hold; lambda the tail of u. */
static void push_joints(const haw_simulation *simulation, const double *u, double *force)
{
    const haw_model *model = &simulation->model;
    memset(force, 0, (size_t)haw_joints_dof(model) * sizeof *force);
    haw_joints_push(model, simulation->implicit->hold, 1, u + haw_joints_dof(model), force);
    haw_model_tie(model, force);
}

/* residual -= (c_C / c_M) G lambda, rows -(c_C / c_M) g. */
static void add_joints(const nsga_work *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_model *model = &simulation->model;
    haw_implicit *implicit = simulation->implicit;
    haw_joints_find(model, implicit->q, implicit->hold);
    push_joints(simulation, implicit->u, implicit->joint);
    haw_axpy(haw_joints_dof(model), -nsga->part, implicit->joint, implicit->residual);
    haw_joints_gaps(model, implicit->hold, -nsga->part, implicit->residual + haw_joints_dof(model));
}

/* Velocities and accelerations obey them too: rows and columns beside c_M M. */
static void join_mass(const nsga_work *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    haw_joints_add_columns(simulation->implicit->system, simulation->implicit->hold,
                           nsga->alpha.mass);
    haw_joints_add_rows(simulation->implicit->system, simulation->implicit->hold);
}

/* ---- iterate ---- */

static const double LIMIT = 0.3; /* turn in one Newton step [rad] */

enum {
    LATE = 8, /* passes after which compliant contacts are to lessen the residual */
    CUTS = 4  /* halvings of a step that does not */
};

/*
 * First guess: the last displacement again, or h v where there was none. The spins that impulses at
 * the surface of a thin cable leave behind would lead astray. It leaves a drum by R (omega h)^2,
 * further than compliant contacts reach: with these the last two displacements go on. Prescribed
 * velocities hold.
 */
static void predict_motion(const nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    const haw_simulation *simulation = c->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const double h = c->h, *a = state->a, *u = state->u, *v = implicit->u;
    haw_model_prescribe(&simulation->model, c->t, implicit->u);
    haw_model_guide(&simulation->model, state->q, u, h, implicit->u);
    for (int i = 0; i < state->dofs; i++) {
        const double known = u[i] + (1 - c->gamma) * h * a[i];
        const double way = 2 * nsga->last[0][i] - nsga->last[1][i];
        const double dq = nsga->last_h > 0 ? h / nsga->last_h * way : h * u[i];
        const double led = (dq / h - u[i]) / (c->beta * h) + (c->beta - 0.5) / c->beta * a[i];
        const bool is_prescribed = implicit->system->equation[i] < 0;
        implicit->a[i] = is_prescribed ? (v[i] - known) / (c->gamma * h) : led;
    }
    memset(nsga->increment, 0, (size_t)state->dofs * sizeof(double));
    haw_alpha_complete(c, nsga->increment, implicit->u);
}

/* Part of a Newton step in which no orientation turns by more than the limit. */
static double limit_turns(const haw_pass *pass, const double *direction)
{
    double most = 0;
    for (int i = 0; i < pass->turnings; i++) {
        most = fmax(most, haw_largest(3, direction + pass->turning[i].first));
    }
    return most > LIMIT ? LIMIT / most : 1;
}

static void refer(nsga_work *nsga)
{
    const haw_implicit *implicit = nsga->alpha.simulation->implicit;
    haw_implicit_refer(nsga->alpha.simulation, &implicit->now.model, implicit->u,
                       nsga->options->newton_tolerance);
}

/* ---- position ---- */

/*
 * residual = (c_C / c_M) (M vdot - F) - H P, and what the laws say of its contacts. Newton's method
 * on it solves problems of contact_pass.h with A = (c_M M + c_C C + K) / c_M and lever 1 / c_C.
 */
static haw_status evaluate(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_contacts *contacts = simulation->contacts;
    haw_pass *pass = simulation->pass;
    const int n = simulation->model.dofs;
    haw_model_move(&simulation->model, simulation->state->q, nsga->increment, implicit->q);
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
    haw_model_inertia(&simulation->model, implicit->q, implicit->u, implicit->acceleration,
                      implicit->mass_work);
    for (int i = 0; i < n; i++) {
        implicit->residual[i] =
            nsga->part * (implicit->mass_work[i] - implicit->now.total[i]) - simulation->push[i];
    }
    if (simulation->model.joints > 0) {
        add_joints(nsga);
    }
    simulation->balance.norm = haw_free_norm(implicit->system, implicit->residual);
    return HAW_OK;
}

/* c_M M + c_C C + K and what the turning of the rows adds. */
static void assemble(const nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    const haw_implicit *implicit = simulation->implicit;
    haw_implicit_assemble(simulation, implicit->q, implicit->u, c->mass, c->rate);
    haw_pass_add_turns(simulation, nsga->increment, c->mass);
    haw_contacts_tangent(simulation->contacts, 1 / nsga->part, implicit->system);
}

static haw_status iterate(nsga_work *nsga, int k)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    double *right = simulation->u_free, *direction = implicit->direction;
    for (int i = 0; i < n; i++) {
        right[i] = -(implicit->residual[i] + simulation->push[i]);
    }
    assemble(nsga);
    HAW_TRY(haw_pass_solve(simulation->pass, 1 / c->mass, right, direction));
    haw_pass_rates(simulation, nsga->increment, direction);
    for (int i = 0; i < n; i++) {
        direction[i] /= c->rate;
    }
    double part = limit_turns(simulation->pass, direction);
    const haw_balance *balance = &simulation->balance;
    const double limit = balance->norm;
    const int cuts = k >= LATE && simulation->compliant != NULL ? CUTS : 0;
    haw_alpha_move(c, part, nsga->increment, implicit->u);
    simulation->certificate.newton_iterations++;
    HAW_TRY(evaluate(nsga));
    for (int cut = 0; cut < cuts && !(balance->norm <= limit); cut++) {
        part *= 0.5;
        haw_alpha_move(c, -part, nsga->increment, implicit->u);
        haw_pass_shorten(simulation->pass, 0.5);
        HAW_TRY(evaluate(nsga));
    }
    return HAW_OK;
}

static bool is_solved(nsga_work *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    refer(nsga);
    return haw_pass_judge(simulation->pass) && haw_implicit_settles(simulation);
}

static haw_status find_position(nsga_work *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    nsga->margin = haw_pass_margin(simulation, 2, 0.1);
    HAW_TRY(evaluate(nsga));
    for (int k = 0; k < nsga->options->max_newton; k++) {
        const haw_status status = iterate(nsga, k);
        if (status == HAW_ERR_SINGULAR || !isfinite(simulation->balance.norm)) {
            simulation->balance.norm = (double)INFINITY; /* nothing can be built on this */
            return haw_implicit_missed(simulation, "passes of the position problem", k + 1);
        }
        HAW_TRY(status);
        if (is_solved(nsga)) {
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
    nsga->ends = haw_arena_allocate(&pass->arena, (size_t)kept + 1, sizeof *nsga->ends);
    HAW_TRY(haw_arena_status(&pass->arena));
    memcpy(nsga->ends, contacts->item, (size_t)kept * sizeof *nsga->ends);
    haw_lean(contacts, nsga->before, simulation->state->impulse, 0.5, nsga->increment, nsga->now);
    return haw_contact_rows(contacts, simulation->implicit->system, &pass->arena, &pass->global.ht);
}

/* c_M M: c_M as in the position problem, so that the weights of contacts stay. */
static void assemble_mass(const nsga_work *nsga)
{
    const haw_implicit *implicit = nsga->alpha.simulation->implicit;
    haw_system_clear(implicit->system);
    haw_system_add_mass(implicit->system, implicit->q, nsga->alpha.mass);
    if (nsga->alpha.simulation->model.joints > 0) {
        join_mass(nsga);
    }
}

/* What joints take in the velocity problem, G mu and mu. The force of the step is that of the
 * momentum: h lambda = (c_C / c_M) lambda+ + (h - c_C / c_M) lambda_smooth + mu. */
static void keep_joints(const nsga_work *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_model *model = &simulation->model;
    const haw_implicit *implicit = simulation->implicit;
    const double h = nsga->alpha.h;
    push_joints(simulation, implicit->direction, nsga->given);
    for (int i = haw_joints_dof(model); i < model->dofs; i++) {
        nsga->given[i] = implicit->direction[i];
        nsga->positioned[i] = implicit->direction[i] = 0;
        simulation->u_plus[i] =
            (nsga->part * implicit->u[i] + (h - nsga->part) * nsga->lambda[i] + nsga->given[i]) / h;
    }
}

/* gamma [d count] += factor H^T v, with the rows at the end. */
static void add_velocity(const nsga_work *nsga, double factor, const double *v, double *gamma)
{
    haw_contacts *contacts = nsga->alpha.simulation->contacts;
    haw_touch *leaning = contacts->item;
    contacts->item = nsga->ends;
    haw_contacts_velocity(contacts, v, contacts->gamma_free);
    contacts->item = leaning;
    haw_axpy(contacts->dimension * contacts->count, factor, contacts->gamma_free, gamma);
}

static bool leans(const nsga_work *nsga)
{
    const haw_contacts *contacts = nsga->alpha.simulation->contacts;
    bool any = false;
    for (int i = 0; i < contacts->count; i++) {
        any = any || nsga->now[contacts->item[i].id].is_mean;
    }
    return any;
}

/* right = -H P_q - M w, what is left for H_m P. */
static void find_left(const nsga_work *nsga, const double *w, double *right)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_system *system = simulation->implicit->system;
    double *x = simulation->pass->v, *y = simulation->pass->right;
    for (int i = 0; i < system->equations; i++) {
        x[i] = w[system->dof[i]];
        y[i] = nsga->positioned[system->dof[i]];
    }
    haw_matrix_multiply(system->matrix, -1 / nsga->alpha.mass, x, y);
    for (int i = 0; i < system->equations; i++) {
        right[system->dof[i]] = y[i];
    }
}

/*
 * v+ = v(q+) + w, w = M^-1 (H_m P - H P_q). The laws ask for the velocities along H, the solvers
 * know those along H_m: the difference for w, at most half a turn of the step times w, is found by
 * solving twice, for what the first time leaves: rounding, too, as what sticks is held by 1e8 times
 * its mass.
 */
static haw_status solve_closed(nsga_work *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension, rows = d * contacts->count;
    double *shift = simulation->pass->shift, *w = implicit->direction, *dw = nsga->next;
    double *right = simulation->u_free, *still = contacts->gamma_plus; /* of the laws without w */
    haw_contacts_velocity(contacts, simulation->state->u, contacts->gamma_minus);
    for (int i = 0; i < contacts->count; i++) { /* Newton's impact law: v+ + e v- */
        const haw_pair *pair = &simulation->model.pair[contacts->item[i].pair];
        const double *minus = contacts->gamma_minus + (ptrdiff_t)d * i;
        pair->law->shift(&pair->options, d, minus, still + (ptrdiff_t)d * i);
    }
    add_velocity(nsga, 1, implicit->u, still);
    assemble_mass(nsga);
    double *joint = nsga->positioned + haw_joints_dof(&simulation->model);
    haw_joints_rates(&simulation->model, implicit->hold, implicit->u, joint);
    for (int i = 0; i < simulation->model.multipliers; i++) {
        joint[i] /= nsga->alpha.mass;
    }
    memset(w, 0, (size_t)simulation->model.dofs * sizeof *w);
    for (int k = 0; k < (leans(nsga) ? 2 : 1); k++) {
        find_left(nsga, w, right);
        memcpy(shift, still, (size_t)rows * sizeof *shift);
        add_velocity(nsga, 1, w, shift);
        simulation->pass->is_judged = true;
        const haw_status status = haw_pass_solve(simulation->pass, 1 / nsga->alpha.mass, right, dw);
        simulation->pass->is_judged = false;
        HAW_TRY(status);
        haw_axpy(simulation->model.dofs, 1, dw, w);
    }
    keep_joints(nsga);
    haw_axpy(rows, 1, still, contacts->gamma_free);
    haw_axpy(simulation->model.dofs, 1, w, simulation->u_plus);
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    return HAW_OK;
}

static haw_status find_velocity(nsga_work *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_report *report = &simulation->report;
    const int n = simulation->model.dofs;
    const double position = report->residual.natural;
    memcpy(simulation->u_plus, simulation->implicit->u, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        nsga->positioned[i] = -simulation->push[i];
        nsga->given[i] = 0;
    }
    nsga->is_touched = simulation->contacts->count > 0;
    if (!nsga->is_touched) {
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

/* That of the last pass of the velocities. */
static haw_status complete_problem(haw_simulation *simulation)
{
    const nsga_work *nsga = simulation->method;
    assemble_mass(nsga);
    return haw_pass_problem(simulation->pass, 1 / nsga->alpha.mass, simulation->u_free);
}

/* ---- accelerations ---- */

/* x <- M^-1 x at q+. */
static haw_status divide_by_mass(const nsga_work *nsga, double *x)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    const haw_implicit *implicit = simulation->implicit;
    assemble_mass(nsga);
    for (int i = 0; i < simulation->model.dofs; i++) {
        x[i] *= nsga->alpha.mass;
    }
    simulation->certificate.factorizations++;
    HAW_TRY(haw_system_factor(implicit->system));
    haw_system_solve(implicit->system, x);
    return HAW_OK;
}

/* Those of the smooth motion that goes on from here: M vdot = F(q+, v+), without contacts. */
static haw_status find_acceleration(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    double *change = implicit->direction;
    memcpy(nsga->next, implicit->u, (size_t)n * sizeof(double));
    push_joints(simulation, implicit->u, nsga->next);
    if (!nsga->is_touched) {
        return HAW_OK;
    }
    HAW_TRY(
        haw_implicit_forces(simulation, c->t, 1, implicit->q, simulation->u_plus, &implicit->now));
    haw_model_inertia(&simulation->model, implicit->q, simulation->u_plus, implicit->acceleration,
                      change);
    for (int i = 0; i < n; i++) {
        change[i] = i < haw_joints_dof(&simulation->model) ? implicit->now.total[i] - change[i] : 0;
    }
    HAW_TRY(divide_by_mass(nsga, change));
    push_joints(simulation, change, nsga->next);
    for (int i = haw_joints_dof(&simulation->model); i < n; i++) {
        nsga->next[i] = change[i];
        change[i] = 0;
    }
    haw_axpy(n, 1, change, implicit->acceleration);
    haw_axpy(n, (1 - c->alpha_f) / (1 - c->alpha_m), change, implicit->a);
    return HAW_OK;
}

/* ---- ledger ---- */

/*
 * With u_mean = (v + v+) / 2, a constant mass and b = (1 - gamma) a +
 * gamma a+, the momentum of a step is
 *
 *     M (v+ - v) = h M b - H P_q + H P + R = I + H P + R + A,
 *     I = h (F(t, q, v) + F(t+, q+, v+)) / 2,
 *
 * R the impulses of prescribed motions: each kind of force does the work of its trapezoidal
 * impulse on u_mean, and
 *
 *     numerical_loss = -((I_conservative + I_gyroscopic) . u_mean + dV) - A . u_mean - B,
 *     A = h M b - H P_q - I,   B = H P . u_mean + friction_loss + impact_loss,
 *
 * A the momentum that the algorithm makes beside the forces: damping of rho_infinity < 1, and what
 * forces differ between the smooth motion and the corrected one. Contacts lose energy as P does
 * work on u_mean, with their mean rows. But what was closed before and stays closed
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
 * prescribed motions, which stay in simulation->reaction. The momentum of v(q+), less H P_q, is
 * that without H P.
 */
static void split(nsga_work *nsga, double change, double *made, double *reaction)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    double *given = simulation->work[1], *momentum = simulation->work[0];
    *reaction = 0;
    for (int i = 0; i < state->dofs; i++) {
        given[i] = implicit->u[i] - state->u[i];
    }
    haw_model_inertia(&simulation->model, implicit->q, nsga->rest, given, momentum);
    haw_axpy(state->dofs, 1, nsga->positioned, momentum);
    haw_axpy(state->dofs, 1, nsga->given, momentum);
    for (int i = 0; i < state->dofs; i++) {
        given[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_model_inertia(&simulation->model, implicit->q, nsga->rest, given, implicit->mass_work);
    const bool varies = haw_model_is_gyroscopic(&simulation->model);
    *made = varies ? change - haw_dot(state->dofs, implicit->mass_work, simulation->u_mean) : 0;
    for (int i = 0; i < haw_joints_dof(&simulation->model); i++) {
        const double impulse =
            0.5 * nsga->alpha.h * (implicit->before.total[i] + implicit->now.total[i]);
        const double joint = nsga->part * implicit->joint[i] + nsga->given[i] +
                             (nsga->alpha.h - nsga->part) * nsga->lambda[i];
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] =
            is_prescribed ? implicit->mass_work[i] - impulse - simulation->push[i] - joint : 0;
        *reaction += simulation->reaction[i] * simulation->u_mean[i];
        *made += (is_prescribed ? joint : momentum[i] - impulse) * simulation->u_mean[i];
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

/*
 * The first accelerations. M a = F would leave those that contacts are about to take away, and give
 * 1e8 rad/s^2 to sections of a thin cable whose frames the drawing has bent a little against their
 * chords: they would ring. So
 *
 *     (M + K / c_M) w = h F + H P,   0 <= P_N  perp  g / h + gamma_N + H_N w >= 0,
 *     -(gamma_T + H_T w) in N_{C(mu P_N)}(P_T),       a = (w - M^-1 H P) / h:
 *
 * contacts hold what they will hold, motions that h resolves keep their accelerations to O(h^2),
 * and a is that of the smooth motion, without contacts.
 */
static haw_status start_softly(nsga_work *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_state *state = simulation->state;
    haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    double *a = state->a, *w = implicit->direction, *free = simulation->work[0];
    memcpy(implicit->q, state->q, (size_t)simulation->model.coordinates * sizeof *a);
    HAW_TRY(haw_pass_detect(simulation->pass, state->q, state->q, NULL,
                            haw_pass_margin(simulation, 2, 0.1)));
    haw_contacts_velocity(contacts, state->u, contacts->gamma_minus);
    for (int i = 0; i < d * contacts->count; i++) {
        simulation->pass->shift[i] = simulation->pass->way[i] / c->h + contacts->gamma_minus[i];
    }
    for (int i = 0; i < state->dofs; i++) {
        free[i] = implicit->system->equation[i] >= 0 ? c->h * a[i] : 0;
    }
    haw_model_inertia(&simulation->model, state->q, nsga->rest, free, simulation->u_free);
    haw_forces_assemble(implicit->system, simulation->compliant, state->q, state->u, c->mass, 0);
    HAW_TRY(haw_pass_solve(simulation->pass, 1 / c->mass, simulation->u_free, w));
    haw_pass_push(simulation, free);
    HAW_TRY(divide_by_mass(nsga, free));
    for (int i = 0; i < state->dofs; i++) {
        a[i] = implicit->system->equation[i] >= 0 ? (w[i] - free[i]) / c->h : a[i];
    }
    memcpy(haw_alpha_acceleration(state), a, (size_t)state->dofs * sizeof *a);
    implicit->factor_h = (double)NAN;
    haw_pass_begin(simulation->pass);
    return HAW_OK;
}

/* Their forces where the run starts. */
static void start_joints(const nsga_work *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_state *state = simulation->state;
    haw_joints_find(&simulation->model, state->q, simulation->implicit->hold);
    memcpy(nsga->lambda, state->u, (size_t)state->dofs * sizeof(double));
    push_joints(simulation, state->u, nsga->lambda);
}

static haw_status predict(haw_simulation *simulation)
{
    nsga_work *nsga = simulation->method;
    nsga->alpha = (haw_alpha_step){
        .simulation = simulation, .h = simulation->h, .t = simulation->state->t + simulation->h};
    nsga->options = (const void *)simulation->settings.stepper.options;
    haw_alpha_coefficients(&nsga->alpha, nsga->options->rho_infinity);
    nsga->part = nsga->alpha.rate / nsga->alpha.mass;
    simulation->implicit->noise = haw_forces_noise(&simulation->model, simulation->state->q);
    haw_pass_begin(simulation->pass);
    if (!simulation->implicit->is_current) {
        const double *a = simulation->state->a;
        const bool is_first = haw_largest(2 * simulation->state->dofs, a) == 0;
        nsga->last_h = 0;
        HAW_TRY(haw_alpha_start(&nsga->alpha));
        HAW_TRY(is_first && simulation->model.joints == 0 ? start_softly(nsga) : HAW_OK);
        start_joints(nsga);
        HAW_TRY(haw_pass_find(simulation->pass, simulation->state->q, NULL, 0,
                              haw_pass_margin(simulation, 2, 0.1)));
        haw_lean_keep(simulation->contacts, nsga->before);
    }
    predict_motion(nsga);
    return HAW_OK;
}

static haw_status solve(haw_simulation *simulation)
{
    nsga_work *nsga = simulation->method;
    const haw_status position = find_position(nsga);
    const bool goes_on = position == HAW_ERR_UNCONVERGED && isfinite(simulation->balance.norm);
    HAW_TRY(goes_on ? HAW_OK : position); /* a miss may only be a warning */
    const haw_status velocity = find_velocity(nsga);
    return position != HAW_OK && velocity == HAW_OK ? position : velocity;
}

static haw_status close_step(haw_simulation *simulation, haw_step_end *end)
{
    const haw_implicit *implicit = simulation->implicit;
    nsga_work *nsga = simulation->method;
    HAW_TRY(find_acceleration(nsga));
    double *now = nsga->last[1], *before = nsga->last[0];
    haw_model_difference(&simulation->model, simulation->state->q, implicit->q, now);
    if (nsga->last_h != nsga->alpha.h || simulation->compliant == NULL) {
        memcpy(before, now, (size_t)simulation->model.dofs * sizeof *now);
    }
    nsga->last[0] = now;
    nsga->last[1] = before;
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
    const nsga_work *nsga = simulation->method;
    memcpy(nsga->lambda, nsga->next, (size_t)simulation->model.dofs * sizeof(double));
    haw_implicit_turn_over(simulation->implicit);
    for (int i = 0; i < simulation->contacts->count; i++) {
        const int id = simulation->contacts->item[i].id;
        nsga->before[id] = nsga->now[id];
    }
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
             HAW_STEPPER_VARIABLE_MASS | HAW_STEPPER_JOINTS,
    .order = 2,
    .prepare = prepare,
    .predict = predict,
    .solve = solve,
    .close = close_step,
    .find_work = find_work,
    .turn_over = turn_over,
    .settle = predict,
    .complete_problem = complete_problem,
};
