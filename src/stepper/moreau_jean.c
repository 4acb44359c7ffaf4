/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moreau-Jean: the implicit theta-method with set-valued contact (M. Jean, Comput. Methods Appl.
 * Mech. Eng. 177 (1999) 235-257; V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical
 * Systems, 2008, ch. 10) on the manifold of configurations,
 *
 *     M (u+ - u) = h F + H P,   u_theta = (1 - theta) u + theta u+,   q+ = q exp(h u_theta),
 *
 * positions added, orientations multiplied, solved by Newton's method on u+ with M + theta h C +
 * (theta h)^2 K and K, C exact: one contact problem (contact_pass.h) per pass. An iterate is
 * accepted when its own residual impulse and the referee's word on its contacts meet the
 * tolerances. Where laws hold and forces act is the choice of contact_law.
 *
 * position: everything at the end of the step,
 *
 *     F = (1 - theta) f(t, q, u) + theta f(t+, q+, u+),   H = H(q+),
 *
 * laws on positions, not velocities: what is closed has gap 0 to the solver's tolerance, and what
 * sticks has not moved on the turning surface. No linearisation is left in an accepted iterate.
 * Left out, the tangent of the exponential would cost passes: where a section turns about one axis
 * while it is soft about another, half the angle of the step times the stiff shear competes with
 * the torsion. In space prescribed coordinates are those at t + h exactly.
 *
 * velocity, for planar models: F = f(t + theta h, q + theta h u_theta, u_theta), and H are the rows
 * at the middle of the step as the velocity at its start predicts it, so that the contact law is
 * linear in u+. The normal law corrects gaps (e = 0), for every point that may close in this step:
 *
 *     0 <= P_N  perpendicular to  gamma_N+ + c >= 0,
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
 * they are closed in the middle of the step, and c = min(e (gamma_N- - turn), k min(0, g) / h) +
 * turn: the sum of both would throw a point up that the step of the impact found inside.
 *
 * Compliant contacts are among the forces, their histories those where F is. Where the mass depends
 * on q, as of ropes, M (u+ - u) is h int rho A J' (dv/dt) ds there, with the accelerations
 * (u+ - u) / h; labels of meshes are prescribed (haw_model_guide).
 */
#include "stepper/moreau_jean.h"

#include "base/lie.h"
#include "statics/search.h"
#include "stepper/contact_pass.h"
#include "stepper/lean.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const laws[] = {"auto", "velocity", "position", NULL};

