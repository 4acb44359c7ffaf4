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
 *     velocity:  M w + (c_C / c_M) C w = H_m P - H P_q,   v+ = v(q+) + w,   C = -dF/dv,
 *                P_q = (c_C / c_M) nu + (h - c_C / c_M) lambda,
 *                0 <= P_N  perp  v_N+ + e v_N >= 0,   -v_T+ in N_{C(mu P_N)}(P_T)  where closed,
 *
 * P the whole impulse of the step; P_q is what it would be if the velocities v(q+) were right. H_m
 * are the mean rows of both ends of the step (lean.h), as the forces that they resist are means.
 * Dampers resist w as they resist U: the masses alone would leave spins of thin sections that C
 * takes for motion. Elastic forces do not, as w moves nothing: q+ is found. While contacts stay w
 * is O(h^2), so that C w adds O(h^3) and the order is that of generalized-alpha; at rest w = 0.
 *
 * Contacts that stay have a force lambda in the accelerations from which the next step starts,
 *
 *     M vdot = F(q+, v+) + H lambda,   lambda = P / h,
 *
 * so that what rests has none and v(q+) = 0: without it dampers act on velocities
 * v(q+) = h (1 - gamma / (2 beta)) M^-1 F that are not there. C w, which a landing leaves without
 * lambda, is taken off with the matrix of v+: vdot changes by w c_M / c_C at most. An acceleration
 * level is also part of G. Capobianco, J. Harsch, S. R. Eugster, R. I. Leine, Int. J. Numer.
 * Methods Eng. 122 (2021) 6497-6526; there lambda is found by a problem of its own.
 *
 * Friction on velocities alone, the published wording, lets what sticks creep: on a slope the
 * smooth motion falls by g sin(theta) h^2 / 2 in every step, and only its velocity is taken back,
 * which is a speed of h g sin(theta) / 2. With the same law on the way of the step it stays.
 *
 * Compliant contacts are forces like others. In the plane the manifold is that of coordinates.
 *
 * Newton's method starts from the displacement of the last step: a run that goes on from a state
 * alone (haw_simulation_restore) agrees with one that was not interrupted to its tolerance.
 */
#include "stepper/nsga.h"

#include "model/system.h"
#include "stepper/contact_pass.h"

#include <math.h>
#include <string.h>

