/* SPDX-License-Identifier: BSD-3-Clause */
/* Build and start a simulation, go on from another state. */
#include "base/lie.h"
#include "cable/site.h"
#include "contact/contact.h"
#include "model/size.h"
#include "stepper/contact_pass.h"
#include "stepper/implicit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FACTORS = 10000, FEW_FACTORS = 400 }; /* haw_simulation.crowded_most */

/* A private copy of the cables, whose unstrained lengths a static start changes, and of the bodies,
 * which controls act on. */
static haw_status copy_model(haw_simulation *simulation, const haw_model *model)
{
    const size_t bytes = (size_t)model->lines * sizeof *model->cable;
    simulation->model = *model;
    haw_arena_init(&simulation->model.arena, simulation->context);
    simulation->model.context = simulation->context;
    simulation->model.cable = haw_arena_allocate(&simulation->arena, bytes + 1, 1);
    HAW_TRY(haw_arena_status(&simulation->arena));
    if (bytes > 0) {
        memcpy(simulation->model.cable, model->cable, bytes);
    }
    simulation->model.body = haw_arena_allocate(&simulation->arena, (size_t)model->bodies + 1,
                                                sizeof *simulation->model.body);
    HAW_TRY(haw_arena_status(&simulation->arena));
    HAW_TRY(haw_state_create(simulation->context, model, &simulation->state));
    for (int i = 0; i < model->bodies; i++) {
        simulation->model.body[i] = model->body[i];
        simulation->model.body[i].control = &simulation->state->acting[i];
    }
    for (int i = 0; i < model->cables; i++) {
        haw_cable *cable = &simulation->model.cable[i];
        for (int end = 0; end < 2; end++) {
            haw_cable_guide *guide = &cable->guide[end];
            guide->carrier = guide->carrier != NULL ? &simulation->model.body[guide->body] : NULL;
        }
        HAW_TRY(cable->ops->copy != NULL ? cable->ops->copy(&simulation->arena, cable) : HAW_OK);
    }
    return HAW_OK;
}

static double weight_of(const haw_model *model, int body)
{
    const haw_body *b = body >= 0 ? &model->body[body] : NULL;
    return b != NULL && !b->held[1] ? b->mass[1] * vec3_norm(model->gravity) : 0;
}

/*
 * What a cable takes up from the loads that act on it, F with its own weight: a given start has
 * none of it yet, an equilibrium has it. Sudden loads stretch twice as far as those at rest,
 * (2 F)^2 L / (2 EA) [J].
 */
static double load_energy(const haw_model *model, int cable)
{
    const haw_cable *c = &model->cable[cable];
    const double length = c->line.le * c->line.elements;
    double force = c->line.density * length * vec3_norm(model->gravity);
    for (int end = 0; end < 2; end++) {
        const haw_cable_guide *guide = &c->guide[end];
        force += c->ops->end_body != NULL ? weight_of(model, c->ops->end_body(c, end)) : 0;
        force += guide->pulls ? haw_function_largest(&guide->tension) : 0;
    }
    for (int i = 0; i < model->joints; i++) {
        const haw_spot *foot = model->joint[i].foot;
        for (int k = 0; k < 2; k++) {
            force += foot[k].cable == cable ? weight_of(model, foot[1 - k].body) : 0;
        }
    }
    for (int i = 0; i < model->loads; i++) {
        for (int k = 0; k < 3 && model->load[i].spot.cable == cable; k++) {
            force += haw_function_largest(&model->load[i].force[k]);
        }
    }
    return 2 * force * force * length / c->line.stiffness;
}

/* What a change of speed and an impulse give a coordinate of a body [J]. */
static double moved(const haw_body *body, int j, double speed, double impulse)
{
    const double m = body->mass[j];
    return body->held[j] || !(m > 0) ? 0 : 0.5 * (m * speed * speed + impulse * impulse / m);
}

/* What one load at its largest gives its body in a step. */
static double load_push(const haw_model *model, const haw_load *load, double h)
{
    const int d = model->dimension, dofs = (int)haw_body_dofs(model);
    double energy = 0;
    for (int j = 0; j < dofs && load->spot.body >= 0; j++) {
        const haw_function *of = j < d ? &load->force[j] : &load->moment[j - dofs + 3];
        energy += moved(&model->body[load->spot.body], j, 0, h * haw_function_largest(of));
    }
    return energy;
}