static const haw_option options[] = {
    HAW_STEPPER_OPTIONS(1e-3),
    {"theta", HAW_OPTION_REAL, offsetof(haw_jean_options, theta), 0.55, 0.5, 1, "",
     "0.5: no damping of vibrations; 1: implicit Euler", NULL},
    {"newton_tolerance", HAW_OPTION_REAL, offsetof(haw_jean_options, newton_tolerance), 1e-8, 1e-15,
     1e-1, "", "residual impulse over the largest impulse or momentum of the step", NULL},
    {"max_newton", HAW_OPTION_INT, offsetof(haw_jean_options, max_newton), 25, 1, 1000, "",
     "Newton iterations, one contact problem each", NULL},
    {"contact_law", HAW_OPTION_CHOICE, offsetof(haw_jean_options, contact_law), HAW_JEAN_AUTO,
     HAW_JEAN_AUTO, HAW_JEAN_POSITION, "",
     "velocity: contact rows at mid-step, gaps corrected; position: gaps and slip at the end of "
     "the step; auto: velocity in the plane, position in space and between cables",
     laws},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

enum {
    CUTS = 4,
    LATE = 8,      /* passes after which compliant contacts are to lessen the residual */
    SEARCHED = 18, /* passes of compliant contacts alone that are searched along */
    LOST = 3,      /* contact problems in a row that a step to be halved is given up at */
    TRUSTING = 4 /* passes after which a contact problem may take one step in the regimes at hand */
};

static const double GROWTH = 300;

/* Of a step: times on the grid of steps are not those of a sum of them to the last digit. */
static const double SAME_TIME = 1e-6;

/* Part of the work at its start that a searched pass may leave. */
static const double MEETS = 0.8;

/* ---- contact laws at the end of the step ---- */

/* Of the touches at the start. */
static haw_status keep_normals(haw_simulation *simulation)
{
    const haw_jean *jean = simulation->method;
    HAW_TRY(haw_pass_find(simulation->pass, simulation->state->q, NULL, 0, jean->margin));
    haw_lean_keep(simulation->contacts, jean->before);
    return HAW_OK;
}

/* Touches and rows that the last step ended with, as far as they tell of the iterate. */
static void stay(haw_simulation *simulation)
{
    const haw_jean *jean = simulation->method;
    haw_pass_resume(simulation->pass, jean->u_theta);
    haw_jean_end_shifts(simulation, true);
}

static haw_status detect_at_end(haw_simulation *simulation)
{
    haw_jean *jean = simulation->method;
    haw_pass *pass = simulation->pass;
    const double *q = simulation->implicit->q;
    HAW_TRY(haw_pass_find(pass, q, NULL, 0, jean->margin));
    haw_lean(simulation->contacts, jean->before, simulation->state->impulse, jean->theta,
             jean->increment, jean->now);
    HAW_TRY(haw_pass_set_up(pass));
    if (simulation->contacts->count > 0) {
        haw_contacts_way(simulation->contacts, simulation->state->q, q, pass->way);
    }
    haw_jean_end_shifts(simulation, false);
    return HAW_OK;
}

/* ---- contact laws on velocities ---- */

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

/* What the law adds to gamma+ of a point; false if it takes no part in this step. */
static bool correct_gap(const haw_simulation *simulation, const haw_touch *c,
                        const double gamma_minus[2], double shift[2])
{
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double h = simulation->h, theta = haw_jean_theta(simulation);
    const double gap = haw_contacts_gap(simulation->contacts, c, simulation->state->q);
    const double v = orbit_speed(simulation, c);
    const haw_cable *cable = pair->cable >= 0 ? &simulation->model.cable[pair->cable] : NULL;
    const bool is_carried = cable != NULL && cable->ops->moves_along; /* by the mesh */
    const double convection = is_carried ? c->convection : 0;
    const haw_body *body = &simulation->model.body[c->side[1].body];
    const double *pose = simulation->q_mid + body->first_q;
    const double kappa = body->surface.ops->bend(&body->surface, pose, c->x);
    const double turn = 0.5 * h * (kappa * v * v + convection);
    const double start[2] = {gamma_minus[0] - turn, gamma_minus[1]};
    pair->law->shift(&pair->options, 2, start, shift);
    if (pair->options.restitution > 0) {
        shift[0] = fmin(shift[0], HAW_JEAN_CORRECTION * fmin(0, gap / h)) + turn;
        return c->gap <= 0;
    }
    shift[0] += turn;
    const double drift = (2 * theta - 1) * turn;
    const double ahead = gap / h + (1 - theta) * (start[0] - drift);
    shift[0] += (ahead < 0 ? HAW_JEAN_CORRECTION : 1) * ahead / haw_jean_reach(simulation) - drift;
    return true;
}

/* Compress the list to the points that take part. */
static haw_status find_fixed_shifts(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    haw_jean *jean = simulation->method;
    const size_t rows = 2 * (size_t)contacts->count;
    jean->fixed = haw_arena_allocate(&simulation->pass->arena, rows, sizeof(double));
    jean->first = haw_arena_allocate(&simulation->pass->arena, rows, sizeof(double));
    HAW_TRY(haw_arena_status(&simulation->pass->arena));
    haw_contacts_velocity(contacts, simulation->state->u, contacts->gamma_minus);
    int kept = 0;
    for (int i = 0; i < contacts->count; i++) {
        const double minus[2] = {contacts->gamma_minus[2 * i], contacts->gamma_minus[2 * i + 1]};
        if (correct_gap(simulation, &contacts->item[i], minus, jean->fixed + 2 * kept)) {
            contacts->item[kept] = contacts->item[i];
            memcpy(contacts->gamma_minus + 2 * kept, minus, sizeof minus);
            kept++;
        }
    }
    contacts->count = kept;
    haw_contacts_velocity(contacts, simulation->u_plus, jean->first);
    return HAW_OK;
}

/* Rows of the middle of the step, where the law is one on velocities. */
static haw_status detect(haw_simulation *simulation)
{
    haw_jean *jean = simulation->method;
    haw_contacts *contacts = simulation->contacts;
    if (jean->at_end) {
        return HAW_OK;
    }
    HAW_TRY(haw_pass_find(simulation->pass, simulation->q_mid, simulation->state->u, simulation->h,
                          jean->margin));
    const haw_status found = contacts->count > 0 ? find_fixed_shifts(simulation) : HAW_OK;
    contacts->count = found == HAW_OK ? contacts->count : 0;
    HAW_TRY(found);
    return haw_pass_set_up(simulation->pass);
}

/* ---- iterate ---- */

/* u_theta, and the configuration that forces are those of. */
static void place(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    const haw_implicit *implicit = simulation->implicit;
    const haw_jean *jean = simulation->method;
    const double theta = jean->theta, h = simulation->h;
    const double ahead = jean->at_end ? h : theta * h;
    for (int i = 0; i < state->dofs; i++) {
        jean->u_theta[i] = (1 - theta) * state->u[i] + theta * simulation->u_plus[i];
        jean->increment[i] = ahead * jean->u_theta[i];
    }
    haw_model_move(&simulation->model, state->q, 1, jean->increment, implicit->q);
    if (jean->at_end) {
        haw_model_place(&simulation->model, state->t + h, implicit->q);
    }
}

/* The velocities that forces are those of. */
static const double *get_rates(const haw_simulation *simulation)
{
    const haw_jean *jean = simulation->method;
    return jean->at_end ? simulation->u_plus : jean->u_theta;
}

/* The last step has changed free velocities by more than half. */
static bool is_thrown(const haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    const int *equation = simulation->implicit->system->equation;
    double change = 0, all = 0;
    for (int i = 0; i < state->dofs; i++) {
        const double step = simulation->h * state->a[i];
        change += equation[i] >= 0 ? step * step : 0;
        all += equation[i] >= 0 ? state->u[i] * state->u[i] : 0;
    }
    return 4 * change > all;
}

/*
 * The theta of this step: that of the options, but 1 where a given state has a point that moves
 * (1 - theta) h gamma_N-, which no impulse of this step can stop, into its surface: it would be
 * thrown back. No step ends with such a point (`land`).
 */
static haw_status choose_theta(haw_simulation *simulation, bool is_given)
{
    haw_jean *jean = simulation->method;
    haw_contacts *contacts = simulation->contacts;
    const haw_state *state = simulation->state;
    const ptrdiff_t d = state->dimension;
    jean->theta = haw_jean_settings(simulation)->theta;
    const double early = (1 - jean->theta) * simulation->h;
    if (!is_given) {
        return HAW_OK;
    }
    HAW_TRY(haw_pass_find(simulation->pass, state->q, state->u, simulation->h, jean->margin));
    haw_contacts_velocity(contacts, state->u, contacts->gamma_minus);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        const bool rebounds = simulation->model.pair[c->pair].options.restitution > 0;
        const double ahead = fmax(0, c->gap) + early * contacts->gamma_minus[d * i];
        if (!rebounds && state->impulse[d * c->id] == 0 &&
            ahead < -HAW_JEAN_CLOSED * jean->margin) {
            jean->theta = 1;
        }
    }
    return HAW_OK;
}