static const haw_option options[] = {
    HAW_STEPPER_OPTIONS(1e-3),
    HAW_ALPHA_OPTION("rho_infinity", HAW_OPTION_REAL, rho_infinity, 0.5, 0, 1, "",
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
    haw_nsga *nsga = haw_arena_allocate(arena, 1, sizeof *nsga);
    simulation->method = nsga;
    HAW_TRY(haw_arena_status(arena));
    double **const vector[] = {&nsga->increment, &nsga->positioned, &nsga->last[0], &nsga->last[1],
                               &nsga->given,     &nsga->lambda,     &nsga->next,    &nsga->rest,
                               &nsga->borne,     &nsga->bears,      &nsga->leaving};
    HAW_TRY(haw_pass_create(simulation));
    simulation->pass->is_wary = true; /* forces go on: what a near start leaves would pile up */
    const size_t rows = ((size_t)model->points + 1) * (size_t)simulation->contacts->dimension;
    nsga->force = haw_arena_allocate(arena, rows, sizeof(double));
    nsga->found = haw_arena_allocate(arena, rows, sizeof(double));
    nsga->before = haw_arena_allocate(arena, (size_t)model->points + 1, sizeof *nsga->before);
    nsga->now = haw_arena_allocate(arena, (size_t)model->points + 1, sizeof *nsga->now);
    HAW_TRY(haw_arena_status(arena));
    return haw_vectors_create(arena, model->dofs, sizeof vector / sizeof *vector, vector);
}

/* ---- joints ---- */

void haw_nsga_push_joints(const haw_simulation *simulation, const double *u, double *force)
{
    const haw_model *model = &simulation->model;
    memset(force, 0, (size_t)haw_joints_dof(model) * sizeof *force);
    haw_joints_push(model, simulation->implicit->hold, 1, u + haw_joints_dof(model), force);
    haw_model_tie(model, force);
}

/* residual -= (c_C / c_M) G lambda, rows -(c_C / c_M) g. */
static void add_joints(const haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_model *model = &simulation->model;
    haw_implicit *implicit = simulation->implicit;
    haw_joints_find(model, implicit->q, implicit->hold);
    haw_nsga_push_joints(simulation, implicit->u, implicit->joint);
    haw_axpy(haw_joints_dof(model), -nsga->part, implicit->joint, implicit->residual);
    haw_joints_gaps(model, implicit->hold, -nsga->part, implicit->residual + haw_joints_dof(model));
}

/* ---- iterate ---- */

static const double LIMIT = 0.3; /* turn in one Newton step [rad] */

enum {
    LATE = 8, /* passes after which compliant contacts are to lessen the residual */
    CUTS = 4  /* halvings of a step that does not */
};

/*
 * First guess: the last two displacements go on, or the last one again after contacts, or h v where
 * there was none. The spins that impulses at the surface of a thin cable leave behind would lead
 * astray; joints that a guess nearly closes would leave the error c_M g to their forces. A
 * displacement again leaves a drum by R (omega h)^2, further than compliant contacts reach: with
 * these both go on in any case. Prescribed velocities hold.
 */
static void predict_motion(const haw_nsga *nsga)
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

static void refer(haw_nsga *nsga)
{
    const haw_implicit *implicit = nsga->alpha.simulation->implicit;
    haw_implicit_refer(nsga->alpha.simulation, &implicit->now.model, implicit->u,
                       nsga->options->newton_tolerance);
}

/* ---- position ---- */

void haw_nsga_choose_friction(const haw_nsga *nsga)
{
    haw_contacts *contacts = nsga->alpha.simulation->contacts;
    if (nsga->options->friction_level == HAW_FRICTION_VELOCITY) {
        memset(contacts->problem.mu, 0, (size_t)contacts->count * sizeof(double));
    }
}

/*
 * residual = (c_C / c_M) (M vdot - F) - H P, and what the laws say of its contacts. Newton's method
 * on it solves problems of contact_pass.h with A = (c_M M + c_C C + K) / c_M and lever 1 / c_C.
 */
static haw_status evaluate(haw_nsga *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_contacts *contacts = simulation->contacts;
    haw_pass *pass = simulation->pass;
    const int n = simulation->model.dofs;
    haw_model_move(&simulation->model, simulation->state->q, 1, nsga->increment, implicit->q);
    haw_model_place(&simulation->model, c->t, implicit->q);
    HAW_TRY(haw_implicit_forces(simulation, c->t, 1, implicit->q, implicit->u, &implicit->now));
    HAW_TRY(haw_pass_detect(pass, simulation->state->q, implicit->q, implicit->u, nsga->margin));
    for (int i = 0; i < contacts->dimension * contacts->count; i++) {
        pass->shift[i] = c->rate * pass->way[i];
    }
    haw_nsga_choose_friction(nsga);
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
static void assemble(const haw_nsga *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    const haw_implicit *implicit = simulation->implicit;
    haw_implicit_assemble(simulation, implicit->q, implicit->u, c->mass, c->rate);
    haw_pass_add_turns(simulation, nsga->increment, c->mass);
    haw_contacts_tangent(simulation->contacts, 1 / nsga->part, implicit->system);
}

static haw_status iterate(haw_nsga *nsga, int k)
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

static bool is_solved(haw_nsga *nsga)
{
    static const double mean[] = {0.5, 0.5};
    const haw_simulation *simulation = nsga->alpha.simulation;
    refer(nsga);
    return haw_pass_judge(simulation->pass) && haw_implicit_settles(simulation) &&
           haw_implicit_closes(simulation, mean, simulation->implicit->u);
}

static haw_status find_position(haw_nsga *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    nsga->margin = haw_pass_margin(simulation, 2, 0.1);
    simulation->implicit->closings = 0;
    HAW_TRY(evaluate(nsga));
    for (int k = 0; k < nsga->options->max_newton; k++) {
        const haw_status status = iterate(nsga, k);
        if (status == HAW_ERR_SINGULAR || !isfinite(simulation->balance.norm)) {
            simulation->balance.norm = (double)INFINITY; /* nothing can be built on this */
            return haw_implicit_missed(simulation, "passes of the position problem", k + 1);
        }
        HAW_TRY(status);
        if (is_solved(nsga) && !haw_implicit_refine(simulation)) {
            return HAW_OK;
        }
    }
    return haw_implicit_missed(simulation, "passes of the position problem",
                               nsga->options->max_newton);
}

/* ---- velocity ---- */

/* Over what the tolerance allows: less of an impulse, in a contact that is open by more than the
 * tolerance, is left of rounding. */
static const double TRACE = 1e-6;

static bool is_closed(const haw_nsga *nsga, int i)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *touch = &contacts->item[i];
    const double near = simulation->report.tolerance * simulation->pass->reference;
    const double pressed =
        simulation->pass->weight[touch->id] * contacts->impulse[(ptrdiff_t)contacts->dimension * i];
    return nsga->alpha.rate * touch->gap <= near || pressed > TRACE * near;
}

static void forget_found(const haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const size_t rows = (size_t)simulation->model.points * (size_t)simulation->contacts->dimension;
    memset(nsga->found, 0, rows * sizeof *nsga->found);
}

/* push = factor H force of the contacts at hand, with forces by contact id. */
static void push_force(const haw_nsga *nsga, const double *force, double factor, double *push)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_contacts *contacts = simulation->contacts;
    const ptrdiff_t d = contacts->dimension;
    double *listed = simulation->pass->u;
    for (ptrdiff_t i = 0; i < d * contacts->count; i++) {
        listed[i] = factor * force[d * contacts->item[i / d].id + i % d];
    }
    memset(push, 0, (size_t)simulation->model.dofs * sizeof *push);
    haw_contacts_apply(contacts, listed, push);
    haw_model_tie(&simulation->model, push);
}

