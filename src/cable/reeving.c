/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ropes over sheaves share: elements as lists of degrees of freedom, labels, their building
 * from a list of sheaves, and the course over sheaves by rigid tangents. A line along the unit
 * vector e with the left normal n touches a sheave with centre c and radius R at c - turn R n: the
 * sheave lies to its left where the rope turns counter-clockwise (turn = 1), else to its right.
 * Between two circles (an end of the rope is a circle of radius 0), with d = c2 - c1 and delta =
 * turn2 R2 - turn1 R1,
 *
 *     d = l e + delta n,   l = sqrt(d.d - delta^2),   angle(e) = angle(d) - atan2(delta, l),
 *
 * for all four combinations of sides. The angle of the sheave's outward normal there is
 * angle(e) - turn pi / 2. A virtual displacement of the centres changes the length of line and arcs
 * by e . (dc2 - dc1): the parts of dR theta on the two sheaves are those of the turned line.
 */
#include "cable/reeving.h"

#include "cable/site.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

double haw_reeving_line(const haw_reeving_circle *from, const haw_reeving_circle *to,
                        double along[2])
{
    const double d[2] = {to->x[0] - from->x[0], to->x[1] - from->x[1]};
    const double delta = to->turn * to->radius - from->turn * from->radius;
    const double square = d[0] * d[0] + d[1] * d[1] - delta * delta;
    const double length = square > 0 ? sqrt(square) : 0;
    const double angle = atan2(d[1], d[0]) - atan2(delta, length);
    along[0] = cos(angle);
    along[1] = sin(angle);
    return square > 0 ? length : (double)NAN;
}

double haw_reeving_angle(int turn, const double along[2])
{
    return atan2(-turn * along[0], turn * along[1]);
}

double haw_reeving_angle_near(int turn, const double along[2], double drawn)
{
    return drawn + remainder(haw_reeving_angle(turn, along) - drawn, 2 * M_PI);
}

static haw_reeving_circle circle_at(const haw_rope_arc *arc, const double x[2])
{
    return (haw_reeving_circle){.x = {x[0], x[1]}, .radius = arc->radius, .turn = arc->turn};
}

haw_sheave haw_rope_sheave(const haw_cable *cable, int i, const double *q)
{
    const haw_rope_arc *arc = &cable->rope->arc[i];
    const double drawn[2] = {arc->in, arc->out};
    haw_sheave found = {.dof = arc->dof + 2, .turn = arc->turn, .radius = arc->radius};
    for (int side = 0; side < 2; side++) {
        const haw_rope_arc *line = arc - 1 + side;
        const haw_reeving_circle from = circle_at(&line[0], q + line[0].dof);
        const haw_reeving_circle to = circle_at(&line[1], q + line[1].dof);
        double along[2];
        (void)haw_reeving_line(&from, &to, along);
        found.at[side] = haw_reeving_angle_near(arc->turn, along, drawn[side]);
    }
    return found;
}

/* ---- labels and lists ---- */