/* That of the state. With laws on velocities to the last digit: steps that begin anew by it take
 * theta = 1 where a point lands, without which some ropes on light sheaves chatter.
 * @param t  NAN: it is not */
static bool is_time(const haw_simulation *simulation, double t)
{
    const haw_jean *jean = simulation->method;
    const double same = jean->at_end ? SAME_TIME * simulation->h : 0;
    return fabs(t - simulation->state->t) <= same;
}

/* Newton's method starts from the velocities that the last step leads on to: without them it does
 * not find those of cables that weigh nothing and lie on springs. Or from those of now, where that
 * step has thrown them about, as where a rope begins to slide all at once, and with hard contact on
 * velocities, which jump. Forces and rows at the start are those where the last step ended, unless
 * the state was replaced. */
static haw_status predict(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    haw_implicit *implicit = simulation->implicit;
    haw_jean *jean = simulation->method;
    const double h = simulation->h;
    implicit->noise = haw_forces_noise(model, state->q);
    HAW_TRY(haw_pass_begin(simulation->pass));
    jean->lost = 0;
    jean->margin =
        jean->at_end ? haw_pass_margin(simulation, 2, 0.1) : haw_pass_margin(simulation, 1, 0.02);
    const bool is_given = !(implicit->is_current && is_time(simulation, jean->t_before));
    HAW_TRY(choose_theta(simulation, is_given));
    if (is_given) {
        haw_pass_stir(simulation->pass);
    }
    if (jean->at_end && is_given) {
        implicit->is_current = true;
        HAW_TRY(keep_normals(simulation));
        HAW_TRY(
            haw_implicit_forces(simulation, state->t, 1, state->q, state->u, &implicit->before));
    }
    const bool leads = (jean->at_end || simulation->compliant != NULL) && !is_thrown(simulation);
    for (int i = 0; i < state->dofs; i++) {
        simulation->u_plus[i] = state->u[i] + (leads ? h : 0) * state->a[i];
    }
    haw_model_move(model, state->q, 0.5 * h, state->u, simulation->q_mid);
    haw_joints_find(model, state->q, implicit->hold_before);
    haw_model_prescribe(model, state->t + h, simulation->u_plus);
    haw_model_guide(model, state->q, state->u, h, simulation->u_plus);
    return HAW_OK;
}

