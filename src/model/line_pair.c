/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact of cables with cables: the grid of one, the finer of the two, against the centreline of
 * the other or its own. Each point may have several feet there. Of a cable with itself, places
 * nearer along the arc than `neighbours` are no partners.
 *
 * Between two points of a grid the free end of the other cable could pass: under a set-valued law
 * the ends of that one are points, too, which look back. Under a compliant law all of its points
 * are, and each side has half of the stiffness: which cable is named first makes no difference.
 */
#include "base/lie.h"
#include "model/build.h"

#include <math.h>
#include <string.h>

static const double COARSE = 2;  /* elements of the other cable */
static const double WOUND = 0.5; /* curvature times the distance of centrelines in contact */
static const double HALF_TURN = 3.14159265358979323846;

static haw_status check_line(haw_model *model, const haw_contact_spec *spec, int cable)
{
    const haw_cable *line = &model->cable[cable];
    if (line->ops->curve == NULL) {
        return haw_pair_refuse(model, spec, "between",
                               "'%s' is a rope over sheaves, which touches bodies only: let the "
                               "other side be one",
                               line->name);
    }
    if (!(line->radius > 0)) {
        const haw_status status = haw_fail(model->context, HAW_ERR_INPUT,
                                           "cable '%s' needs a radius for contact", line->name);
        return haw_place(model->context, status, "cables.%s.radius", line->name);
    }
    return HAW_OK;
}

/* Half a turn of the axis about a circle of the section's radius leads back beside it: what bends
 * less has no partner before. */
static haw_status find_neighbours(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    const double least = HALF_TURN * cable->radius, length = cable->line.le * cable->line.elements;
    const bool is_alone = cable->bundle == NULL;
    const double apart = isnan(spec->neighbours) ? least : spec->neighbours;
    if (apart < 2 * cable->radius) {
        return haw_pair_refuse(model, spec, "neighbours",
                               "places within %g m of the arc would touch where the cable is "
                               "straight, its diameter being %g m: use more, or auto (%g m)",
                               apart, 2 * cable->radius, least);
    }
    if (is_alone && 2 * apart >= length) {
        return haw_pair_refuse(model, spec, "neighbours",
                               "all places within %g m of the arc are neighbours, half of the "
                               "length %g m: '%s' cannot touch itself",
                               apart, length, cable->name);
    }
    pair->apart = apart;
    return HAW_OK;
}

/* ---- many cables at once ---- */

/* Length of what a name asks for before its last '*'; 0: it is a name. */
static size_t find_stem(const char *name)
{
    const size_t length = strlen(name);
    return length > 1 && name[length - 1] == '*' ? length - 1 : 0;
}

static haw_status check_member(haw_model *model, const haw_contact_spec *spec,
                               const haw_cable *cable, const haw_cable *first)
{
    const char *unlike;
    unlike = cable->line.closed == first->line.closed ? NULL
             : cable->line.closed                     ? "is closed"
                                                      : "is open";
    unlike = cable->radius != first->radius ? "has another radius" : unlike;
    unlike = cable->beam.ops != first->beam.ops || cable->line.ops != first->line.ops
                 ? "has other elements"
                 : unlike;
    unlike = cable->ops->curve == NULL ? "is a rope over sheaves" : unlike;
    return unlike == NULL
               ? HAW_OK
               : haw_pair_refuse(model, spec, "between",
                                 "'%s' %s: cables that are named together are all open or all "
                                 "closed, over no sheaves, and alike in element and radius",
                                 cable->name, unlike);
}

/* True if a cable has shorter elements than another, beyond rounding. */
static bool is_finer(const haw_cable *cable, const haw_cable *other)
{
    return cable->ops->longest(cable) < (1 - 1e-9) * other->ops->longest(other);
}

/* The finer ones first: of two members the first has the grid. */
static void insert_member(const haw_cable *cable, int count, const haw_cable **member)
{
    int at = count;
    for (; at > 0 && is_finer(cable, member[at - 1]); at--) {
        member[at] = member[at - 1];
    }
    member[at] = cable;
}