/* What all bodies get of one that is driven, where its drive is steepest. */
static double drive_push(const haw_model *model, const haw_body *driver, double h)
{
    const int d = model->dimension, dofs = (int)haw_body_dofs(model);
    double energy = 0, speed = 0, spin = 0;
    for (int j = 0; j < dofs && driver->motion == HAW_MOTION_PRESCRIBED; j++) {
        *(j < d ? &speed : &spin) += haw_function_change(&driver->drive[j], h);
    }
    for (int i = 0; i < model->bodies && speed + spin > 0; i++) {
        const haw_body *body = &model->body[i];
        double way[3] = {0};
        for (int k = 0; k < d; k++) {
            way[k] = body->start[k] - driver->start[k];
        }
        for (int j = 0; j < dofs; j++) {
            energy += moved(body, j, j < d ? speed + spin * vec3_norm(way) : spin, 0);
        }
    }
    return energy;
}

/*
 * Bodies at rest have no energy to compare with: what weight, loads at their largest, F, and drives
 * in their steepest part, a, give them in one step, (F h)^2 / (2 m) and m (a h)^2 / 2. Of what
 * grows from nothing the first steps are as wrong as they are small.
 */
static double push_energy(const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const double h = simulation->step, fall = h * vec3_norm(model->gravity);
    double energy = 0;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        energy += 0.5 * body->mass[0] * fall * fall + drive_push(model, body, h);
        energy += moved(body, model->kind->spin, 0, h * haw_function_largest(&body->torque));
    }
    for (int i = 0; i < model->loads; i++) {
        energy += load_push(model, &model->load[i], h);
    }
    return energy;
}

/* Energies of the state, into the ledger too; paths of equilibria are without inertia, whatever the
 * velocities of what is led. @return their sum [J] */
static double book_energies(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    haw_ledger *ledger = &simulation->ledger;
    simulation->energy = haw_model_energy(&simulation->model, state->q);
    simulation->kinetic = haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC)
                              ? 0
                              : haw_model_kinetic(&simulation->model, state->q, state->u);
    ledger->kinetic = simulation->kinetic;
    ledger->elastic = simulation->energy.elastic;
    ledger->gravity = simulation->energy.gravity;
    return ledger->kinetic + ledger->elastic + ledger->gravity;
}

static haw_status start_ledger(haw_simulation *simulation)
{
    simulation->ledger.initial = book_energies(simulation);
    const haw_model *model = &simulation->model;
    if (!isfinite(simulation->ledger.initial)) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "the energy at the start is not finite: a velocity, a mass or a stiffness "
                        "is too large");
    }
    for (int i = 0; i < model->cables; i++) { /* what a cable has at least */
        const haw_line *line = &model->cable[i].line;
        simulation->energy_scale += 1e-9 * line->stiffness * line->le * line->elements;
        simulation->energy_scale += model->start == HAW_START_GIVEN ? load_energy(model, i) : 0;
    }
    simulation->energy_scale += isfinite(simulation->step) ? push_energy(simulation) : 0;
    return haw_step_contact_energy(simulation, &simulation->contact_energy);
}

/*
 * A scene that starts with a cable inside a body has no motion from outside that leads there. A
 * hundredth of the radius of what touches is drawing; of R where it is drawn on a curve, which need
 * not lie on a skew surface to the last digit. An arc drawn on a circle is interpolated up to
 * l^2 / (8 R) inside it, between nodes that are on it, and no step may end deeper there than a
 * twentieth of R (guard.h). A line without a section on a plane has its elements alone to compare
 * with: springs that stand for contact in an equilibrium give by a thousandth of their strain.
 * Springs that begin deeper than their limit would throw things apart.
 */