/* residual = M (u+ - u) - h F - H P with the forces and the contacts at the iterate. */
static haw_status evaluate(haw_simulation *simulation)
{
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const haw_jean *jean = simulation->method;
    const double *before = implicit->before.total, *now = implicit->now.total;
    const double h = simulation->h, *u = get_rates(simulation);
    double *jump = simulation->work[1], part[2];
    haw_jean_parts(simulation, part);
    place(simulation);
    HAW_TRY(haw_implicit_forces(simulation,
                                state->t + (jean->at_end ? h : haw_jean_lever(simulation)), 1,
                                implicit->q, u, &implicit->now));
    if (jean->stays) {
        stay(simulation);
    } else if (jean->at_end) {
        HAW_TRY(detect_at_end(simulation));
    } else if (simulation->contacts->count > 0) { /* the same rows with the velocities of now */
        haw_pass_recall(simulation->pass);
        haw_contacts_velocity(simulation->contacts, simulation->u_plus, simulation->pass->shift);
        haw_axpy(2 * simulation->contacts->count, 1, jean->fixed, simulation->pass->shift);
    }
    haw_pass_push(simulation, simulation->push);
    for (int i = 0; i < state->dofs; i++) {
        jump[i] = simulation->u_plus[i] - state->u[i];
    }
    haw_implicit_momentum(simulation, u, jump);
    for (int i = 0; i < state->dofs; i++) {
        implicit->residual[i] = implicit->mass_work[i] - h * part[0] * before[i] -
                                h * part[1] * now[i] - simulation->push[i];
    }
    haw_implicit_join(simulation, jean->theta);
    simulation->balance.norm = haw_free_norm(implicit->system, implicit->residual);
    return HAW_OK;
}

/* ---- passes ---- */