static haw_status build_bundle(haw_model *model, const haw_contact_spec *spec, const char *name,
                               size_t stem, int *line)
{
    haw_arena scratch;
    int count = 0;
    haw_arena_init(&scratch, model->context);
    const haw_cable **member =
        haw_arena_allocate(&scratch, (size_t)model->cables, sizeof(const haw_cable *));
    haw_status status = haw_arena_status(&scratch);
    for (int i = 0; i < model->cables && status == HAW_OK; i++) {
        const haw_cable *cable = &model->cable[i];
        if (strncmp(cable->name, name, stem) == 0) {
            status = check_member(model, spec, cable, count > 0 ? member[0] : cable);
            insert_member(cable, count++, member);
        }
    }
    if (status == HAW_OK && count > 0) {
        *line = model->lines;
        model->cable[*line].name = haw_arena_string(&model->arena, name);
        status = haw_bundle_build(&model->arena, count, member, &model->cable[*line]);
        model->lines++;
    }
    haw_arena_fini(&scratch);
    return status;
}

haw_status haw_pair_find_line(haw_model *model, const haw_contact_spec *spec, const char *name,
                              int *line)
{
    const size_t stem = find_stem(name);
    *line = haw_model_find_cable(model, name);
    for (int i = model->cables; i < model->lines && *line < 0; i++) {
        *line = strcmp(model->cable[i].name, name) == 0 ? i : -1;
    }
    return *line < 0 && stem > 0 ? build_bundle(model, spec, name, stem, line) : HAW_OK;
}

/* ---- pairs ---- */

/* Two names that stand for the same cable would touch it in one place twice. */
static haw_status check_apart(haw_model *model, const haw_contact_spec *spec, const haw_cable *a,
                              const haw_cable *b)
{
    for (int i = 0; i < haw_cable_parts(a) && a != b; i++) {
        for (int j = 0; j < haw_cable_parts(b); j++) {
            if (haw_cable_part(a, i) == haw_cable_part(b, j)) {
                return haw_pair_refuse(model, spec, "between",
                                       "'%s' is on both sides: name either one set twice, or two "
                                       "that have no cable in common",
                                       haw_cable_part(a, i)->name);
            }
        }
    }
    return HAW_OK;
}

/* From one node of a cable, as it is drawn, to another. */
static void find_chord(const haw_cable *cable, int from, int to, double chord[3])
{
    const double *first = cable->start + (ptrdiff_t)cable->stride_q * from;
    const double *last = cable->start + (ptrdiff_t)cable->stride_q * to;
    memset(chord, 0, 3 * sizeof *chord);
    for (int i = 0; i < cable->ops->dimension; i++) {
        chord[i] = last[i] - first[i];
    }
}

/* Largest curvature of the circles through three neighbouring nodes [1/m]. */
static double find_bend(const haw_cable *cable)
{
    double bend = 0;
    for (int node = 1; node < cable->line.elements; node++) {
        double before[3], after[3], across[3], turn[3];
        find_chord(cable, node - 1, node, before);
        find_chord(cable, node, node + 1, after);
        find_chord(cable, node - 1, node + 1, across);
        vec3_cross(before, after, turn);
        const double size = vec3_norm(before) * vec3_norm(after) * vec3_norm(across);
        bend = size > 0 ? fmax(bend, 2 * vec3_norm(turn) / size) : bend;
    }
    return bend;
}

/* Whether a cable is drawn wound about another: what is on that one is as far from all of its arc,
 * and has no foot on it of which to be sure. */
static bool is_wound(const haw_cable *cable, const haw_cable *other)
{
    const bool is_bundle = cable->bundle != NULL || other->bundle != NULL;
    const double bend = is_bundle ? 0 : find_bend(cable);
    return bend * (cable->radius + other->radius) > WOUND && bend > 2 * find_bend(other);
}

/* Which way a cable goes: with its drift, and as its ends are led until their tables end. */
static void find_way(const haw_cable *cable, double way[3])
{
    memcpy(way, cable->drift, 3 * sizeof *way);
    for (int end = 0; end < 2; end++) {
        const haw_cable_guide *guide = &cable->guide[end];
        for (int i = 0; i < 3; i++) {
            const haw_function *f = &guide->function[i];
            const double time =
                f->count > 0 && f->time[f->count - 1] > 0 ? f->time[f->count - 1] : 1;
            if (guide->held[i] && guide->body < 0) {
                way[i] += guide->guide[i] == HAW_GUIDE_POSITION
                              ? haw_function_value(f, time) - haw_function_value(f, 0)
                              : haw_function_integral(f, time);
            }
        }
    }
}