static double allowed_depth(const haw_model *model, const haw_pair *pair, bool is_node)
{
    const haw_cable *cable = pair->cable >= 0 ? &model->cable[pair->cable] : NULL;
    const bool is_drawn = cable != NULL && pair->body >= 0 && cable->is_path;
    const double own = haw_pair_girth(model, pair), radius = haw_pair_radius(model, pair);
    const double size = own > 0 && !is_drawn ? fmin(radius, own) : radius;
    const double le = cable != NULL ? cable->line.le : 0;
    if (!pair->law->set_valued) {
        return haw_pair_depth_limit(pair) * (own > 0 ? fmin(radius, own) : radius);
    }
    if (isinf(size)) {
        return (is_drawn ? 0.01 : 1e-5) * le;
    }
    const bool is_chord = is_drawn && !is_node;
    return 0.01 * size + (is_chord ? fmin(le * le / (8 * radius), 0.05 * radius) : 0);
}

static haw_status check_size(haw_simulation *simulation, const haw_model *model, int closed)
{
    haw_size size = haw_size_of(model, !haw_stepper_has(simulation, HAW_STEPPER_EXPLICIT));
    const double d = model->dimension, rows = d * (double)closed;
    size.closed = (d - 1) * (double)closed;
    size.entries = size.is_implicit ? 0 : rows * rows;
    return haw_model_fits(model, &size);
}

/* What helps where a start is by `excess` too deep: more elements only if they would be less inside
 * by as much along their paths. */
static void find_cure(const haw_model *model, const haw_pair *pair, double excess, char cure[128])
{
    const haw_cable *cable = &model->cable[pair->cable];
    const haw_cable *line = pair->line >= 0 ? &model->cable[pair->line] : cable;
    const haw_cable *worse = line->cut > cable->cut ? line : cable;
    const double cut = line != cable ? cable->cut + line->cut : cable->cut;
    const double needed = haw_pair_elements(model, pair, worse);
    if (cut > excess && worse->line.elements < needed) {
        (void)snprintf(cure, 128, "%d elements of '%s' cut curves off there, %.0f do not",
                       worse->line.elements, worse->name, needed);
    }
}

/* " near [x, y, z]", of the touch of a pair that is deepest; a knot's own curve is long. */
static void find_place(const haw_simulation *simulation, int pair, char place[96])
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *deepest = NULL;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        const bool is_deeper = deepest == NULL || touch->gap < deepest->gap;
        deepest = touch->pair == pair && is_deeper ? touch : deepest;
    }
    place[0] = '\0';
    if (deepest != NULL) {
        int n = 0;
        for (int k = 0; k < contacts->dimension; k++) {
            n += snprintf(place + n, 96 - (size_t)n, "%s%.4g", k == 0 ? " near [" : ", ",
                          deepest->x[k]);
        }
        (void)snprintf(place + n, 96 - (size_t)n, "]");
    }
}

static haw_status check_drawn(haw_simulation *simulation, int i, double gap, bool is_node)
{
    const haw_pair *pair = &simulation->model.pair[i];
    const double allowed = allowed_depth(&simulation->model, pair, is_node);
    char cure[128] = "move the body or the cable apart", place[96];
    if (!(-gap > allowed)) {
        return HAW_OK;
    }
    find_place(simulation, i, place);
    if (!is_node && pair->cable >= 0) {
        find_cure(&simulation->model, pair, -gap - allowed, cure);
    }
    const haw_status status = haw_fail(
        simulation->context, HAW_ERR_INPUT,
        "contact of '%s' and '%s': the start is %g m inside the surface%s, more than %g m: "
        "%s",
        pair->between[0], pair->between[1], -gap, place, allowed, cure);
    return haw_place(simulation->context, status, "contact.%s-%s", pair->between[0],
                     pair->between[1]);
}

/* True of a point at an end of its element. */
static bool is_at_node(const haw_simulation *simulation, const haw_touch *touch)
{
    const haw_pair *pair = &simulation->model.pair[touch->pair];
    const haw_cable *cable = &simulation->model.cable[pair->cable];
    const double *q = simulation->state->q;
    return pair->cable >= 0 && (touch->s == haw_cable_local(cable, touch->element, 0, q) ||
                                touch->s == haw_cable_local(cable, touch->element, 1, q));
}

/* Nothing set-valued starts inside a surface; compliant contact is pressed in as far as its springs
 * carry, up to its limit of depth, and an equilibrium pushes the cable out. What is left of
 * that counts as depth of the curve; what the laws see to begins with the first step. */