/* Cables that go round have no held ends whose reactions would show their tension. */
static void find_reference(haw_simulation *simulation)
{
    const haw_jean *jean = simulation->method;
    haw_balance *balance = &simulation->balance;
    const double relative = haw_jean_settings(simulation)->newton_tolerance;
    haw_implicit_refer(simulation, &simulation->implicit->now.model, get_rates(simulation),
                       relative);
    for (int i = 0; i < simulation->model.cables && !jean->at_end; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const double tension = haw_cable_largest_tension(cable, simulation->state->q);
        const double least = simulation->h * fmax(tension, 1e-9 * cable->line.stiffness);
        balance->reference = fmax(balance->reference, least);
    }
    balance->tolerance = fmax(balance->tolerance, relative * balance->reference);
}

/* The matrix over (theta h)^2 at the iterate. */
static void assemble(haw_simulation *simulation)
{
    const haw_jean *jean = simulation->method;
    haw_implicit *implicit = simulation->implicit;
    const double rate = 1 / haw_jean_lever(simulation);
    haw_forces_assemble(implicit->system, simulation->compliant, implicit->q, get_rates(simulation),
                        rate * rate, rate);
    haw_pass_add_turns(simulation, jean->increment, rate * rate);
    haw_implicit_join_matrix(simulation, jean->theta);
    if (jean->at_end) {
        haw_contacts_tangent(simulation->contacts, rate, implicit->system);
    }
}

/* h F - M (u+ - u): the impulse that is left without contacts. */
static const double *find_right(haw_simulation *simulation)
{
    double *right = simulation->u_free;
    for (int i = 0; i < simulation->model.dofs; i++) {
        right[i] = -(simulation->implicit->residual[i] + simulation->push[i]);
    }
    return right;
}

/* Where an element turns so far that its strains lose their meaning, so does the work. */
static haw_status go(void *user, double part, double *work)
{
    haw_simulation *simulation = user;
    haw_jean *jean = simulation->method;
    haw_implicit *implicit = simulation->implicit;
    const int dofs = simulation->model.dofs;
    haw_axpy(dofs, part - jean->part, implicit->direction, simulation->u_plus);
    jean->part = part;
    HAW_TRY(evaluate(simulation));
    const bool means = haw_model_guard(&simulation->model, 0, implicit->q) == HAW_OK;
    if (!means) {
        (void)snprintf(implicit->reason, sizeof implicit->reason, "%s",
                       haw_context_message(simulation->context));
    }
    *work = means ? -haw_dot(dofs, implicit->residual, implicit->direction) : (double)NAN;
    return HAW_OK;
}

/* u+ += direction, and impulses with it; half of that, at most CUTS times, as long as it leads
 * astray: the residual impulse grows by GROWTH and beyond every impulse at hand, or work is NAN.
 * Forces of compliant contacts alone do a work along it, by which the part is chosen. */
static haw_status advance(haw_simulation *simulation, bool is_late)
{
    haw_jean *jean = simulation->method;
    haw_implicit *implicit = simulation->implicit;
    const haw_balance *balance = &simulation->balance;
    const double limit = is_late ? balance->norm : fmax(GROWTH * balance->norm, balance->reference);
    double work = -haw_dot(simulation->model.dofs, implicit->residual, implicit->direction);
    jean->part = 0;
    implicit->reason[0] = '\0';
    if (jean->searches && work > 0) {
        return haw_search(go, simulation, 1, work, MEETS);
    }
    HAW_TRY(go(simulation, 1, &work));
    for (int cut = 0; cut < CUTS && !(balance->norm <= limit && isfinite(work)); cut++) {
        haw_pass_shorten(simulation->pass, 0.5);
        HAW_TRY(go(simulation, 0.5 * jean->part, &work));
    }
    return HAW_OK;
}

/* Where compliant contacts alone act the part of a pass that is gone is searched, and nothing that
 * goes to and fro is held, but what still does so late: damping jumps where a contact closes. */