/* Only closed contacts take part; their friction is that of the model. */
static haw_status choose_closed(haw_nsga *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_pass *pass = simulation->pass;
    const ptrdiff_t d = contacts->dimension;
    int kept = 0;
    for (int i = 0; i < contacts->count; i++) {
        const bool stays = is_closed(nsga, i);
        double *impulse = contacts->impulse + d * kept;
        memmove(impulse, contacts->impulse + d * i, (size_t)d * sizeof *impulse);
        memmove(pass->way + d * kept, pass->way + d * i, (size_t)d * sizeof *pass->way);
        contacts->item[kept] = contacts->item[i];
        contacts->problem.mu[kept] =
            simulation->model.pair[contacts->item[i].pair].options.friction;
        kept += stays ? 1 : 0;
    }
    contacts->count = contacts->problem.contacts = kept;
    nsga->ends = haw_arena_allocate(&pass->arena, (size_t)kept + 1, sizeof *nsga->ends);
    HAW_TRY(haw_arena_status(&pass->arena));
    memcpy(nsga->ends, contacts->item, (size_t)kept * sizeof *nsga->ends);
    haw_lean(contacts, nsga->before, simulation->state->impulse, 0.5, nsga->increment, nsga->now);
    const haw_system *system = simulation->implicit->system;
    return haw_contact_rows(contacts, system->equation, system->equations, &pass->arena,
                            &pass->global.ht);
}