static haw_status check_start(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    haw_contacts *contacts = simulation->contacts;
    if (haw_stepper_has(simulation, HAW_STEPPER_STATIC)) {
        return HAW_OK;
    }
    HAW_TRY(haw_contacts_detect(contacts, state->q, state->u, 0));
    HAW_TRY(check_size(simulation, &simulation->model, contacts->count));
    for (int i = 0; i < simulation->model.pairs; i++) {
        HAW_TRY(check_drawn(simulation, i, contacts->gap_min[i], false));
    }
    double *deepest = &simulation->certificate.penetration_max;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        HAW_TRY(check_drawn(simulation, touch->pair, touch->gap, is_at_node(simulation, touch)));
        *deepest = fmax(*deepest, 0 - touch->gap);
    }
    contacts->count = 0;
    const haw_guard_step drawn = {
        .t = state->t, .before = state->q, .after = state->q, .is_drawn = true};
    return haw_guard_check(simulation->guard, &drawn, deepest);
}

/* Closed points of a start from equilibrium, or of none: detection overwrites them. */
typedef struct start_touches {
    haw_touch *item;
    double *force; /* [d count] */
    int count;
} start_touches;

static haw_status keep_touches(haw_simulation *simulation, start_touches *kept)
{
    haw_contacts *contacts = simulation->contacts;
    const size_t count = (size_t)contacts->count, rows = count * (size_t)contacts->dimension;
    kept->count = contacts->count;
    kept->item = haw_arena_allocate(&simulation->arena, count + 1, sizeof *kept->item);
    kept->force = haw_arena_allocate(&simulation->arena, rows + 1, sizeof *kept->force);
    HAW_TRY(haw_arena_status(&simulation->arena));
    memcpy(kept->item, contacts->item, count * sizeof *kept->item);
    memcpy(kept->force, contacts->force, rows * sizeof *kept->force);
    contacts->count = 0;
    return HAW_OK;
}

/* The first frame shows their forces, as impulses of a step that leads there. */
static void show_touches(haw_simulation *simulation, const start_touches *kept)
{
    haw_contacts *contacts = simulation->contacts;
    const haw_pair *pair = simulation->model.pair;
    contacts->count = kept->count;
    simulation->set_valued = 0;
    if (kept->count > 0) {
        memcpy(contacts->item, kept->item, (size_t)kept->count * sizeof *kept->item);
    }
    while (simulation->set_valued < kept->count &&
           pair[kept->item[simulation->set_valued].pair].law->set_valued) {
        simulation->set_valued++;
    }
    for (int i = 0; i < contacts->dimension * kept->count; i++) {
        contacts->impulse[i] = simulation->h * kept->force[i];
        contacts->gamma_plus[i] = 0;
    }
}

/* The first frame of a rope that starts from equilibrium has the contact forces of that, and its
 * bristles the energy f^2 / (2 k_t) of their knots, which they may give back. */
static haw_status show_start(haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    const haw_state *state = simulation->state;
    const bool is_static = haw_stepper_has(simulation, HAW_STEPPER_STATIC);
    if (simulation->compliant == NULL || !haw_model_moves_along(&simulation->model) || is_static ||
        simulation->model.start != HAW_START_STATIC) {
        return HAW_OK;
    }
    for (int i = 0; i < 2; i++) {
        memset(simulation->work[i], 0, (size_t)state->dofs * sizeof(double));
    }
    contacts->count = simulation->set_valued = 0;
    haw_compliant_begin(simulation->compliant, state, HAW_STATICS, 0);
    HAW_TRY(haw_compliant_evaluate(simulation->compliant, state->q, state->u, simulation->work[0],
                                   simulation->work[1]));
    HAW_TRY(haw_compliant_commit(simulation->compliant, simulation->state, contacts));
    simulation->bristle_energy = 0;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        const double k = c->share * simulation->model.pair[c->pair].compliance.t.stiffness;
        const double force = contacts->force[2 * i + 1];
        simulation->bristle_energy += k > 0 ? 0.5 * force * force / k : 0;
    }
    contacts->phase = HAW_DYNAMICS;
    for (int i = 0; i < 2 * contacts->count; i++) {
        contacts->impulse[i] = simulation->h * contacts->force[i];
    }
    return HAW_OK;
}