static void set_search(haw_simulation *simulation, int k)
{
    haw_jean *jean = simulation->method;
    jean->searches =
        simulation->compliant != NULL && !haw_contacts_any(&simulation->model) && k < SEARCHED;
    if (simulation->compliant != NULL) {
        haw_compliant_loosen(simulation->compliant, jean->searches);
    }
}

/* One linearised step: u+ += A^-1 (h F - M (u+ - u) + H P). */
static haw_status iterate(haw_simulation *simulation, int k)
{
    haw_implicit *implicit = simulation->implicit;
    haw_jean *jean = simulation->method;
    const double lever = haw_jean_lever(simulation);
    set_search(simulation, k);
    assemble(simulation);
    HAW_TRY(haw_pass_solve(simulation->pass, lever * lever, find_right(simulation),
                           implicit->direction));
    jean->lost = simulation->report.outcome == HAW_CONVERGED ? 0 : jean->lost + 1;
    haw_pass_rates(simulation, jean->increment, implicit->direction);
    simulation->certificate.newton_iterations++;
    return advance(simulation, jean->searches || (k >= LATE && simulation->compliant != NULL));
}

/* Friction that slides on and on feeds vibrations, which only theta > 1/2 damps. */
static haw_status missed(const haw_simulation *simulation, int passes)
{
    static const double DAMPS = 0.55;
    const haw_status status = haw_implicit_missed(simulation, "Newton passes", passes);
    if (!haw_simulation_rubs(simulation) || haw_jean_settings(simulation)->theta >= DAMPS) {
        return status;
    }
    char text[512];
    (void)snprintf(text, sizeof text, "%s", haw_context_message(simulation->context));
    return haw_fail(simulation->context, status, "%s; sustained sliding needs theta >= %g", text,
                    DAMPS);
}

/*
 * At rest a pass changes next to nothing. So where the last step was solved by one pass, the first
 * iterate has the touches and rows that it ended with, and one step by the factors at hand leads to
 * the end, whose own forces and contacts are found and judged as those of any pass, by a tenth of
 * the tolerances. @param done  out: it is accepted; else the step begins anew
 */
static haw_status try_staying(haw_simulation *simulation, bool *done)
{
    static const double mean[] = {0.5, 0.5};
    const double lever = haw_jean_lever(simulation);
    haw_implicit *implicit = simulation->implicit;
    haw_jean *jean = simulation->method;
    haw_pass *pass = simulation->pass;
    bool met = false;
    *done = false;
    if (!pass->is_at_hand || !is_time(simulation, pass->t)) {
        return HAW_OK;
    }
    implicit->closings = 0;
    pass->reference = pass->kept;
    jean->stays = true;
    const haw_status status = evaluate(simulation);
    jean->stays = false;
    HAW_TRY(status);
    HAW_TRY(
        haw_pass_follow(pass, lever * lever, find_right(simulation), implicit->direction, &met));
    if (met) {
        haw_pass_rates(simulation, jean->increment, implicit->direction);
        haw_axpy(simulation->model.dofs, 1, implicit->direction, simulation->u_plus);
        simulation->certificate.newton_iterations++;
        HAW_TRY(evaluate(simulation));
        find_reference(simulation);
        *done = haw_pass_judge_sharply(pass) &&
                simulation->balance.norm <= HAW_PASS_SHARPER * simulation->balance.tolerance &&
                haw_implicit_closes(simulation, mean, simulation->u_plus);
    }
    if (*done) {
        haw_pass_rest(pass, true);
        return HAW_OK;
    }
    haw_pass_stir(pass);
    return predict(simulation);
}

/*
 * Newton's method until the iterate balances and its own contacts obey the laws. Where shorter
 * steps are to be tried, one whose contact problems are not solved takes no more of them: the
 * general solvers take their time before they give up.
 */