/* Element e lies between the labels e and e + 1. */
int haw_rope_find(const haw_rope *rope, const double *q, double s)
{
    int low = 0, high = rope->labels - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (q[rope->label[middle]] <= s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void haw_rope_gather(const haw_rope *rope, int e, const double *x, double *local)
{
    const haw_rope_element *element = &rope->element[e];
    for (int a = 0; a < element->dofs; a++) {
        local[a] = x[element->dof[a]];
    }
}

void haw_rope_scatter(const haw_rope *rope, int e, const double *local, double *x)
{
    const haw_rope_element *element = &rope->element[e];
    for (int a = 0; a < element->dofs; a++) {
        x[element->dof[a]] += local[a];
    }
}

/* ---- degrees of freedom and the start ---- */

haw_status haw_rope_allocate(haw_arena *arena, int dofs, haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    const int held = (rope->arc[-1].body < 0) + (rope->arc[rope->arcs].body < 0);
    rope->labels = rope->elements + 1;
    cable->line.dofs = dofs + 2 * held;
    rope->element = haw_arena_allocate(arena, (size_t)rope->elements, sizeof *rope->element);
    rope->label = haw_arena_allocate(arena, (size_t)rope->labels, sizeof *rope->label);
    rope->fraction = haw_arena_allocate(arena, (size_t)rope->labels, sizeof *rope->fraction);
    cable->held = haw_arena_allocate(arena, (size_t)cable->line.dofs, sizeof *cable->held);
    return haw_arena_status(arena);
}

int haw_rope_hold(haw_cable *cable, int count, int *next)
{
    const int first = *next;
    for (int j = 0; j < count; j++) {
        cable->held[(*next)++ - cable->first] = true;
    }
    return first;
}

void haw_rope_number_end(haw_cable *cable, int end, int *next)
{
    haw_rope_arc *place = &cable->rope->arc[end];
    if (place->body < 0) {
        place->dof = *next;
        *next += 2;
        for (int k = 0; k < 2; k++) {
            cable->held[place->dof + k - cable->first] = cable->guide[end < 0 ? 0 : 1].held[k];
        }
    }
}

void haw_rope_start(const haw_cable *cable, double *q)
{
    const haw_rope *rope = cable->rope;
    memset(q + cable->first, 0, (size_t)cable->line.dofs * sizeof *q);
    for (int end = -1; end <= rope->arcs; end += rope->arcs + 1) {
        const haw_rope_arc *place = &rope->arc[end];
        if (place->body < 0) {
            memcpy(q + place->dof, place->centre, sizeof place->centre);
        }
    }
    q[rope->label[rope->labels - 1]] = rope->length;
}

/* ---- what both kinds answer alike ---- */

haw_status haw_rope_copy(haw_arena *arena, haw_cable *cable)
{
    haw_rope *own = haw_arena_allocate(arena, 1, sizeof *own);
    HAW_TRY(haw_arena_status(arena));
    *own = *cable->rope;
    cable->rope = own;
    return HAW_OK;
}

/* The labels of the two ends rest, those between them are `guide`'s. */
void haw_rope_prescribe(const haw_cable *cable, double t, double h, double *u)
{
    const haw_rope *rope = cable->rope;
    u[rope->label[0]] = u[rope->label[rope->labels - 1]] = 0;
    for (int end = 0; end < 2; end++) {
        const haw_cable_guide *guide = &cable->guide[end];
        for (int k = 0; k < 2; k++) {
            if (guide->held[k]) {
                u[haw_rope_place(rope, end)->dof + k] =
                    haw_function_mean(&guide->function[k], t, h);
            }
        }
    }
}

void haw_rope_pull(const haw_cable *cable, double t, const double *q, double *f)
{
    (void)q;
    for (int end = 0; end < 2; end++) {
        const haw_cable_guide *guide = &cable->guide[end];
        const double tension = guide->pulls ? haw_function_value(&guide->tension, t) : 0;
        for (int k = 0; k < 2 && guide->pulls; k++) {
            f[haw_rope_place(cable->rope, end)->dof + k] += tension * guide->towards[k];
        }
    }
}

haw_dofs haw_rope_dofs(const haw_cable *cable, int e)
{
    const haw_rope_element *element = &cable->rope->element[e];
    return (haw_dofs){.count = element->dofs, .list = element->dof};
}

haw_dofs haw_rope_labels(const haw_cable *cable)
{
    return (haw_dofs){.count = cable->rope->labels, .list = cable->rope->label};
}

int haw_rope_end_body(const haw_cable *cable, int end)
{
    return haw_rope_place(cable->rope, end)->body;
}

/* An axial wave through the smallest element on a sheave, or through one of the mean length. */
double haw_rope_critical_step(const haw_cable *cable)
{
    const haw_rope *rope = cable->rope;
    double least = cable->line.le;
    for (int i = 0; i < rope->arcs; i++) {
        least = fmin(least, haw_rope_arc_element(rope, i));
    }
    return least * sqrt(cable->line.density / cable->line.stiffness);
}

int haw_rope_locate(const haw_cable *cable, const double *q, double label, double *s)
{
    *s = label;
    return haw_rope_find(cable->rope, q, label);
}

enum { CONTACT_SAMPLES = 4, SPAN_SAMPLES = 16 };

int haw_rope_samples(const haw_cable *cable, int e)
{
    return cable->rope->element[e].is_span ? SPAN_SAMPLES : CONTACT_SAMPLES;
}

/* Spans are straight lines that do not go slack. */
double haw_rope_least_tension(const haw_cable *cable, const double *q, const double *u)
{
    const haw_rope *rope = cable->rope;
    double least = (double)INFINITY;
    for (int e = 0; e < rope->elements; e++) {
        if (rope->element[e].is_span) {
            least = fmin(least, cable->ops->tension(cable, e, q, u));
        }
    }
    return least;
}

double haw_rope_length(const haw_cable *cable, int e, const double *q)
{
    const int *label = cable->rope->label;
    return q[label[e + 1]] - q[label[e]];
}

double haw_rope_label(const haw_cable *cable, int n, const double *q)
{
    return q[cable->rope->label[n]];
}

/* Labels, in ascending order, move a part of an element by less than they change its length: slopes
 * are those to the label. */
double haw_rope_reach(const haw_cable *cable, const double *q, const double *q_plus)
{
    const haw_rope *rope = cable->rope;
    int others = cable->coordinates - rope->labels; /* coordinates that are no labels */
    double most = 0, stretched = 0;
    for (int a = 0, label = 0; a < cable->coordinates && others > 0; a++) {
        if (label < rope->labels && rope->label[label] == cable->first + a) {
            label++;
        } else {
            most = fmax(most, fabs(q_plus[cable->first_q + a] - q[cable->first_q + a]));
            others--;
        }
    }
    for (int e = 0; e < rope->elements; e++) {
        const double change = haw_rope_length(cable, e, q_plus) - haw_rope_length(cable, e, q);
        stretched = fabs(change) > stretched ? fabs(change) : stretched;
    }
    return 3 * fmax(1, cable->line.le) * most + stretched;
}

double haw_rope_shortest(const haw_cable *cable, const double *q)
{
    double least = (double)INFINITY;
    for (int e = 0; e < cable->rope->elements; e++) {
        least = fmin(least, haw_rope_length(cable, e, q));
    }
    return least;
}

/* Of the labels along the rope; its places go with the bodies. */
double haw_rope_speed(const haw_cable *cable, const double *u)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int k = 0; k < rope->labels; k++) {
        most = fmax(most, fabs(u[rope->label[k]]));
    }
    return most;
}