/* Points of a grid that is so coarse sample the contact poorly, and where the other cable is wound
 * about them they are as far from all of its arc: feet come and go on each of its elements. */
static bool is_coarse(const haw_cable *line, const haw_cable *cable)
{
    return line->ops->longest(line) >= COARSE * cable->ops->longest(cable);
}

/* The finer one, or of two alike the one that stands first in the scene, whichever the pair names
 * first. */
static bool is_before(const haw_cable *cable, const haw_cable *other)
{
    return is_finer(cable, other) || (!is_finer(other, cable) && cable < other);
}

/*
 * A cable that is wound about the other has the grid. Else that which goes along the other more
 * than the other along it: its contact stays in one place of it. That of the other goes from point
 * to point, as over pegs of the slope s / (2 D), s apart; friction is too large by what it takes to
 * come over them. Of grids that are not alike the finer one yields to this only where the ways
 * differ by a factor of two: a helix and its core have the same chord.
 */
static bool has_grid(const haw_cable *cable, const haw_cable *other)
{
    double chord[2][3], way[2][3], between[3];
    if (cable->bundle != NULL || other->bundle != NULL || cable == other) {
        return is_before(cable, other);
    }
    const bool winds = is_wound(cable, other);
    if (winds || is_wound(other, cable)) {
        return winds;
    }
    if (is_coarse(cable, other) || is_coarse(other, cable)) {
        return is_before(cable, other);
    }
    find_chord(cable, 0, cable->line.elements, chord[0]);
    find_chord(other, 0, other->line.elements, chord[1]);
    find_way(cable, way[0]);
    find_way(other, way[1]);
    for (int i = 0; i < 3; i++) {
        between[i] = way[0][i] - way[1][i];
    }
    const double own = fabs(vec3_dot(between, chord[0])) * vec3_norm(chord[1]);
    const double along = fabs(vec3_dot(between, chord[1])) * vec3_norm(chord[0]);
    const bool alike = !is_finer(cable, other) && !is_finer(other, cable);
    const double rounding = 1e-9 * vec3_norm(between) * vec3_norm(chord[0]) * vec3_norm(chord[1]);
    const double least = fmax(rounding, alike ? 0 : 0.5 * fmax(along, own));
    return fabs(along - own) > least ? along > own : is_before(cable, other);
}

haw_status haw_line_pair(haw_model *model, const haw_contact_spec *spec, const int cable[2],
                         haw_pair *pair)
{
    HAW_TRY(check_line(model, spec, cable[0]));
    HAW_TRY(check_line(model, spec, cable[1]));
    const haw_cable *first = &model->cable[cable[0]], *second = &model->cable[cable[1]];
    HAW_TRY(check_apart(model, spec, first, second));
    const bool swap = has_grid(second, first);
    pair->is_swapped = swap;
    pair->cable = cable[swap ? 1 : 0];
    pair->line = cable[swap ? 0 : 1];
    pair->body = pair->proxy = -1;
    if (spec->kinematics == HAW_KINEMATICS_CHORD && !pair->law->set_valued) {
        return haw_pair_refuse(model, spec, "kinematics",
                               "cables touch cables at the points of the grid: use kinematics: "
                               "curve");
    }
    if (spec->proxy != HAW_PROXY_POINTS && spec->proxy != HAW_PROXY_MINIMA) {
        return haw_pair_refuse(model, spec, "proxy",
                               "cables touch cables at the points of the grid or where they are "
                               "nearest: use proxy: points or minima");
    }
    pair->neighbours = spec->neighbours;
    return pair->cable == pair->line ? find_neighbours(model, spec, pair) : HAW_OK;
}

haw_status haw_line_pair_behind(haw_model *model, haw_pair *pair)
{
    const int ahead = pair->points;
    const haw_cable *line = &model->cable[pair->line];
    const bool has_ends = pair->law->set_valued && !line->line.closed;
    const int points = pair->points_per_element * line->line.elements;
    const int places = has_ends ? 2 * haw_cable_parts(line)
                       : pair->law->set_valued || pair->cable == pair->line ||
                               is_coarse(line, &model->cable[pair->cable]) ||
                               is_wound(&model->cable[pair->cable], line)
                           ? 0
                           : points + haw_cable_parts(line);
    HAW_TRY(haw_pair_count(model, (double)ahead + (double)pair->feet * places, pair));
    pair->ahead = ahead;
    return HAW_OK;
}