static haw_status solve(haw_simulation *simulation)
{
    static const double mean[] = {0.5, 0.5};
    const haw_jean *jean = simulation->method;
    haw_pass *pass = simulation->pass;
    const bool halves = simulation->settings.on_unconverged == HAW_UNCONVERGED_HALVE;
    const int most = haw_jean_settings(simulation)->max_newton;
    bool done = false;
    HAW_TRY(try_staying(simulation, &done));
    if (done) {
        return HAW_OK;
    }
    simulation->implicit->closings = 0;
    HAW_TRY(evaluate(simulation));
    find_reference(simulation);
    haw_pass_go_on(pass);
    for (int k = 0; k < most; k++) {
        const haw_status status = iterate(simulation, k);
        const bool is_hopeless =
            !isfinite(simulation->balance.norm) || (halves && jean->lost >= LOST);
        if (status == HAW_ERR_SINGULAR || is_hopeless) {
            return missed(simulation, k + 1);
        }
        HAW_TRY(status);
        find_reference(simulation);
        /* at the edge of sticking points would leave their regimes in every other pass */
        const bool obeys = haw_pass_judge(pass);
        pass->holds = obeys && k < TRUSTING;
        if (obeys && haw_implicit_settles(simulation) &&
            haw_implicit_closes(simulation, mean, simulation->u_plus) &&
            !haw_implicit_refine(simulation)) {
            if (jean->at_end && k == 0) {
                haw_pass_rest(pass, false);
            } else {
                haw_pass_stir(pass);
            }
            return HAW_OK;
        }
    }
    return missed(simulation, most);
}

/* ---- end of the step ---- */

/* With the law on velocities q+ belongs to u_theta; the points there and their velocities. */
static haw_status close_step(haw_simulation *simulation, haw_step_end *end)
{
    const haw_state *state = simulation->state;
    const haw_jean *jean = simulation->method;
    haw_contacts *contacts = simulation->contacts;
    double *a = simulation->implicit->a, *q = simulation->work[0];
    for (int i = 0; i < state->dofs; i++) {
        a[i] = (simulation->u_plus[i] - state->u[i]) / simulation->h;
    }
    memset(a + haw_joints_dof(&simulation->model), 0,
           (size_t)simulation->model.multipliers * sizeof *a); /* the last value is the guess */
    if (jean->at_end) {
        *end = (haw_step_end){.q = simulation->implicit->q, .u = simulation->u_plus, .a = a};
        return HAW_OK;
    }
    for (int i = 0; i < state->dofs; i++) {
        q[i] = state->q[i] + simulation->h * jean->u_theta[i];
    }
    haw_contacts_velocity(contacts, simulation->u_plus, contacts->gamma_plus);
    for (int i = 0; i < contacts->count; i++) {
        contacts->item[i].gap = haw_contacts_gap(contacts, &contacts->item[i], q);
    }
    haw_axpy(2 * contacts->count, 1, jean->first, contacts->gamma_free);
    *end = (haw_step_end){.q = q, .u = simulation->u_plus, .a = a};
    return HAW_OK;
}

/* The forces of the end are those of the next start, where the law is one on positions. */
static void turn_over(haw_simulation *simulation)
{
    haw_jean *jean = simulation->method;
    haw_implicit_turn_over(simulation->implicit);
    simulation->implicit->is_current = true;
    for (int i = 0; jean->at_end && i < simulation->contacts->count; i++) {
        const int id = simulation->contacts->item[i].id;
        jean->before[id] = jean->now[id];
    }
    jean->t_before = simulation->state->t + simulation->h;
}

static void carry(haw_simulation *simulation, haw_pack *pack)
{
    haw_jean *jean = simulation->method;
    haw_implicit_carry(simulation->implicit, pack);
    HAW_PACK(pack, jean->t_before);
    if (jean->at_end) {
        haw_pass_carry(simulation->pass, pack);
        haw_lean_carry(jean->before, simulation->model.points, pack);
    }
}

/* Forces are constant over a step: those at its start are the new ones. */
static haw_status settle(haw_simulation *simulation)
{
    simulation->implicit->is_current = false;
    return HAW_OK;
}