/* Of its labels, of the rims of its sheaves and of its free ends. */
double haw_rope_excess(const haw_cable *cable, const double *q, const double *d, double move)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int k = 0; k < rope->arcs; k++) {
        const int angle = rope->arc[k].dof + 2;
        most = fmax(most, fabs(d[angle]) * rope->arc[k].radius / move);
    }
    for (int end = 0; end < 2; end++) {
        const haw_rope_arc *place = haw_rope_place(rope, end);
        const double span = haw_rope_length(cable, end == 0 ? 0 : rope->elements - 1, q);
        const double way = place->body < 0 ? hypot(d[place->dof], d[place->dof + 1]) : 0;
        most = fmax(most, way / fmin(move, HAW_ROPE_CHANGE * span));
    }
    for (int e = 0; e < rope->elements; e++) {
        const double change = d[rope->label[e + 1]] - d[rope->label[e]];
        most = fmax(most, fabs(change) / (HAW_ROPE_CHANGE * haw_rope_length(cable, e, q)));
    }
    return most;
}

/* What it lies over or ends on. */
bool haw_rope_keeps(const haw_cable *cable, int body)
{
    const haw_rope *rope = cable->rope;
    bool keeps = false;
    for (int k = -1; k <= rope->arcs && !keeps; k++) {
        keeps = rope->arc[k].body == body;
    }
    return keeps;
}

/* ---- what a description of a rope may not have ---- */

/* Keys of other cables; a scenario that names one expects something of it. */
static haw_status check_foreign(const haw_site *site, const haw_cable_spec *spec)
{
    const struct {
        const char *key;
        bool is_given;
    } rows[] = {
        {"closed", spec->closed},
        {"path", spec->segments > 0},
        {"lay", spec->lay.on != NULL},
        {"slack", spec->slack},
        {"reference_strain", spec->reference_strain != 0},
        {"reference_curvature", spec->reference_curvature != 0},
        {"reference", spec->reference != HAW_REFERENCE_STRAIGHT},
        {"quadrature", spec->quadrature != HAW_SCHEME_C},
        {"gauss_points", spec->gauss_points != 3},
        {"damping.mass", spec->damping_mass != 0},
        {"radius", spec->radius != 0},
        {"velocity", spec->velocity[0] != 0 || spec->velocity[1] != 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].is_given) {
            return haw_cable_refuse(site, spec, rows[i].key, "a rope over sheaves takes no '%s'",
                                    rows[i].key);
        }
    }
    return HAW_OK;
}

/* ---- its sheaves and ends ---- */

