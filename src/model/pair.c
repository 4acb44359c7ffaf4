/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact pairs: the grid of material points (or the corners of a body) against one surface or the
 * centreline of a cable, in space times the feet that each may have on it. Of two bodies that both
 * have several corners each touches with its own; that finds every contact of convex ones in the
 * plane, and in space with what is nearest of an axis.
 * Points sit at the local coordinates j / n of every element; prescribed nodes carry none, and the
 * last node of a closed cable is its first. Compliant laws may take the n chords of every element
 * instead, all of them. A set-valued law acts on points whatever the scene says of chords.
 */
#include "base/lie.h"
#include "model/build.h"
#include "model/size.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { POINTS_MAX = 100000000 }; /* rows of all points stay far below the largest int */

haw_status haw_pair_refuse(haw_model *model, const haw_contact_spec *spec, const char *key,
                           const char *format, ...)
{
    char text[HAW_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const haw_status status =
        haw_fail(model->context, HAW_ERR_INPUT, "contact between '%s' and '%s': %s",
                 spec->between[0], spec->between[1], text);
    return haw_place(model->context, status, "contact.%s-%s.%s", spec->between[0], spec->between[1],
                     key);
}

double haw_pair_elements(const haw_model *model, const haw_pair *pair, const haw_cable *cable)
{
    const double radius = haw_pair_radius(model, pair) + cable->radius;
    return ceil(2 * cable->line.le * cable->line.elements / radius);
}

bool haw_pair_is_flat(const haw_model *model, const haw_pair *pair)
{
    return pair->body >= 0 && haw_surface_is_flat(&model->body[pair->body].surface);
}

double haw_pair_radius(const haw_model *model, const haw_pair *pair)
{
    const haw_body *body = pair->body >= 0 ? &model->body[pair->body] : NULL;
    if (body != NULL) {
        return pair->cable >= 0 ? haw_body_radius(body) : haw_body_inner(body);
    }
    return fmin(model->cable[pair->line].radius, model->cable[pair->cable].radius);
}

double haw_pair_thickness(const haw_model *model, const haw_pair *pair)
{
    return pair->cable >= 0 ? model->cable[pair->cable].radius : pair->proxy_radius;
}

double haw_pair_girth(const haw_model *model, const haw_pair *pair)
{
    return pair->cable >= 0 ? model->cable[pair->cable].radius
                            : haw_body_inner(&model->body[pair->proxy]);
}

double haw_pair_depth_limit(const haw_pair *pair)
{
    const double preset = pair->law->set_valued ? 0.01 : 0.25;
    return isnan(pair->depth_limit) ? preset : pair->depth_limit;
}

double haw_pair_azimuth(const haw_model *model, const haw_pair *pair, const double *q,
                        const double x[3])
{
    static const double still[7] = {0, 0, 0, 1, 0, 0, 0};
    const double *pose = pair->body >= 0 ? q + model->body[pair->body].first_q : still;
    const double arm[3] = {x[0] - pose[0], x[1] - pose[1], x[2] - pose[2]};
    double r[9], local[3];
    quaternion_matrix(pose + 3, r);
    mat3_apply_t(r, arm, local);
    return atan2(local[1], local[0]);
}

const char *haw_pair_partner(const haw_model *model, const haw_pair *pair)
{
    return pair->line >= 0 ? model->cable[pair->line].name : model->body[pair->body].name;
}

/*
 * A point grid with spacing d lets a disk of radius R sink d^2 / (8 R) between two points and is
 * passed when the gap opens to the diameter: d <= R is the guarantee, R / 8 the default.
 *
 * Two cables that lie along each other touch over whole elements, and hard contact at more points
 * than the two values across that a node has leaves single forces open: sticking ones are then
 * found by chance or not at all. There R / 2 is the default (d^2 / (8 D) = R / 64), and three
 * points on elements shorter than that asks for, which a crossing of two strings needs.
 */
static double default_spacing(const haw_pair *pair, double length, double radius)
{
    const bool lies_along = pair->line >= 0 && pair->law->set_valued;
    return lies_along ? fmax(radius / 8, fmin(radius / 2, length / 3)) : radius / 8;
}

/* Whose radius that of the pair is: of two cables the smaller one's. */
static const char *find_owner(const haw_model *model, const haw_pair *pair)
{
    const bool is_own = pair->body < 0 && pair->cable >= 0 &&
                        model->cable[pair->cable].radius < model->cable[pair->line].radius;
    return is_own ? model->cable[pair->cable].name : haw_pair_partner(model, pair);
}

static haw_status choose_points(haw_model *model, const haw_contact_spec *spec, double length,
                                double radius, haw_pair *pair)
{
    const double spacing =
        isnan(spec->spacing) ? default_spacing(pair, length, radius) : spec->spacing;
    if (radius == 0) {
        return haw_pair_refuse(model, spec, "between",
                               "the edges of '%s' have no radius, and a cable would be cut by "
                               "them: give it one",
                               haw_pair_partner(model, pair));
    }
    pair->points_per_element = spec->points_per_element;
    if (spec->points_per_element == 0) {
        const double n = isinf(spacing) ? 1 : ceil(length / spacing * (1 - 1e-12));
        if (n > 4096) {
            return haw_pair_refuse(model, spec, "spacing",
                                   "spacing %g m needs %.0f points per element, at most 4096",
                                   spacing, n);
        }
        pair->points_per_element = (int)fmax(n, 1);
    }
    const int kept = pair->refine == HAW_REFINE_CONTACT ? spec->refine_factor : 1;
    if (length / pair->points_per_element / kept > radius) {
        return haw_pair_refuse(
            model, spec, "points_per_element",
            "grid spacing %g m is above the radius %g m of '%s': the surface could pass between "
            "two points; use at least %.0f points per element",
            length / pair->points_per_element / kept, radius, find_owner(model, pair),
            ceil(length / radius / kept));
    }
    pair->coarse = pair->refine >= HAW_REFINE_LIFTOFF ? spec->refine_factor : 1;
    pair->points_per_element *= pair->coarse;
    return HAW_OK;
}

haw_status haw_pair_count(haw_model *model, double points, haw_pair *pair)
{
    if (points + model->points > POINTS_MAX) {
        return haw_fail(model->context, HAW_ERR_INPUT,
                        "contact grid of %.0f points: the limit is %d", points, POINTS_MAX);
    }
    pair->points = pair->ahead = (int)points;
    return HAW_OK;
}

/* ---- the surface under a grid ---- */

/* In space the cable needs a section, which must fit into the hollows of the surface. */
static haw_status check_section(haw_model *model, const haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    const haw_surface *surface = &model->body[pair->body].surface;
    const double hollow = surface->ops->hollow(surface);
    haw_status status = HAW_OK;
    if (!(cable->radius > 0)) {
        status = haw_fail(model->context, HAW_ERR_INPUT, "cable '%s' needs a radius for contact",
                          cable->name);
    } else if (cable->radius >= hollow) {
        status = haw_fail(model->context, HAW_ERR_INPUT,
                          "cable '%s': its radius %g m does not fit into the hollow surface of "
                          "'%s', whose radius is %g m",
                          cable->name, cable->radius, model->body[pair->body].name, hollow);
    }
    return haw_place(model->context, status, "cables.%s.radius", cable->name);
}

static haw_status check_grid(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair)
{
    return pair->law->set_valued || pair->refine != HAW_REFINE_LIFTOFF
               ? HAW_OK
               : haw_pair_refuse(model, spec, "law",
                                 "law: penalty acts on an even grid; use refine: contact or off, "
                                 "or law: hard");
}

static haw_status check_modes(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair)
{
    if (!pair->law->set_valued && spec->switching == HAW_SWITCHING_POST_NEWTON) {
        return haw_pair_refuse(model, spec, "switching",
                               "switching: post-newton is for bodies in the plane only; use "
                               "return-map");
    }
    if (spec->refine == HAW_REFINE_MINIMA) {
        return haw_pair_refuse(model, spec, "refine",
                               "refine: minima is for bodies in the plane only; use contact or "
                               "liftoff");
    }
    if (spec->offset != 0) {
        return haw_pair_refuse(model, spec, "offset", "an offset is for bodies in the plane only");
    }
    return HAW_OK;
}

/* Places of a surface that may be hollow, or of a line, times the feet that each may have on it. */
static haw_status place_feet(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const bool is_mortar = spec->proxy == HAW_PROXY_MORTAR;
    HAW_TRY(pair->line < 0 ? check_section(model, pair) : HAW_OK);
    if (spec->proxy != HAW_PROXY_POINTS && pair->kinematics == HAW_KINEMATICS_CHORD) {
        return haw_pair_refuse(model, spec, "proxy",
                               "chords lie between points; use proxy: points or kinematics: curve");
    }
    if (is_mortar && pair->points_per_element < 2) {
        return haw_pair_refuse(model, spec, "points_per_element",
                               "proxy: mortar needs at least 2 points per element");
    }
    if (spec->proxy == HAW_PROXY_MINIMA && pair->line < 0) {
        return haw_pair_refuse(model, spec, "proxy",
                               "proxy: minima is for cables that touch cables; use points");
    }
    if (is_mortar && !pair->law->set_valued) {
        return haw_pair_refuse(model, spec, "proxy",
                               "proxy: mortar averages the constraints of points, and law: penalty "
                               "presses every point; use points or capsules, or law: hard");
    }
    if (is_mortar && spec->refine != HAW_REFINE_OFF) {
        return haw_pair_refuse(model, spec, "refine",
                               "refine is available for points and capsules only");
    }
    const bool has_many = model->cable[pair->cable].bundle != NULL ||
                          (pair->line >= 0 && model->cable[pair->line].bundle != NULL);
    if (spec->proxy != HAW_PROXY_POINTS && has_many) {
        return haw_pair_refuse(model, spec, "proxy", "many cables at once have proxy: points only");
    }
    if (is_mortar && model->cable[pair->cable].line.closed) {
        return haw_pair_refuse(model, spec, "proxy",
                               "proxy: mortar is for cables with two ends; use points or capsules");
    }
    pair->proxies = (haw_proxy)spec->proxy;
    const double elements = model->cable[pair->cable].line.elements;
    const double grid = (double)pair->points_per_element * elements;
    HAW_TRY(haw_pair_count(model, pair->feet * (2 * grid + 2), pair)); /* before an int overflows */
    HAW_TRY(haw_pair_count(model, (double)pair->feet * haw_pair_places(model, pair), pair));
    return pair->line >= 0 ? haw_line_pair_behind(model, pair) : HAW_OK;
}

/* Smallest radius of what is hollow; a line bends any way. */
static double find_hollow(const haw_model *model, const haw_pair *pair)
{
    const haw_surface *surface = pair->body >= 0 ? &model->body[pair->body].surface : NULL;
    return surface != NULL ? surface->ops->hollow(surface) : 0;
}

/* Longest element that has points. */
static double find_longest(const haw_model *model, const haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    const bool has_both = pair->line >= 0 && !pair->law->set_valued;
    const haw_cable *other = has_both ? &model->cable[pair->line] : cable;
    return fmax(cable->ops->longest(cable), other->ops->longest(other));
}

/* Points of one body against another, and of the other one behind them. */
static haw_status place_corners(haw_model *model, const haw_contact_spec *spec, double hollow,
                                haw_pair *pair)
{
    const haw_surface_ops *own = model->body[pair->proxy].surface.ops;
    const haw_surface_ops *other = model->body[pair->body].surface.ops;
    const int edges = own->edges * (other->edges > 1 ? other->edges : 1);
    if (!(pair->proxy_radius < hollow)) {
        return haw_pair_refuse(model, spec, "between",
                               "the sphere does not fit into the hollow surface");
    }
    if (own->corners > 1 && isfinite(hollow)) {
        return haw_pair_refuse(model, spec, "between", "only a sphere touches a hollow surface");
    }
    if (own->edges > 1 && other->corners == 0 &&
        isfinite(other->radius(&model->body[pair->body].surface))) {
        return haw_pair_refuse(model, spec, "between",
                               "a box touches planes, spheres, capsules and boxes");
    }
    if (other->edges > 0 && !(haw_body_radius(&model->body[pair->body]) + pair->proxy_radius > 0)) {
        return haw_pair_refuse(model, spec, "between",
                               "the edges of one of the two boxes need a radius");
    }
    const int back = own->corners > 1 && other->corners > 1 ? other->corners : 0;
    HAW_TRY(haw_pair_count(model, pair->feet * (own->corners + edges + back), pair));
    pair->ahead -= back;
    return HAW_OK;
}

/* The grid of places that may touch: of two bodies their corners. */
static haw_status build_grid(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const bool is_flat = haw_pair_is_flat(model, pair);
    const haw_cable *cable = pair->cable >= 0 ? &model->cable[pair->cable] : NULL;
    pair->feet = pair->coarse = 1;
    pair->refine = (haw_refine)spec->refine;
    if (cable != NULL && cable->ops->moves_along) {
        return haw_reeving_pair(model, spec, pair);
    }
    const double hollow = find_hollow(model, pair);
    pair->feet = pair->line >= 0 ? HAW_LINE_FEET : isfinite(hollow) ? HAW_FEET_MAX : pair->feet;
    HAW_TRY(check_grid(model, spec, pair));
    HAW_TRY(is_flat ? HAW_OK : check_modes(model, spec, pair));
    if (cable == NULL) {
        return place_corners(model, spec, hollow, pair);
    }
    HAW_TRY(
        choose_points(model, spec, find_longest(model, pair), haw_pair_radius(model, pair), pair));
    pair->kinematics =
        pair->law->set_valued ? HAW_KINEMATICS_CURVE : (haw_kinematics)spec->kinematics;
    if (!is_flat) {
        return place_feet(model, spec, pair);
    }
    const bool is_grid = pair->kinematics == HAW_KINEMATICS_CURVE;
    const bool last = is_grid && !cable->line.closed && !haw_cable_end_held(cable, 1);
    const double points = (double)pair->points_per_element * cable->line.elements + (last ? 1 : 0);
    return haw_pair_count(model, points, pair);
}

/* ---- whose points, whose surface ---- */

static bool can_move(const haw_model *model, const haw_body *body)
{
    bool moves = false;
    for (size_t i = 0; i < haw_body_dofs(model); i++) {
        moves = moves || !body->held[i];
    }
    return moves;
}

static haw_status check_shape(haw_model *model, int body)
{
    const haw_body *b = &model->body[body];
    return b->surface.ops != NULL ? HAW_OK
                                  : haw_fail(model->context, HAW_ERR_INPUT,
                                             "contact: body '%s' has no shape", b->name);
}

/* Two bodies: that with fewer corners touches with them; the first of two alike. */
static int choose_proxy(const haw_model *model, const int body[2])
{
    const int corners[2] = {model->body[body[0]].surface.ops->corners,
                            model->body[body[1]].surface.ops->corners};
    return corners[0] > 0 && (corners[1] == 0 || corners[0] <= corners[1]) ? 0 : 1;
}

static haw_status body_pair(haw_model *model, const haw_contact_spec *spec, const int body[2],
                            haw_pair *pair)
{
    HAW_TRY(check_shape(model, body[0]));
    HAW_TRY(check_shape(model, body[1]));
    const int proxy = choose_proxy(model, body);
    const haw_body *moving = &model->body[body[proxy]];
    if (body[0] == body[1] || moving->surface.ops->corners == 0) {
        return haw_pair_refuse(model, spec, "between", "one of the two bodies must be a %s",
                               model->kind->proxy);
    }
    if (!can_move(model, moving) && !can_move(model, &model->body[body[1 - proxy]])) {
        return haw_pair_refuse(model, spec, "between", "neither of the two can move freely");
    }
    pair->cable = -1;
    pair->proxy = body[proxy];
    pair->proxy_radius = haw_body_radius(moving);
    pair->body = body[1 - proxy];
    return HAW_OK;
}

static haw_status find_owners(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    int body[2], cable[2];
    pair->line = -1;
    for (int i = 0; i < 2; i++) {
        const char *name = spec->between[i] != NULL ? spec->between[i] : "";
        body[i] = haw_model_find_body(model, name);
        HAW_TRY(haw_pair_find_line(model, spec, name, &cable[i]));
        if (body[i] < 0 && cable[i] < 0) {
            return haw_fail(model->context, HAW_ERR_INPUT,
                            "contact: no cable or body is named '%s'", name);
        }
        if (cable[i] >= 0) {
            pair->cable = cable[i];
        }
    }
    if (body[0] < 0 && body[1] < 0) {
        return haw_line_pair(model, spec, cable, pair);
    }
    if (body[0] >= 0 && body[1] >= 0) {
        return body_pair(model, spec, body, pair);
    }
    pair->body = body[0] >= 0 ? body[0] : body[1];
    pair->proxy = -1;
    HAW_TRY(check_shape(model, pair->body));
    return HAW_OK;
}

static haw_status build_pair(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const char *law = spec->law != NULL ? spec->law : "";
    pair->law = (const haw_law_ops *)haw_row_find(haw_laws, law);
    if (pair->law == NULL) {
        return haw_row_unknown(model->context, haw_laws, law, "contact: unknown law");
    }
    const char *key = "";
    const haw_status status = haw_options_check(model->context, haw_contact_options, spec,
                                                model->dimension, "contact", &key);
    HAW_TRY(haw_place(model->context, status, "contact.%s-%s.%s", spec->between[0],
                      spec->between[1], key));
    HAW_TRY(find_owners(model, spec, pair));
    pair->between[0] =
        pair->cable >= 0 ? model->cable[pair->cable].name : model->body[pair->proxy].name;
    pair->between[1] = haw_pair_partner(model, pair);
    HAW_TRY(build_grid(model, spec, pair));
    HAW_TRY(haw_build_law(model, spec, pair));
    haw_reeving_bed(model, pair);
    /* Results have samples where the first grid of a cable has its points, so that contact forces
     * land on them. */
    const haw_cable *cable = pair->cable >= 0 ? &model->cable[pair->cable] : NULL;
    for (int i = 0; cable != NULL && i < haw_cable_parts(cable); i++) {
        haw_cable *part = &model->cable[haw_cable_part(cable, i) - model->cable];
        if (part->samples == 0 && pair->points_per_element > pair->coarse) {
            part->samples = pair->points_per_element / pair->coarse;
        }
    }
    pair->first_point = model->points;
    model->points += pair->points;
    return HAW_OK;
}

haw_status haw_build_pairs(haw_model *model, const haw_scene *scene)
{
    if (scene->contacts == 0) {
        return HAW_OK;
    }
    model->pair = haw_arena_allocate(&model->arena, (size_t)scene->contacts, sizeof *model->pair);
    HAW_TRY(haw_arena_status(&model->arena));
    for (int i = 0; i < scene->contacts; i++) {
        const haw_contact_spec *spec = &scene->contact[i];
        HAW_TRY(haw_place(model->context, build_pair(model, spec, &model->pair[i]), "contact.%s-%s",
                          spec->between[0], spec->between[1]));
        model->pairs = i + 1;
        const haw_size size = haw_size_of(model, false);
        HAW_TRY(haw_model_fits(model, &size));
    }
    haw_reeving_warn(model);
    return HAW_OK;
}

void haw_pair_point(const haw_model *model, const haw_pair *pair, int point, int *element,
                    double *s)
{
    const int n = pair->proxies == HAW_PROXY_MORTAR ? 1 : pair->points_per_element;
    const haw_line *line = &model->cable[pair->cable].line;
    const int elements = line->elements;
    if (model->cable[pair->cable].ops->moves_along) { /* as if its elements were equal */
        const double along = fmin(point * pair->spacing / line->le, elements);
        *element = (int)fmin(along, elements - 1);
        *s = along - *element;
        return;
    }
    int place = (point < pair->ahead ? point : point - pair->ahead) / pair->feet;
    const haw_cable *cable = &model->cable[haw_pair_owner(pair, point)];
    if (pair->proxies == HAW_PROXY_CAPSULES &&
        place > n * elements) { /* a piece: where it begins */
        place -= n * elements + 1;
    }
    if (point >= pair->ahead && pair->compliance.normal == NULL) { /* ends only */
        const int part = place / 2, end = place % 2;
        *element = haw_cable_part_first(cable, part + end) - end;
        *s = end;
        return;
    }
    haw_place_find(cable, n, place, element, s);
}

int haw_pair_owner(const haw_pair *pair, int point)
{
    return point < pair->ahead ? pair->cable : pair->line;
}

/* Each member has one place more than points in its elements: its last node. */
int haw_place_of(const haw_cable *cable, int n, int e, int j)
{
    return n * e + j + haw_cable_part_of(cable, e);
}

void haw_place_find(const haw_cable *cable, int n, int place, int *element, double *s)
{
    int low = 0, high = haw_cable_parts(cable);
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (n * haw_cable_part_first(cable, middle) + middle <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const int end = haw_cable_part_first(cable, low + 1), point = place - low;
    *element = point / n < end ? point / n : end - 1;
    *s = (double)(point - n * *element) / n;
}

bool haw_pair_is_end(const haw_model *model, const haw_pair *pair, int point)
{
    const haw_cable *cable = &model->cable[haw_pair_owner(pair, point)];
    const int grid = pair->points_per_element * cable->line.elements + 1; /* then come pieces */
    int e;
    double s;
    haw_pair_point(model, pair, point, &e, &s);
    return (pair->proxies != HAW_PROXY_CAPSULES || point / pair->feet < grid) &&
           ((s <= 0 && haw_cable_beside(cable, e, -1) < 0) ||
            (s >= 1 && haw_cable_beside(cable, e, 1) < 0));
}

double haw_pair_side(const haw_pair *pair)
{
    const bool is_double = pair->compliance.normal != NULL && pair->line >= 0 &&
                           (pair->cable == pair->line || pair->ahead < pair->points);
    return is_double ? 0.5 : 1;
}

/* The length that belongs to a point of the grid is that of the pair's cable. */
double haw_pair_weight(const haw_model *model, const haw_pair *pair, int point)
{
    const double side = haw_pair_side(pair);
    if (pair->cable < 0 || pair->compliance.per == HAW_PER_POINT ||
        pair->kinematics == HAW_KINEMATICS_CHORD || model->cable[pair->cable].ops->moves_along) {
        return side;
    }
    const haw_cable *cable = &model->cable[haw_pair_owner(pair, point)];
    int e;
    double s;
    haw_pair_point(model, pair, point, &e, &s);
    const bool is_end = haw_pair_is_end(model, pair, point);
    const double length = haw_cable_member(cable, &e)->line.le / model->cable[pair->cable].line.le;
    const double part = side * length * (is_end ? 0.5 : 1);
    return pair->proxies == HAW_PROXY_CAPSULES ? 0.5 * part : part;
}