/*
 * The problem that the last pass would solve next, for readers: with v = du and the impulses of the
 * iterate,
 *
 *     A v = right + H P,   u = H^T v + shift,
 *
 * linearised where the step ended, so that v = 0 and the accepted impulses solve it to the
 * tolerances of the step.
 */
static haw_status complete_problem(haw_simulation *simulation)
{
    const double lever = haw_jean_lever(simulation);
    if (simulation->pass->global.m.rows > 0) {
        return HAW_OK;
    }
    assemble(simulation);
    return haw_pass_problem(simulation->pass, lever * lever, find_right(simulation));
}

/* ---- row of the table ---- */

static haw_status prepare(haw_simulation *simulation)
{
    static const char *const names[] = {[HAW_JEAN_VELOCITY] = "moreau-jean (contact_law: velocity)",
                                        [HAW_JEAN_POSITION] =
                                            "moreau-jean (contact_law: position)"};
    static const unsigned lacking[] = {[HAW_JEAN_VELOCITY] = HAW_STEPPER_SPACE | HAW_STEPPER_LINES,
                                       [HAW_JEAN_POSITION] =
                                           HAW_STEPPER_LABELS | HAW_STEPPER_VARIABLE_MASS};
    const haw_jean_options *o = haw_jean_settings(simulation);
    const unsigned more = haw_guard_needs(&simulation->model) & lacking[HAW_JEAN_VELOCITY];
    const int preset = more == 0 ? HAW_JEAN_VELOCITY : HAW_JEAN_POSITION;
    const int law = o->contact_law == HAW_JEAN_AUTO ? preset : o->contact_law;
    const size_t dofs = (size_t)simulation->model.dofs + 1;
    haw_arena *arena = &simulation->arena;
    HAW_TRY(haw_guard_model(simulation, names[law], simulation->ops->flags & ~lacking[law]));
    HAW_TRY(haw_implicit_create(simulation, NULL));
    HAW_TRY(haw_pass_create(simulation));
    haw_jean *jean = haw_arena_allocate(arena, 1, sizeof *jean);
    HAW_TRY(haw_arena_status(arena));
    simulation->method = jean;
    jean->at_end = law == HAW_JEAN_POSITION;
    jean->t_before = NAN;
    jean->theta = o->theta;
    simulation->pass->is_fixed = !jean->at_end;
    jean->u_theta = haw_arena_allocate(arena, dofs, sizeof(double));
    jean->increment = haw_arena_allocate(arena, dofs, sizeof(double));
    if (jean->at_end) {
        const int points = simulation->state->rows / simulation->model.dimension;
        jean->before = haw_arena_allocate(arena, (size_t)points + 1, sizeof *jean->before);
        jean->now = haw_arena_allocate(arena, (size_t)points + 1, sizeof *jean->now);
    }
    return haw_arena_status(arena);
}

const haw_stepper_ops haw_stepper_moreau_jean = {
    .row.name = "moreau-jean",
    .row.summary = "implicit theta-method with set-valued contact, full Newton, gaps corrected",
    .row.source = "M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257; V. Acary, B. "
                  "Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), ch. 10",
    .row.options = options,
    .row.options_size = sizeof(haw_jean_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED | HAW_STEPPER_CLOSED |
             HAW_STEPPER_LABELS | HAW_STEPPER_HARD_KNOTS | HAW_STEPPER_MINIMA | HAW_STEPPER_JOINTS |
             HAW_STEPPER_COMPLIANT | HAW_STEPPER_MIXED | HAW_STEPPER_VARIABLE_MASS |
             HAW_STEPPER_LINES,
    .order = 1,
    .prepare = prepare,
    .predict = predict,
    .detect = detect,
    .solve = solve,
    .close = close_step,
    .find_work = haw_jean_find_work,
    .turn_over = turn_over,
    .carry = carry,
    .settle = settle,
    .complete_problem = complete_problem,
};