/* A wrap this close to 0 or to a full turn is a rope that passes straight [rad]. */
static const double STRAIGHT = 1e-6;

/* True if coordinate k of a body's centre ever changes. */
static bool moves(const haw_body *body, int k)
{
    return !body->held[k] ||
           (body->motion == HAW_MOTION_PRESCRIBED && haw_function_acts(&body->drive[k]));
}

static haw_status add_sheave(const haw_site *site, const haw_cable_spec *spec, int i,
                             haw_rope *rope)
{
    const haw_reeving_spec *entry = &spec->reeving[i];
    const char *on = entry->on != NULL ? entry->on : "";
    const int index = haw_site_find_body(site, on);
    if (index < 0) {
        return haw_cable_refuse(site, spec, "reeving", "no sheave is named '%s'", on);
    }
    const haw_body *body = &site->body[index];
    if (body->surface.ops == NULL || !body->surface.ops->is_circle) {
        return haw_cable_refuse(site, spec, "reeving",
                                "the sheave '%s' must be a body with the shape circle", on);
    }
    if (entry->side != HAW_SIDE_LEFT && entry->side != HAW_SIDE_RIGHT) {
        return haw_cable_refuse(site, spec, "reeving", "the side of '%s' must be left or right",
                                on);
    }
    for (int k = 0; k < i; k++) {
        if (rope->arc[k].body == index) {
            return haw_cable_refuse(site, spec, "reeving",
                                    "the sheave '%s' occurs twice in its reeving", on);
        }
    }
    rope->arc[i] = (haw_rope_arc){.body = index,
                                  .dof = body->first,
                                  .centre = {body->start[0], body->start[1]},
                                  .moves = {moves(body, 0), moves(body, 1)},
                                  .radius = haw_body_radius(body),
                                  .turn = entry->side == HAW_SIDE_LEFT ? 1 : -1,
                                  .pair = -1};
    return HAW_OK;
}

static const char *end_word(int end)
{
    return end == 0 ? "start" : "end";
}

/* An end that no body carries: held where it is, led, or free and pulled. A pull along the rope is
 * one along it as drawn, see `set_directions`. */
static haw_status set_guide(const haw_site *site, const haw_cable_spec *spec, int end,
                            haw_rope_arc *place, haw_cable_guide *guide)
{
    const haw_end_spec *of = &spec->ends[end];
    const double length = hypot(of->towards[0], of->towards[1]);
    guide->pulls = of->kind == HAW_END_FREE && haw_function_acts(&of->tension);
    for (int k = 0; k < 2; k++) {
        const bool is_led = of->kind == HAW_END_MOTION;
        guide->held[k] = of->kind != HAW_END_FREE;
        guide->towards[k] = length > 0 ? of->towards[k] / length : 0;
        place->moves[k] = !guide->held[k] || (is_led && haw_function_acts(&of->velocity[k]));
        HAW_TRY(is_led ? haw_function_copy(site->arena, &of->velocity[k], &guide->function[k])
                       : HAW_OK);
    }
    return guide->pulls ? haw_function_copy(site->arena, &of->tension, &guide->tension) : HAW_OK;
}

/* An end that hangs on a body is where that is; `from` and `to` are places of others. */
static haw_status set_end(const haw_site *site, const haw_cable_spec *spec, int end,
                          haw_cable *cable)
{
    const haw_end_spec *of = &spec->ends[end];
    const double *x = end == 0 ? spec->from : spec->to;
    const char *key = end == 0 ? "from" : "to";
    haw_rope_arc *place = haw_rope_place(cable->rope, end);
    *place = (haw_rope_arc){.body = -1, .dof = -1, .centre = {x[0], x[1]}, .turn = 1};
    cable->guide[end].body = cable->guide[end].joined = -1;
    const bool is_off = of->has_at && (of->at[0] != 0 || of->at[1] != 0);
    if (of->body != NULL && (of->kind == HAW_END_CLAMPED || is_off)) {
        return haw_cable_refuse(site, spec, "ends",
                                "the end of a rope over sheaves is hinged to the centre of a body");
    }
    const bool is_given = isfinite(x[0]) && isfinite(x[1]);
    if (of->body == NULL) {
        return is_given
                   ? haw_place(site->context, set_guide(site, spec, end, place, &cable->guide[end]),
                               "cables.%s.ends", spec->name)
                   : haw_cable_refuse(site, spec, key, "its %s needs a body or a place '%s'",
                                      end_word(end), key);
    }
    place->body = haw_site_find_body(site, of->body);
    if (place->body < 0) {
        return haw_cable_refuse(site, spec, "ends",
                                "no body is named '%s', to which its %s is attached", of->body,
                                end_word(end));
    }
    const haw_body *body = &site->body[place->body];
    place->dof = body->first;
    for (int k = 0; k < 2; k++) {
        place->centre[k] = body->start[k];
        place->moves[k] = moves(body, k);
    }
    const double away = hypot(x[0] - body->start[0], x[1] - body->start[1]);
    if (is_given && away > 1e-9 * (1 + hypot(x[0], x[1]))) {
        return haw_cable_refuse(
            site, spec, key, "its %s rides on the centre of '%s', %g m from '%s'; leave that out",
            end_word(end), of->body, away, key);
    }
    return HAW_OK;
}