/*
 * positioned = -H P_q: what accelerations and multipliers give to the impulses of the step through
 * contacts that are closed. lambda acted along the rows at the start, which are twice the mean ones
 * less those at the end but for the places where the contact is: as P has one place, a moment about
 * the other would go into spins of light sections. That moment, and all that opens has given, is in
 * vdot and stays: the elastic forces that it was in balance with would drive the mass alone, which
 * they do not in a step that resolves it.
 */
static void take_over(haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_touch *leaning = contacts->item;
    const double rest = nsga->alpha.h - nsga->part;
    const int n = simulation->model.dofs;
    double *gave = nsga->next;
    for (int i = 0; i < n; i++) {
        nsga->positioned[i] = -simulation->push[i] - (nsga->is_parted ? 0 : rest * nsga->borne[i]);
        nsga->leaving[i] = nsga->is_parted ? rest * nsga->borne[i] : 0;
    }
    for (int k = 0; k < 2 && nsga->is_parted; k++) {
        contacts->item = k == 0 ? leaning : nsga->ends;
        push_force(nsga, nsga->force, k == 0 ? 2 * rest : -rest, gave);
        haw_axpy(n, -1, gave, nsga->positioned);
        haw_axpy(n, -1, gave, nsga->leaving);
    }
    contacts->item = leaning;
}

/* c_M M + c_C C: c_M as in the position problem, so that the weights of contacts stay. C is that of
 * rest, of dampers alone: with spins that a landing leaves gyroscopic terms would exceed M.
 * Velocities and accelerations obey joints too. */
static void assemble_mass(const haw_nsga *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    const haw_implicit *implicit = c->simulation->implicit;
    haw_forces_assemble_rates(implicit->system, c->simulation->compliant, implicit->q, nsga->rest,
                              c->mass, c->rate);
    if (c->simulation->model.joints > 0) {
        haw_joints_add_columns(implicit->system, implicit->hold, c->mass);
        haw_joints_add_rows(implicit->system, implicit->hold);
    }
}

/* What joints take in the velocity problem, G mu and mu. The force of the step is that of the
 * momentum: h lambda = (c_C / c_M) lambda+ + (h - c_C / c_M) lambda_smooth + mu. */
static void keep_joints(const haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_model *model = &simulation->model;
    const haw_implicit *implicit = simulation->implicit;
    const double h = nsga->alpha.h;
    haw_nsga_push_joints(simulation, implicit->direction, nsga->given);
    for (int i = haw_joints_dof(model); i < model->dofs; i++) {
        nsga->given[i] = implicit->direction[i];
        nsga->positioned[i] = implicit->direction[i] = 0;
        simulation->u_plus[i] =
            (nsga->part * implicit->u[i] + (h - nsga->part) * nsga->lambda[i] + nsga->given[i]) / h;
    }
}

/* gamma [d count] += factor H^T v, with the rows at the end. */
static void add_velocity(const haw_nsga *nsga, double factor, const double *v, double *gamma)
{
    haw_contacts *contacts = nsga->alpha.simulation->contacts;
    double *rates = nsga->alpha.simulation->pass->u;
    haw_touch *leaning = contacts->item;
    contacts->item = nsga->ends;
    haw_contacts_velocity(contacts, v, rates);
    contacts->item = leaning;
    haw_axpy(contacts->dimension * contacts->count, factor, rates, gamma);
}

static bool leans(const haw_nsga *nsga)
{
    const haw_contacts *contacts = nsga->alpha.simulation->contacts;
    bool any = false;
    for (int i = 0; i < contacts->count; i++) {
        any = any || nsga->now[contacts->item[i].id].is_mean;
    }
    return any;
}

/* right = b - (M + c_C / c_M C) w: with b = -H P_q what is left for H_m P. */
static void find_left(const haw_nsga *nsga, const double *b, const double *w, double *right)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_system *system = simulation->implicit->system;
    double *x = simulation->pass->v, *y = simulation->pass->right;
    for (int i = 0; i < system->equations; i++) {
        x[i] = w[system->dof[i]];
        y[i] = b[system->dof[i]];
    }
    haw_matrix_multiply(system->matrix, -1 / nsga->alpha.mass, x, y);
    for (int i = 0; i < system->equations; i++) {
        right[system->dof[i]] = y[i];
    }
}