static haw_status build(haw_simulation *simulation, const haw_model *model)
{
    haw_context *context = simulation->context;
    const int n = model->coordinates > model->dofs ? model->coordinates : model->dofs;
    double **const vector[] = {&simulation->q_mid,   &simulation->force,   &simulation->u_free,
                               &simulation->u_plus,  &simulation->u_mean,  &simulation->push,
                               &simulation->work[0], &simulation->work[1], &simulation->reaction,
                               &simulation->support};
    simulation->sparse = *haw_context_sparse(context);
    HAW_TRY(check_size(simulation, model, 0));
    HAW_TRY(copy_model(simulation, model));
    HAW_TRY(haw_vectors_create(&simulation->arena, n, sizeof vector / sizeof *vector, vector));
    simulation->hold =
        haw_arena_allocate(&simulation->arena, (size_t)model->joints, sizeof *simulation->hold);
    HAW_TRY(haw_arena_status(&simulation->arena));
    HAW_TRY(haw_contacts_create(context, &simulation->model, &simulation->contacts));
    HAW_TRY(haw_guard_create(&simulation->arena, &simulation->model, &simulation->guard));
    HAW_TRY(haw_inertia_create(context, &simulation->model, &simulation->inertia));
    haw_compliant_reset(simulation->state);
    HAW_TRY(haw_compliant_any(&simulation->model)
                ? haw_compliant_create(context, &simulation->model, &simulation->compliant)
                : HAW_OK);
    HAW_TRY(haw_workspace_create(context, &simulation->workspace));
    HAW_TRY(haw_workspace_reserve(simulation->workspace, simulation->contacts->capacity));
    return haw_step_reserve_closed(simulation, simulation->contacts->capacity);
}

bool haw_simulation_rubs(const haw_simulation *simulation)
{
    bool rubs = false;
    for (int i = 0; i < simulation->model.pairs; i++) {
        rubs = rubs || simulation->model.pair[i].options.friction > 0;
    }
    return rubs;
}

/*
 * What nobody means: the modulus in place of EA. Pulses run at sqrt(EA / density): at 1.8e4 m/s in
 * diamond, 30 m/s in soft rubber. A rope without much mass may be drawn with none at all, but above
 * 1e9 N only cables of bridges hold. A modulus in GPa shows in the stretch.
 */
static void warn_units(const haw_simulation *simulation)
{
    static const double FASTEST = 3e4, STRONG = 1e9, STRETCH = 1;
    static const char means[] = "stiffness is EA in N, the modulus in Pa times the area in m^2";
    const haw_state *state = simulation->state;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const haw_line *line = &cable->line;
        const double speed = sqrt(line->stiffness / line->density);
        double tension = 0;
        for (int e = 0; e < line->elements; e++) {
            tension = fmax(tension, cable->ops->tension(cable, e, state->q, NULL));
        }
        if (line->stiffness > STRONG && speed > FASTEST && isfinite(speed)) {
            haw_log(simulation->context, HAW_LOG_WARNING,
                    "pulses run through '%s' at %.2g m/s, faster than in any material: %s",
                    cable->name, speed, means);
        } else if (tension > STRETCH * line->stiffness) {
            haw_log(simulation->context, HAW_LOG_WARNING,
                    "at the start '%s' is stretched by %.2g times its length: %s", cable->name,
                    tension / line->stiffness, means);
        }
    }
}

/* From end to end, over the length that it has now; along a curve chords are shorter than arcs, so
 * that what is drawn at rest may be pressed a little. */
static bool is_straight(const haw_cable *cable, const double *q, double strain)
{
    const haw_line *line = &cable->line;
    haw_cable_point first, last;
    cable->ops->point(cable, 0, 0, q, NULL, HAW_POINT_PLACE, &first);
    cable->ops->point(cable, line->elements - 1, 1, q, NULL, HAW_POINT_PLACE, &last);
    const double way[3] = {last.x[0] - first.x[0], last.x[1] - first.x[1], last.x[2] - first.x[2]};
    return vec3_norm(way) > 0.999 * line->le * line->elements * (1 + strain);
}