/* ---- the drawn course ---- */

static const char *circle_name(const haw_site *site, const haw_rope *rope, int i)
{
    const int body = rope->arc[i].body;
    return body >= 0 ? site->body[body].name : (i < 0 ? "from" : "to");
}

/* Circles of a line must lie apart, or there is no tangent on one of the sides. */
static haw_status check_apart(const haw_site *site, const haw_cable_spec *spec,
                              const haw_rope *rope, int i)
{
    const haw_rope_arc *a = &rope->arc[i - 1], *b = &rope->arc[i];
    const char *name[2] = {circle_name(site, rope, i - 1), circle_name(site, rope, i)};
    const double distance = hypot(b->centre[0] - a->centre[0], b->centre[1] - a->centre[1]);
    const bool is_end[2] = {i == 0, i == rope->arcs};
    if (distance > (a->radius + b->radius) * (1 + 1e-9)) {
        return HAW_OK;
    }
    if (is_end[0] || is_end[1]) {
        return haw_cable_refuse(
            site, spec, "reeving",
            "its %s '%s' lies inside the sheave '%s', so the rope cannot reach it",
            end_word(is_end[0] ? 0 : 1), name[is_end[0] ? 0 : 1], name[is_end[0] ? 1 : 0]);
    }
    return haw_cable_refuse(
        site, spec, "reeving",
        "the sheaves '%s' and '%s' overlap: %g m from centre to centre, %g m from rim to rim",
        name[0], name[1], distance, a->radius + b->radius);
}

/* Angles of the tangent points of all sheaves, and the lengths of the lines between them. */
static haw_status draw(const haw_site *site, const haw_cable_spec *spec, haw_rope *rope,
                       double *span)
{
    double in_along[2] = {0, 0};
    for (int i = 0; i <= rope->arcs; i++) {
        const haw_reeving_circle from = circle_at(&rope->arc[i - 1], rope->arc[i - 1].centre);
        const haw_reeving_circle to = circle_at(&rope->arc[i], rope->arc[i].centre);
        double along[2];
        HAW_TRY(check_apart(site, spec, rope, i));
        span[i] = haw_reeving_line(&from, &to, along);
        if (i > 0) {
            haw_rope_arc *arc = &rope->arc[i - 1];
            arc->in = haw_reeving_angle(arc->turn, in_along);
            double wrap =
                fmod(arc->turn * (haw_reeving_angle(arc->turn, along) - arc->in), 2 * M_PI);
            wrap += wrap < 0 ? 2 * M_PI : 0;
            arc->out = arc->in + arc->turn * wrap;
            if (wrap < STRAIGHT || wrap > 2 * M_PI - STRAIGHT) {
                return haw_cable_refuse(
                    site, spec, "reeving",
                    "the rope passes the sheave '%s' without wrapping around it",
                    circle_name(site, rope, i - 1));
            }
        }
        in_along[0] = along[0];
        in_along[1] = along[1];
    }
    return HAW_OK;
}

/* Pulls without a direction act along the rope as drawn, outwards, and clamps hold that of it. A
 * rope without bending stiffness leaves a clamp at any angle. */