/* positioned -= (c_C / c_M) C w; without the multipliers behind w. */
static void keep_damping(const haw_nsga *nsga, const double *w)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs, free = haw_joints_dof(&simulation->model);
    double *momentum = simulation->work[0], *damping = simulation->work[1], *jump = nsga->next;
    for (int i = 0; i < n; i++) {
        jump[i] = i < free ? w[i] : 0;
        damping[i] = 0; /* also of copies of nodes, whose share is at the first */
    }
    haw_model_inertia(&simulation->model, implicit->q, nsga->rest, jump, momentum);
    find_left(nsga, momentum, jump, damping);
    for (int i = 0; i < free; i++) {
        nsga->positioned[i] += implicit->system->equation[i] >= 0 ? damping[i] : 0;
    }
}

/*
 * v+ = v(q+) + w, M w + (c_C / c_M) C w = H_m P - H P_q. The laws ask for the velocities along H,
 * the solvers know those along H_m: the difference for w, at most half a turn of the step times w,
 * is found by solving twice, for what the first time leaves: rounding, too, as what sticks is held
 * by 1e8 times its mass.
 */
static haw_status solve_closed(haw_nsga *nsga)
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
    if (simulation->compliant != NULL) { /* for readers: C is another one once w was found */
        HAW_TRY(haw_contact_matrix(simulation->implicit->system, 1 / nsga->alpha.mass,
                                   &simulation->pass->arena, &simulation->pass->global.m));
    }
    double *joint = nsga->positioned + haw_joints_dof(&simulation->model);
    haw_joints_rates(&simulation->model, implicit->hold, implicit->u, joint);
    for (int i = 0; i < simulation->model.multipliers; i++) {
        joint[i] /= nsga->alpha.mass;
    }
    memset(w, 0, (size_t)simulation->model.dofs * sizeof *w);
    for (int k = 0, times = leans(nsga) ? 2 : 1; k <= times; k++) {
        find_left(nsga, nsga->positioned, w, right);
        memcpy(shift, still, (size_t)rows * sizeof *shift);
        add_velocity(nsga, 1, w, shift);
        if (k == times) {
            break; /* for readers */
        }
        simulation->pass->is_judged = true;
        const haw_status status = haw_pass_solve(simulation->pass, 1 / nsga->alpha.mass, right, dw);
        simulation->pass->is_judged = false;
        HAW_TRY(status);
        haw_axpy(simulation->model.dofs, 1, dw, w);
    }
    keep_damping(nsga, w);
    keep_joints(nsga);
    haw_axpy(rows, 1, still, contacts->gamma_free);
    haw_axpy(simulation->model.dofs, 1, w, simulation->u_plus);
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    return HAW_OK;
}

/*
 * lambda = P / h of what was closed before and stays closed; the impulse of a landing is no force
 * that goes on. nu would do for rho_infinity < 1 but alternates for 1, and what parts of it are the
 * lesser would depend on how the points of an element share their load. bears = H lambda with the
 * rows at the end.
 */
static void find_force(haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    haw_contacts *contacts = simulation->contacts;
    haw_touch *leaning = contacts->item;
    const ptrdiff_t d = contacts->dimension;
    const bool rubs = nsga->options->friction_level != HAW_FRICTION_VELOCITY;
    for (ptrdiff_t i = 0; i < d * contacts->count; i++) {
        const ptrdiff_t first = d * contacts->item[i / d].id;
        const bool stays = simulation->state->impulse[first] > 0 && (rubs || i % d == 0);
        nsga->found[first + i % d] = stays ? contacts->impulse[i] / nsga->alpha.h : 0;
    }
    contacts->item = nsga->ends;
    push_force(nsga, nsga->found, 1, nsga->bears);
    contacts->item = leaning;
}