/*
 * Straight threads that are pressed at the start stay so by a hair and then leap, in any step; what
 * is more than their own weight is meant to sag.
 */
static void warn_pressed(const haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const haw_line *line = &cable->line;
        const bool is_thread =
            cable->beam.ops != NULL ? haw_cable_is_thread(cable) : line->bending == 0;
        const double push = -haw_cable_tension_mean(cable, state->q);
        const double own = line->density * line->le * line->elements * vec3_norm(line->gravity);
        if (is_thread && !line->slack && cable->ops->least_tension == NULL &&
            push > fmax(own, 1e-6 * line->stiffness) &&
            is_straight(cable, state->q, -push / line->stiffness)) {
            haw_log(simulation->context, HAW_LOG_WARNING,
                    "at the start '%s' is pressed by %.3g N and does not bend: slack: true lets it "
                    "sag",
                    cable->name, push);
        }
    }
}

/* A step that the program has chosen, it may divide. */
static void choose_remedy(haw_simulation *simulation)
{
    int *remedy = &simulation->settings.on_unconverged;
    if (*remedy == HAW_UNCONVERGED_AUTO) {
        *remedy = isnan(simulation->step) ? HAW_UNCONVERGED_HALVE : HAW_UNCONVERGED_STOP;
    }
}

haw_status haw_simulation_start(haw_simulation *simulation)
{
    const haw_stepper_common *common = (const void *)simulation->settings.stepper.options;
    start_touches kept = {.count = 0};
    HAW_TRY(haw_guard_model(simulation, simulation->settings.stepper.ops->row.name,
                            simulation->ops->flags));
    if (simulation->model.start == HAW_START_STATIC &&
        !haw_stepper_has(simulation, HAW_STEPPER_STATIC)) {
        HAW_TRY(haw_static_start(simulation));
        HAW_TRY(keep_touches(simulation, &kept));
    }
    warn_units(simulation);
    warn_pressed(simulation);
    simulation->steps_total = -1;
    simulation->step = common->step;
    simulation->end = common->end;
    choose_remedy(simulation);
    HAW_TRY(simulation->ops->prepare(simulation));
    simulation->h = simulation->step;
    HAW_TRY(check_start(simulation));
    HAW_TRY(start_ledger(simulation));
    show_touches(simulation, &kept);
    return show_start(simulation);
}

/* The row that steps: that of the settings, or a deputy with the same settings. */
static void choose_row(haw_simulation *simulation, const haw_model *model)
{
    const haw_stepper_ops *row = simulation->settings.stepper.ops;
    simulation->ops = row;
    if (row->nonsmooth == NULL || !haw_contacts_any(model)) {
        return;
    }
    const unsigned needs = haw_guard_needs(model);
    const haw_stepper_deputy *deputy = row->nonsmooth;
    for (int i = 0; row->nonsmooth[i].row != NULL && (needs & ~deputy->row->flags) != 0; i++) {
        const bool takes = (needs & ~row->nonsmooth[i].row->flags) == 0;
        deputy = takes ? &row->nonsmooth[i] : deputy;
    }
    simulation->ops = deputy->row;
    if (deputy->adopt != NULL) {
        deputy->adopt(simulation->settings.stepper.options);
    }
}

haw_status haw_simulation_build(haw_context *context, const haw_model *model,
                                const haw_run_settings *settings, haw_simulation **simulation)
{
    *simulation = NULL;
    if (settings->size != 0 && settings->size != sizeof *settings) {
        return haw_fail(context, HAW_ERR_ARG,
                        "haw_run_settings has %zu bytes, in this library (version %s) it has %zu: "
                        "compile with the headers of this version",
                        settings->size, haw_version(), sizeof *settings);
    }
    *simulation = haw_allocate(context, 1, sizeof **simulation);
    if (*simulation == NULL) {
        return HAW_ERR_NOMEM;
    }
    (*simulation)->context = context;
    (*simulation)->settings = *settings;
    (*simulation)->solver = settings->solver;
    (*simulation)->crowded_most[0] = MOST_FACTORS;
    (*simulation)->crowded_most[1] = FEW_FACTORS;
    choose_row(*simulation, model);
    haw_arena_init(&(*simulation)->arena, context);
    const haw_status status = build(*simulation, model);
    if (status != HAW_OK) {
        haw_simulation_free(*simulation);
        *simulation = NULL;
    }
    return status;
}