static void set_directions(const haw_cable_spec *spec, haw_cable *cable)
{
    const haw_rope *rope = cable->rope;
    for (int end = 0; end < 2; end++) {
        const haw_rope_arc *line = &rope->arc[end == 0 ? -1 : rope->arcs - 1];
        const haw_reeving_circle from = circle_at(&line[0], line[0].centre);
        const haw_reeving_circle to = circle_at(&line[1], line[1].centre);
        double along[2], *towards = cable->guide[end].towards;
        (void)haw_reeving_line(&from, &to, along);
        if (towards[0] == 0 && towards[1] == 0) {
            towards[0] = end == 0 ? -along[0] : along[0];
            towards[1] = end == 0 ? -along[1] : along[1];
        }
        for (int k = 0; k < 2 && spec->ends[end].kind == HAW_END_CLAMPED; k++) {
            haw_rope_place(rope, end)->clamp[k] = along[k];
        }
    }
}

/*
 * Lengths of a drawn rope: the unstrained one, uniform tension T as drawn,
 *
 *     length = path / (1 + T / EA),
 *
 * labels of the tangent points, and the mesh around them. Bending reaches sqrt(EI / T) into a
 * span (lift-off angle sqrt(EI / T) / R; J. L. Escalona, Multibody Syst. Dyn. 2024): five of them
 * are meshed by contact elements.
 */
enum { ELEMENTS_MAX = 1000000, BENDING_LENGTHS = 5, LEAST_ELEMENTS = 2 };

static double wrap(const haw_rope_arc *arc)
{
    return arc->turn * (arc->out - arc->in);
}

/* ---- unstrained length and labels ---- */

static haw_status set_length(const haw_site *site, const haw_cable_spec *spec, const double *span,
                             haw_rope *rope)
{
    double path = span[0];
    for (int i = 0; i < rope->arcs; i++) {
        haw_rope_arc *arc = &rope->arc[i];
        arc->label_in = path;
        path += arc->radius * wrap(arc);
        arc->label_out = path;
        path += span[i + 1];
    }
    rope->length = path;
    if (!isnan(spec->tension)) {
        rope->length = path / (1 + spec->tension / spec->stiffness);
    } else if (!isnan(spec->length)) {
        rope->length = spec->length;
    }
    const double scale = rope->length / path;
    for (int i = 0; i < rope->arcs; i++) {
        rope->arc[i].label_in *= scale;
        rope->arc[i].label_out *= scale;
    }
    rope->arc[rope->arcs].label_in = rope->length;
    return haw_cable_check_positive(site, spec, "length", rope->length);
}

/* ---- overflow ---- */

/* Least tension of the rope at work: as drawn, of the bodies that hang on its ends, or half of
 * those that hang in a bight. INFINITY: unknown. */
static double estimate_tension(const haw_site *site, const haw_cable_spec *spec, double strain,
                               const haw_rope *rope)
{
    const double gravity = hypot(site->gravity[0], site->gravity[1]);
    double tension = (double)INFINITY;
    if (strain > 0) {
        return strain * spec->stiffness;
    }
    for (int i = -1; i <= rope->arcs; i++) {
        const double share = i < 0 || i == rope->arcs ? 1 : 0.5;
        const haw_body *body = rope->arc[i].body >= 0 ? &site->body[rope->arc[i].body] : NULL;
        if (body != NULL && !(body->held[0] && body->held[1]) && body->mass[0] * gravity > 0) {
            tension = fmin(tension, share * (body->mass[0] * gravity));
        }
    }
    return tension;
}

static double element_length(const haw_rope *rope, const haw_rope_arc *arc)
{
    return arc->radius * wrap(arc) / rope->per_arc;
}

static haw_status choose_overflow(const haw_site *site, const haw_cable_spec *spec, double strain,
                                  haw_rope *rope)
{
    if (!isnan(spec->overflow)) {
        rope->overflow = spec->overflow;
        return HAW_OK;
    }
    for (int i = 0; i < rope->arcs; i++) {
        rope->overflow = fmax(rope->overflow, LEAST_ELEMENTS * element_length(rope, &rope->arc[i]));
    }
    const double tension = estimate_tension(site, spec, strain, rope);
    if (rope->section.bending > 0 && isinf(tension)) {
        return haw_cable_refuse(site, spec, "overflow",
                                "overflow: auto is 5 sqrt(EI / T) and needs a tension, or bodies "
                                "hanging on the rope; give overflow as a number [m]");
    }
    rope->overflow = fmax(rope->overflow, BENDING_LENGTHS * sqrt(rope->section.bending / tension));
    return HAW_OK;
}

/* ---- mesh ---- */