static void clear_step(haw_nsga *nsga)
{
    const haw_simulation *simulation = nsga->alpha.simulation;
    const size_t n = (size_t)simulation->model.dofs;
    memcpy(simulation->u_plus, simulation->implicit->u, n * sizeof(double));
    memset(nsga->bears, 0, n * sizeof(double));
    memset(nsga->positioned, 0, n * sizeof(double));
    memset(nsga->leaving, 0, n * sizeof(double));
    haw_axpy((int)n, nsga->alpha.h - nsga->part, nsga->borne, nsga->leaving);
    memset(nsga->given, 0, n * sizeof(double));
    forget_found(nsga);
    nsga->is_touched =
        simulation->contacts->count > 0 || haw_largest(simulation->model.dofs, nsga->borne) > 0;
}

static haw_status find_velocity(haw_nsga *nsga)
{
    haw_simulation *simulation = nsga->alpha.simulation;
    haw_report *report = &simulation->report;
    const double position = report->residual.natural;
    clear_step(nsga);
    if (simulation->contacts->count == 0) {
        return HAW_OK;
    }
    HAW_TRY(choose_closed(nsga));
    if (simulation->contacts->count == 0) {
        clear_step(nsga);
        return HAW_OK;
    }
    take_over(nsga);
    HAW_TRY(solve_closed(nsga));
    find_force(nsga);
    haw_pass_push(simulation, simulation->push);
    if (report->outcome != HAW_CONVERGED) {
        return haw_implicit_missed(simulation, "pass of the velocity problem", 1);
    }
    report->residual.natural = fmax(report->residual.natural, position);
    return HAW_OK;
}

/* That of the velocities, linearised where the step ended: nothing more is asked of w. */
static haw_status complete_problem(haw_simulation *simulation)
{
    const haw_nsga *nsga = simulation->method;
    if (simulation->pass->global.m.rows == 0) {
        assemble_mass(nsga);
    }
    return haw_pass_problem(simulation->pass, 1 / nsga->alpha.mass, simulation->u_free);
}

/* ---- accelerations ---- */

/* x <- (M + (c_C / c_M) C)^-1 x at q+. */
static haw_status divide_by_mass(const haw_nsga *nsga, double *x)
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

/*
 * Those that go on from here: M vdot = F(q+, v+) + H lambda, and a as if lambda had always been the
 * force of the contacts, that is a+, (1 - alpha_f) / (1 - alpha_m) times the change of vdot, and
 * the rest of the change of lambda.
 */
static haw_status find_acceleration(haw_nsga *nsga)
{
    const haw_alpha_step *c = &nsga->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs, free = haw_joints_dof(&simulation->model);
    const double part = (1 - c->alpha_f) / (1 - c->alpha_m);
    double *change = implicit->direction, *rest = simulation->work[1];
    memcpy(nsga->next, implicit->u, (size_t)n * sizeof(double));
    haw_nsga_push_joints(simulation, implicit->u, nsga->next);
    if (!nsga->is_touched) {
        return HAW_OK;
    }
    HAW_TRY(
        haw_implicit_forces(simulation, c->t, 1, implicit->q, simulation->u_plus, &implicit->now));
    haw_model_inertia(&simulation->model, implicit->q, simulation->u_plus, implicit->acceleration,
                      change);
    for (int i = 0; i < n; i++) {
        change[i] = i < free ? implicit->now.total[i] + nsga->bears[i] - change[i] : 0;
        rest[i] = i < free ? c->mass * (nsga->bears[i] - nsga->borne[i]) : 0;
    }
    HAW_TRY(divide_by_mass(nsga, change));
    haw_system_solve(implicit->system, rest);
    haw_nsga_push_joints(simulation, change, nsga->next);
    for (int i = free; i < n; i++) {
        nsga->next[i] = change[i];
        change[i] = rest[i] = 0;
    }
    haw_axpy(n, 1, change, implicit->acceleration);
    haw_axpy(n, part, change, implicit->a);
    haw_axpy(n, 1 - part, rest, implicit->a);
    return HAW_OK;
}