void haw_simulation_free(haw_simulation *simulation)
{
    if (simulation == NULL) {
        return;
    }
    haw_projection_free(simulation->projection);
    haw_region_free(simulation->region);
    haw_inertia_free(simulation->inertia);
    if (simulation->pass != NULL) {
        haw_arena_fini(&simulation->pass->arena);
    }
    if (simulation->implicit != NULL) {
        haw_system_free(simulation->implicit->system);
    }
    haw_compliant_free(simulation->compliant);
    haw_contacts_free(simulation->contacts);
    haw_state_free(simulation->context, simulation->state);
    haw_workspace_free(simulation->workspace);
    haw_release(simulation->context, simulation->closed);
    if (simulation->model.context != NULL) {
        haw_arena_fini(&simulation->model.arena);
    }
    haw_arena_fini(&simulation->arena);
    haw_release(simulation->context, simulation);
}

haw_status haw_step_recount_closed(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    const int d = state->dimension;
    HAW_TRY(haw_step_reserve_closed(simulation, state->rows / d));
    simulation->closed_count = 0;
    for (int id = 0; id < state->rows / d; id++) {
        bool is_closed = false;
        for (int k = 0; k < d; k++) {
            is_closed = is_closed || state->impulse[d * id + k] != 0;
        }
        if (is_closed) {
            simulation->closed[simulation->closed_count++] = id;
        }
    }
    return HAW_OK;
}

haw_status haw_simulation_restart(haw_simulation *simulation, const haw_state *state)
{
    const haw_state *own = simulation->state;
    if (state->dimension != own->dimension || state->dofs != own->dofs ||
        state->coordinates != own->coordinates || state->rows != own->rows ||
        state->bodies != own->bodies) {
        return haw_fail(simulation->context, HAW_ERR_ARG, "the state belongs to another model");
    }
    const haw_ledger *ledger = &simulation->ledger;
    const double before = ledger->kinetic + ledger->elastic + ledger->gravity;
    double stored = 0;
    haw_state_copy(simulation->state, state);
    haw_control_anchor(simulation);
    simulation->solver = simulation->settings.solver;
    if (simulation->implicit != NULL) {
        simulation->implicit->is_current = false;
    }
    HAW_TRY(haw_step_recount_closed(simulation));
    haw_guard_forget(simulation->guard);
    if (simulation->compliant != NULL) {
        haw_compliant_forget(simulation->compliant);
    }
    simulation->bristle_energy = (double)INFINITY;
    /* on the same grid of steps times stay the same bits; another grid starts here */
    const double grid = simulation->step * (double)state->step;
    const bool is_same = fabs(state->t - grid) <= 1e-9 * simulation->step;
    simulation->origin_t = is_same ? 0 : state->t;
    simulation->origin_step = is_same ? 0 : state->step;
    /* what the other state has more or less counts as there from the start */
    simulation->ledger.initial += book_energies(simulation) - before;
    HAW_TRY(haw_step_contact_energy(simulation, &stored));
    simulation->contact_energy = stored - (ledger->impact_loss - simulation->hard[0]);
    return HAW_OK;
}

const haw_problem *haw_simulation_problem(haw_simulation *simulation, const double **impulses)
{
    haw_contacts *contacts = simulation->contacts;
    const haw_stepper_ops *row = simulation->ops;
    const int count = contacts->count;
    *impulses = contacts->impulse;
    if (simulation->set_valued == 0) {
        return NULL;
    }
    contacts->count = simulation->set_valued;
    const haw_status status =
        row->complete_problem != NULL ? row->complete_problem(simulation) : HAW_OK;
    contacts->count = count;
    const haw_problem *problem = &contacts->problem;
    /* what found an equilibrium is gone, whatever there is room for since */
    const bool is_local = problem->q != NULL && problem->w.rows == problem->contacts;
    return status == HAW_OK && (is_local || problem->global != NULL) ? problem : NULL;
}