/* Between the meshes of two sheaves, and of a sheave and an end, a free span must be left. */
static haw_status count_elements(const haw_site *site, const haw_cable_spec *spec,
                                 const double *span, haw_rope *rope)
{
    for (int i = 0; i <= rope->arcs; i++) {
        if (2 * rope->overflow >= span[i]) {
            return haw_cable_refuse(
                site, spec, "overflow",
                "an overflow of %g m is longer than half of span %d, of %g m; use more elements, a "
                "smaller overflow or longer spans",
                rope->overflow, i + 1, span[i]);
        }
    }
    double total = 1;
    for (int i = 0; i < rope->arcs; i++) {
        const double beside =
            ceil(rope->overflow / element_length(rope, &rope->arc[i]) * (1 - 1e-9));
        total += rope->per_arc + 2 * beside + 1;
        if (total > ELEMENTS_MAX) {
            return haw_cable_refuse(site, spec, "overflow", "more than %d elements", ELEMENTS_MAX);
        }
        rope->arc[i].elements = rope->per_arc + 2 * (int)beside;
        rope->arc[i].first_element =
            i == 0 ? 1 : rope->arc[i - 1].first_element + rope->arc[i - 1].elements + 1;
    }
    rope->elements = (int)total;
    return HAW_OK;
}

/* ---- the rope ---- */

static haw_status create(const haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_arena *arena = site->arena;
    haw_rope *rope = haw_arena_allocate(arena, 1, sizeof *rope);
    haw_rope_arc *arc = haw_arena_allocate(arena, (size_t)spec->sheaves + 2, sizeof *arc);
    HAW_TRY(haw_arena_status(arena));
    *rope = (haw_rope){.section = {.stiffness = spec->stiffness,
                                   .bending = spec->bending_stiffness * spec->bending_factor,
                                   .density = spec->density,
                                   .damping_strain = spec->damping_strain,
                                   .damping_curvature = spec->damping_curvature,
                                   .gravity = {site->gravity[0], site->gravity[1]}},
                       .per_arc = spec->elements,
                       .modes = {spec->modes[0], spec->modes[1]},
                       .arcs = spec->sheaves,
                       .arc = arc + 1};
    cable->rope = rope;
    return HAW_OK;
}

/* The numbers that do not ask for a kind of element; ends are held by the rope itself. */
static void set_line(const haw_cable_spec *spec, haw_cable *cable)
{
    const haw_rope *rope = cable->rope;
    haw_line *line = &cable->line;
    line->elements = rope->elements;
    line->le = rope->length / rope->elements;
    line->stiffness = rope->section.stiffness;
    line->bending = rope->section.bending;
    line->density = rope->section.density;
    line->damping_strain = rope->section.damping_strain;
    line->damping_curvature = rope->section.damping_curvature;
    for (int i = 0; i < 2; i++) {
        line->gravity[i] = rope->section.gravity[i];
        cable->end[i] = spec->ends[i];
        cable->end_dof[i] = -1;
    }
    cable->tension = (double)NAN;
    cable->is_path = true;
}

haw_status haw_rope_build(haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    HAW_TRY(check_foreign(site, spec));
    if (spec->elements < 2) {
        return haw_cable_refuse(site, spec, "elements",
                                "a rope needs at least 2 elements on each sheave (got %d)",
                                spec->elements);
    }
    HAW_TRY(create(site, spec, cable));
    haw_rope *rope = cable->rope;
    for (int i = 0; i < rope->arcs; i++) {
        HAW_TRY(add_sheave(site, spec, i, rope));
    }
    HAW_TRY(set_end(site, spec, 0, cable));
    HAW_TRY(set_end(site, spec, 1, cable));
    double *span = haw_arena_allocate(site->arena, (size_t)rope->arcs + 1, sizeof *span);
    HAW_TRY(haw_arena_status(site->arena));
    HAW_TRY(draw(site, spec, rope, span));
    set_directions(spec, cable);
    HAW_TRY(set_length(site, spec, span, rope));
    if (cable->ops->guide != NULL) { /* a mesh that is moved along reaches into the spans */
        const double path = rope->arc[0].label_in > 0 ? span[0] / rope->arc[0].label_in : 1;
        HAW_TRY(choose_overflow(site, spec, path - 1, rope));
    }
    HAW_TRY(count_elements(site, spec, span, rope));
    set_line(spec, cable);
    site->starts_static = true;
    HAW_TRY(cable->ops->layout(site->arena, cable));
    return haw_cable_number(site, cable);
}