/* ---- step ---- */

static haw_status predict(haw_simulation *simulation)
{
    haw_nsga *nsga = simulation->method;
    nsga->alpha = (haw_alpha_step){
        .simulation = simulation, .h = simulation->h, .t = simulation->state->t + simulation->h};
    nsga->options = (const void *)simulation->settings.stepper.options;
    haw_alpha_coefficients(&nsga->alpha, nsga->options->rho_infinity);
    nsga->part = nsga->alpha.rate / nsga->alpha.mass;
    simulation->implicit->noise = haw_forces_noise(&simulation->model, simulation->state->q);
    HAW_TRY(haw_pass_begin(simulation->pass));
    HAW_TRY(simulation->implicit->is_current ? HAW_OK : haw_nsga_start(nsga));
    predict_motion(nsga);
    return HAW_OK;
}

static haw_status solve(haw_simulation *simulation)
{
    haw_nsga *nsga = simulation->method;
    const haw_status position = find_position(nsga);
    const bool goes_on = position == HAW_ERR_UNCONVERGED && isfinite(simulation->balance.norm);
    HAW_TRY(goes_on ? HAW_OK : position); /* a miss may only be a warning */
    const haw_status velocity = find_velocity(nsga);
    return position != HAW_OK && velocity == HAW_OK ? position : velocity;
}

static haw_status close_step(haw_simulation *simulation, haw_step_end *end)
{
    const haw_implicit *implicit = simulation->implicit;
    haw_nsga *nsga = simulation->method;
    HAW_TRY(find_acceleration(nsga));
    double *now = nsga->last[1], *before = nsga->last[0];
    haw_model_difference(&simulation->model, simulation->state->q, implicit->q, now);
    const bool is_held = nsga->is_touched || simulation->model.joints > 0;
    if (nsga->last_h != nsga->alpha.h || (simulation->compliant == NULL && is_held)) {
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
    haw_nsga *nsga = simulation->method;
    memcpy(nsga->lambda, nsga->next, (size_t)simulation->model.dofs * sizeof(double));
    memcpy(nsga->borne, nsga->bears, (size_t)simulation->model.dofs * sizeof(double));
    double *force = nsga->force;
    nsga->is_parted = true;
    nsga->force = nsga->found;
    nsga->found = force;
    haw_implicit_turn_over(simulation->implicit);
    for (int i = 0; i < simulation->contacts->count; i++) {
        const int id = simulation->contacts->item[i].id;
        nsga->before[id] = nsga->now[id];
    }
}

static void carry(haw_simulation *simulation, haw_pack *pack)
{
    haw_nsga *nsga = simulation->method;
    double *const vector[] = {nsga->borne, nsga->lambda, nsga->last[0], nsga->last[1]};
    haw_implicit_carry(simulation->implicit, pack);
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        haw_pack_reals(pack, vector[i], simulation->model.dofs);
    }
    HAW_PACK(pack, nsga->last_h);
    haw_pack_flag(pack, &nsga->is_parted);
    haw_pack_reals(pack, nsga->force, simulation->state->rows);
    haw_lean_carry(nsga->before, simulation->model.points, pack);
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
             HAW_STEPPER_VARIABLE_MASS | HAW_STEPPER_JOINTS | HAW_STEPPER_MINIMA |
             HAW_STEPPER_LINES,
    .order = 2,
    .prepare = prepare,
    .predict = predict,
    .solve = solve,
    .close = close_step,
    .find_work = haw_nsga_find_work,
    .turn_over = turn_over,
    .carry = carry,
    .settle = predict,
    .complete_problem = complete_problem,
};
