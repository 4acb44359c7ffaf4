/* SPDX-License-Identifier: BSD-3-Clause */
/* Feet of points on the centreline of a cable. */
#include "contact/centreline.h"

#include "base/lie.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 40, /* levels of halving; there f is as good as constant */
    MOST_HALVES = 2048,
    ITERATIONS = 100,
    STACK = 64 /* nodes of the tree that wait: its levels */
};

/* Two feet on neighbouring elements that are this near, over the length of the element, are one. */
static const double ONE_FOOT = 1e-8;

static const double SHARPEST = 1e-6;

static const double HALF = 0.5; /* of an element */

/* Part of the reach of a search about a point by which what it has come to serves others. */
static const double BESIDE = 0.5;

/* ---- the tree ---- */

typedef struct haw_line_key {
    uint64_t code; /* of a place on the curve that fills space */
    int e;
} haw_line_key;

haw_status haw_centreline_create(haw_arena *arena, const haw_cable *cable, haw_centreline *curve)
{
    const int elements = cable->line.elements;
    int first = 1;
    while (first < elements) {
        first *= 2;
    }
    *curve =
        (haw_centreline){.cable = cable, .first = first, .is_cubic = cable->ops->is_cubic(cable)};
    curve->key = cable->bundle != NULL
                     ? haw_arena_allocate(arena, (size_t)elements, sizeof *curve->key)
                     : NULL;
    curve->found = haw_arena_allocate(arena, (size_t)elements, sizeof *curve->found);
    curve->memory = haw_arena_allocate(arena, 1, sizeof *curve->memory);
    curve->leaf = haw_arena_allocate(arena, (size_t)elements, sizeof *curve->leaf);
    curve->box = haw_arena_allocate(arena, 2 * (size_t)first, sizeof *curve->box);
    return haw_arena_status(arena);
}

static void fit_leaf(const haw_centreline *curve, int e)
{
    const haw_cable *cable = curve->cable;
    haw_line_leaf *leaf = &curve->leaf[e];
    haw_bounds bounds;
    double middle[3][3];
    cable->ops->bounds(cable, e, curve->q, &bounds);
    cable->ops->curve(cable, e, 0.5, curve->q, middle);
    cable->ops->bends(cable, e, curve->q, leaf->rate + 1);
    const double slowest = vec3_norm(middle[0]) - 0.5 * leaf->rate[1];
    leaf->turn = slowest > 0 ? leaf->rate[1] / slowest : HUGE_VAL;
    leaf->rate[0] = fmin(bounds.slope, vec3_norm(middle[0]) + 0.5 * leaf->rate[1]);
    leaf->radius = bounds.radius * (1 + 1e-9);
    leaf->corner = -1;
    leaf->straight[0] = leaf->straight[1] = -1;
    memcpy(leaf->centre, bounds.centre, sizeof leaf->centre);
    for (int k = 0; k < 3; k++) {
        leaf->sample[k].is_known = false;
    }
}

/* The curve at the start, middle or end of an element, k = 0, 1, 2. */
static const haw_line_sample *find_sample(const haw_centreline *curve, int e, int k)
{
    haw_line_sample *sample = &curve->leaf[e].sample[k];
    if (!sample->is_known) {
        const haw_cable *cable = curve->cable;
        haw_cable_point point;
        cable->ops->point(cable, e, 0.5 * k, curve->q, NULL, HAW_POINT_POSITION, &point);
        cable->ops->curve(cable, e, 0.5 * k, curve->q, sample->d);
        memcpy(sample->x, point.x, sizeof sample->x);
        const double bend = vec3_norm(sample->d[1]);
        sample->turn = curve->is_cubic || !(bend > 0) ? 0 : vec3_norm(sample->d[2]) / bend;
        sample->is_known = true;
    }
    return sample;
}

/* Element of leaf k of the tree. */
static int element_of(const haw_centreline *curve, int k)
{
    return curve->key != NULL ? curve->key[k].e : k;
}

static int compare_keys(const void *a, const void *b)
{
    const haw_line_key *one = a, *other = b;
    return one->code != other->code ? (one->code < other->code ? -1 : 1) : one->e - other->e;
}

/* Every third bit of 21. */
static uint64_t spread_bits(uint64_t x)
{
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

/* Leaves in the order of a Morton curve through their centres. */
static void sort_leaves(const haw_centreline *curve)
{
    const int elements = curve->cable->line.elements;
    const double cells = 2097151;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, size = 0;
    for (int e = 0; e < elements; e++) {
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], curve->leaf[e].centre[i]);
        }
    }
    for (int e = 0; e < elements; e++) {
        for (int i = 0; i < 3; i++) {
            size = fmax(size, curve->leaf[e].centre[i] - low[i]);
        }
    }
    for (int e = 0; e < elements; e++) {
        curve->key[e] = (haw_line_key){.e = e};
        for (int i = 0; i < 3; i++) {
            const double at = (curve->leaf[e].centre[i] - low[i]) / size * cells;
            const uint64_t cell = at > 0 && at < cells ? (uint64_t)at : at > 0 ? 2097151 : 0;
            curve->key[e].code |= spread_bits(cell) << i;
        }
    }
    qsort(curve->key, (size_t)elements, sizeof *curve->key, compare_keys);
}

/* An element is within this of its middle, along an axis [m]: x'' of a helix stays as long. */
static double half_width(const haw_line_sample *middle, int axis)
{
    if (middle->turn > 0) {
        return fabs(middle->d[0][axis]) / 2 + vec3_norm(middle->d[1]) / 8;
    }
    return fabs(middle->d[0][axis]) / 2 + fabs(middle->d[1][axis]) / 8 +
           fabs(middle->d[2][axis]) / 48;
}

/* Boxes of the leaves: around their balls, and as thin as the curve is. */
static void fit_boxes(const haw_centreline *curve)
{
    for (int k = 0; k < curve->cable->line.elements; k++) {
        const int e = element_of(curve, k);
        const haw_line_leaf *leaf = &curve->leaf[e];
        const haw_line_sample *middle = find_sample(curve, e, 1);
        double *box = curve->box[curve->first + k];
        for (int i = 0; i < 3; i++) {
            const double half = half_width(middle, i) + 1e-9 * leaf->radius;
            box[i] = fmax(leaf->centre[i] - leaf->radius, middle->x[i] - half);
            box[3 + i] = fmin(leaf->centre[i] + leaf->radius, middle->x[i] + half);
        }
    }
}

void haw_centreline_fit(haw_centreline *curve, const double *q)
{
    const int elements = curve->cable->line.elements;
    curve->q = q;
    *curve->memory = (haw_line_memory){.radius = -1, .bent = -1};
    for (int e = 0; e < elements; e++) {
        fit_leaf(curve, e);
    }
    if (curve->key != NULL) {
        sort_leaves(curve);
    }
    fit_boxes(curve);
    for (int n = curve->first + elements; n < 2 * curve->first; n++) { /* empty */
        for (int i = 0; i < 3; i++) {
            curve->box[n][i] = HUGE_VAL;
            curve->box[n][3 + i] = -HUGE_VAL;
        }
    }
    for (int n = curve->first - 1; n > 0; n--) {
        for (int i = 0; i < 3; i++) {
            curve->box[n][i] = fmin(curve->box[2 * n][i], curve->box[2 * n + 1][i]);
            curve->box[n][3 + i] = fmax(curve->box[2 * n][3 + i], curve->box[2 * n + 1][3 + i]);
        }
    }
}

/* Square of the distance of x from a box; INFINITY: it is empty. By comparisons: with calls of fmax
 * a step of a pile at rest takes 13 % more. */
static double box_distance(const double box[6], const double x[3])
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double below = box[i] - x[i], above = x[i] - box[3 + i];
        const double most = below > above ? below : above, out = most > 0 ? most : 0;
        square += out * out;
    }
    return square;
}

/* How far an element lies from the start of a window, which on a closed cable may be any number of
 * turns away. */
static double into_window(const haw_window *window, double label)
{
    const double in = label - window->from, n = window->turn;
    return window->turn > 0 ? in - n * floor(in / n) : in;
}

static bool may_hide(const haw_window *window, int e)
{
    return window->to > window->from && e >= window->first && e < window->end;
}

/* True if all of an element lies in one window. */
static bool is_hidden(const haw_windows *windows, int e)
{
    for (int i = 0; i < windows->count; i++) {
        const haw_window *window = &windows->item[i];
        const double in = may_hide(window, e) ? into_window(window, e) : -1;
        if (in >= 0 && in + 1 <= window->to - window->from) {
            return true;
        }
    }
    return false;
}

/* @param but  a window that is not asked */
static bool is_in(const haw_windows *windows, int e, double s, int but)
{
    for (int i = 0; i < windows->count; i++) {
        const haw_window *window = &windows->item[i];
        const double in = i != but && may_hide(window, e) ? into_window(window, e + s) : -1;
        if (in > 0 && in < window->to - window->from) {
            return true;
        }
    }
    return false;
}

double haw_centreline_clear(const haw_centreline *curve, const double centre[3], double radius,
                            double enough, double little, const haw_windows *windows)
{
    double least = HUGE_VAL;
    int stack[STACK], count = 0;
    stack[count++] = 1;
    while (count > 0 && !(least <= little)) {
        const int n = stack[--count];
        const double far = sqrt(box_distance(curve->box[n], centre)) - radius;
        if (!(far < least)) {
            continue;
        }
        if (far > enough) {
            least = far;
            continue;
        }
        const int e = n < curve->first ? -1 : element_of(curve, n - curve->first);
        if (e < 0) {
            const double other[2] = {box_distance(curve->box[2 * n], centre),
                                     box_distance(curve->box[2 * n + 1], centre)};
            const int nearer = other[0] <= other[1] ? 0 : 1;
            stack[count++] = 2 * n + 1 - nearer;
            stack[count++] = 2 * n + nearer;
        } else if (!is_hidden(windows, e)) {
            const haw_line_leaf *leaf = &curve->leaf[e];
            const double d[3] = {leaf->centre[0] - centre[0], leaf->centre[1] - centre[1],
                                 leaf->centre[2] - centre[2]};
            least = fmin(least, vec3_norm(d) - leaf->radius - radius);
        }
    }
    return least;
}

/* ---- one element ---- */

/* A search from x. */
typedef struct search {
    const haw_centreline *curve; /* NULL: without a tree */
    const haw_cable *cable;
    const double *q, *x;
    const haw_windows *windows;
    double reach;
    int count, most;
    haw_line_foot *foot; /* [most] */
} search;

/* The curve at a place. */
typedef struct place {
    double s;
    double x[3], d[3][3];
    double distance, f, slope; /* f, f' */
} place;

/* From its place and derivatives. */
static void measure(const search *at, place *p)
{
    double r[3];
    for (int i = 0; i < 3; i++) {
        r[i] = p->x[i] - at->x[i];
    }
    p->distance = vec3_norm(r);
    p->f = vec3_dot(r, p->d[0]);
    p->slope = vec3_dot(p->d[0], p->d[0]) + vec3_dot(r, p->d[1]);
}

static void look_exactly(const search *at, int e, double s, place *p)
{
    haw_cable_point point;
    at->cable->ops->point(at->cable, e, s, at->q, NULL, HAW_POINT_POSITION, &point);
    at->cable->ops->curve(at->cable, e, s, at->q, p->d);
    p->s = s;
    memcpy(p->x, point.x, sizeof p->x);
    measure(at, p);
}

static void look_again(const search *at, int e, int k, place *p)
{
    const haw_line_sample *sample = find_sample(at->curve, e, k);
    p->s = 0.5 * k;
    memcpy(p->x, sample->x, sizeof p->x);
    memcpy(p->d, sample->d, sizeof p->d);
    measure(at, p);
}

double haw_centreline_corner(const haw_centreline *curve, int e, int next)
{
    haw_line_leaf *leaf = &curve->leaf[e];
    if (leaf->corner < 0) {
        double across[3];
        const double *before = find_sample(curve, e, 2)->d[0];
        const double *after = find_sample(curve, next, 0)->d[0];
        vec3_cross(before, after, across);
        leaf->corner = atan2(vec3_norm(across), vec3_dot(before, after));
    }
    return leaf->corner;
}

int haw_centreline_straight(const haw_centreline *curve, int e, int ahead, double most)
{
    haw_line_memory *memory = curve->memory;
    haw_line_leaf *leaf = &curve->leaf[e];
    memory->bent = memory->bent < 0 ? most : memory->bent;
    if (most == memory->bent && leaf->straight[ahead] >= 0) {
        return leaf->straight[ahead];
    }
    double turned = leaf->turn;
    int steps = 0, last = e;
    for (; turned <= most; steps++) {
        const int next = haw_cable_beside(curve->cable, e, (2 * ahead - 1) * (steps + 1));
        if (next < 0 || next == e) {
            steps++;
            break;
        }
        turned += curve->leaf[next].turn;
        turned += ahead ? haw_centreline_corner(curve, last, next)
                        : haw_centreline_corner(curve, next, last);
        last = next;
    }
    leaf->straight[ahead] = most == memory->bent ? steps : -1;
    return steps;
}

/*
 * An element by what it is in the middle, which is at r, at t beside it: an evaluation of a cubic
 * takes five times as long, and of a helix finds the relative pose of its nodes first. Along a
 * helix derivatives turn with w x, w being at right angles to x'': w x x'' = x''', w x x''' = -w^2
 * x''. A cubic is the limit w = 0.
 */
static void look_along(const haw_line_sample *middle, const double r[3], double t, double x[3],
                       double d[3][3])
{
    double sine = 1, half = 0.5, six = 6, cosine = 1, square = 0;
    if (middle->turn > 0) {
        square = middle->turn * middle->turn;
        const so3_factors f = so3_exp_factors(t * t * square);
        sine = f.s;
        half = f.b;
        six = 1 / f.d;
        cosine = 1 - t * t * square * f.b;
    }
    for (int i = 0; i < 3; i++) {
        const double d1 = middle->d[0][i], d2 = middle->d[1][i], d3 = middle->d[2][i];
        x[i] = r[i] + t * (d1 + t * (half * d2 + t * d3 / six));
        d[0][i] = d1 + t * (sine * d2 + half * t * d3);
        d[1][i] = cosine * d2 + t * sine * d3;
        d[2][i] = cosine * d3 - square * t * sine * d2;
    }
}

static void look(const search *at, int e, double s, place *p)
{
    if (at->curve == NULL) {
        look_exactly(at, e, s, p);
        return;
    }
    const haw_line_sample *middle = find_sample(at->curve, e, 1);
    p->s = s;
    look_along(middle, middle->x, s - 0.5, p->x, p->d);
    measure(at, p);
}

/* What rounding leaves of a zero of f. */
static double rounding(const place *p)
{
    return 4 * DBL_EPSILON * (1 + p->distance / vec3_norm(p->d[0]));
}

/* Take a foot, unless a neighbour has it or there are nearer ones enough. */
static void take(search *at, int e, const place *p, bool rests)
{
    haw_line_foot *foot = at->foot;
    if (!(p->distance < at->reach)) {
        return;
    }
    int farthest = 0;
    for (int i = 0; i < at->count; i++) {
        const double apart[3] = {foot[i].x[0] - p->x[0], foot[i].x[1] - p->x[1],
                                 foot[i].x[2] - p->x[2]};
        if (vec3_norm(apart) <= ONE_FOOT * vec3_norm(p->d[0])) {
            return;
        }
        farthest = foot[i].distance > foot[farthest].distance ? i : farthest;
    }
    if (at->count == at->most && !(p->distance < foot[farthest].distance)) {
        return;
    }
    haw_line_foot *to = &foot[at->count < at->most ? at->count++ : farthest];
    *to = (haw_line_foot){.element = e, .s = p->s, .rests = rests, .distance = p->distance};
    memcpy(to->x, p->x, sizeof to->x);
    memcpy(to->d, p->d, sizeof to->d);
}

static void keep(search *at, int e, const place *p, bool rests)
{
    if (!is_in(at->windows, e, p->s, -1)) {
        take(at, e, p, rests);
    }
}

/* The zero between places a with f <= 0 and b with f >= 0: Newton's method, halving where it leaves
 * them. What rounding leaves of it is that of f in the middle of the element, seen from there: with
 * differences of places far from zero the last steps would go to and fro.
 * @param middle  of the element */
static void find_zero(const search *at, int e, double a, double b, const place *middle, place *p)
{
    const haw_line_sample *centre = find_sample(at->curve, e, 1);
    double s = 0.5 * (a + b), last = b - a, from[3], r[3];
    const double least = rounding(middle);
    for (int i = 0; i < 3; i++) {
        from[i] = centre->x[i] - at->x[i];
    }
    for (int k = 0; k < ITERATIONS; k++) {
        look_along(centre, from, s - 0.5, r, p->d);
        p->f = vec3_dot(r, p->d[0]);
        p->slope = vec3_dot(p->d[0], p->d[0]) + vec3_dot(r, p->d[1]);
        if (p->f <= 0) {
            a = s;
        } else {
            b = s;
        }
        const double step = p->slope > 0 ? -p->f / p->slope : HUGE_VAL, next = s + step;
        const bool is_newton = next > a && next < b && fabs(step) < 0.75 * last;
        const double to = is_newton ? next : 0.5 * (a + b);
        last = fabs(to - s);
        if (last <= least || fabs(step) <= least) { /* which may round to none, and halve again */
            break;
        }
        s = to;
    }
    look(at, e, s, p);
}

/* Whether no half of a piece is better known than all of it: beyond the range of numbers, or where
 * the piece is no longer than what rounding leaves of its place. */
static bool is_point(const place *middle, double length, double steepest)
{
    return !isfinite(steepest) || length <= DBL_EPSILON * vec3_norm(middle->x);
}

/* How much f' may differ from that in the middle of a piece of length 2 w. */
static double find_bend(const haw_line_leaf *leaf, const place *middle, double w)
{
    const double near = middle->distance + leaf->rate[0] * w;
    return (3 * leaf->rate[0] * leaf->rate[1] + near * leaf->rate[2]) * w;
}

/* Whether all of a piece is out of reach. */
static bool is_far(const search *at, const haw_line_leaf *leaf, const place *middle, double w)
{
    return middle->distance - leaf->rate[0] * w >= at->reach;
}

/* Whether f has one sign on all of a piece. */
static bool has_sign(const place *middle, double bend, double w)
{
    return fabs(middle->f) > (fabs(middle->slope) + bend) * w;
}

static void keep_zero(search *at, int e, const place *a, const place *b, const place *middle)
{
    place foot;
    find_zero(at, e, a->s, b->s, middle, &foot);
    keep(at, e, &foot, false);
}

/* Feet between the ends of an element, by halves of it. All of an arc is as far from its centre, f
 * is rounding there and halves never tell more: what is left after many is as good as points.
 * @param centre  its middle */
static void halve(search *at, int e, const place *a, const place *b, const place *centre)
{
    struct {
        place low, high;
        int level;
    } stack[DEEPEST + 1];

    const haw_line_leaf *leaf = &at->curve->leaf[e];
    int count = 1, looks = 0;
    stack[0].low = *a;
    stack[0].high = *b;
    stack[0].level = 0;
    while (count > 0) {
        const place low = stack[count - 1].low, high = stack[count - 1].high;
        const int level = stack[--count].level;
        place middle;
        const double s = 0.5 * (low.s + high.s), w = 0.5 * (high.s - low.s);
        look(at, e, s, &middle);
        const double bend = find_bend(leaf, &middle, w);
        if (is_far(at, leaf, &middle, w) || has_sign(&middle, bend, w) || middle.slope + bend < 0) {
            continue;
        }
        if (middle.slope - bend > 0 || level == DEEPEST || ++looks > MOST_HALVES ||
            is_point(&middle, leaf->rate[0] * w, fabs(middle.slope) + bend)) {
            if (low.f <= 0 && high.f >= 0) {
                keep_zero(at, e, &low, &high, centre);
            }
            continue;
        }
        stack[count].low = middle;
        stack[count].high = high;
        stack[count++].level = level + 1;
        stack[count].low = low;
        stack[count].high = middle;
        stack[count++].level = level + 1;
    }
}

/* What f is in units of the speed along the curve, so that both sides of a node compare. */
static double pull(const place *p)
{
    return p->f / vec3_norm(p->d[0]);
}

/* The node where an element begins. */
static void search_begin(search *at, int e, const place *begin)
{
    const int before = haw_cable_beside(at->cable, e, -1);
    place other = {.f = -1};
    if (begin->f >= 0 && before < 0) {
        keep(at, e, begin, true);
    } else if (begin->f >= 0 && begin->distance < at->reach) {
        look_again(at, before, 2, &other);
        const bool has_corner = pull(begin) - pull(&other) > ONE_FOOT * begin->distance;
        if (other.f <= 0) {
            keep(at, e, begin, has_corner);
        }
    }
}

/* Where the middle shows that there is no foot in an element: most of those about a point are out
 * of its reach, or beside it. @return false: ends are to be looked at, too */
static bool search_middle(search *at, int e, const place *middle)
{
    const haw_line_leaf *leaf = &at->curve->leaf[e];
    place begin;
    if (is_far(at, leaf, middle, HALF)) {
        return true;
    }
    if (!has_sign(middle, find_bend(leaf, middle, HALF), HALF) ||
        (middle->f < 0 && haw_cable_beside(at->cable, e, 1) < 0)) {
        return false;
    }
    if (middle->f > 0) {
        look_again(at, e, 0, &begin);
        search_begin(at, e, &begin);
    }
    return true;
}

/* Also the node where it ends, at the end of the cable. */
static void search_element(search *at, int e)
{
    place begin, middle, end;
    look_again(at, e, 1, &middle);
    if (search_middle(at, e, &middle)) {
        return;
    }
    look_again(at, e, 0, &begin);
    look_again(at, e, 2, &end);
    search_begin(at, e, &begin);
    if (end.f <= 0 && haw_cable_beside(at->cable, e, 1) < 0) {
        keep(at, e, &end, true);
    }
    const double bend = find_bend(&at->curve->leaf[e], &middle, HALF);
    if (has_sign(&middle, bend, HALF) || middle.slope + bend < 0) {
        return;
    }
    if (!(middle.slope - bend > 0)) {
        halve(at, e, &begin, &end, &middle);
    } else if (begin.f <= 0 && end.f >= 0) { /* mostly: f rises all along it */
        keep_zero(at, e, &begin, &end, &middle);
    }
}

/* ---- all elements ---- */

/* The first (direction -1) or the last place of a window, if the curve leads away from there: where
 * legs fold up about a corner within the window their feet lie in it, and no others keep them. */
static void search_edge(search *at, int window, int direction)
{
    const haw_window *of = &at->windows->item[window];
    const double label = (direction > 0 ? of->to : of->from) - of->first;
    const double on =
        of->first + (of->turn > 0 ? label - of->turn * floor(label / of->turn) : label);
    if (!(on >= of->first && on <= of->end)) {
        return;
    }
    const int e = on < of->end ? (int)on : of->end - 1;
    place edge;
    look(at, e, on - e, &edge);
    if (direction * edge.f > 0 && !is_in(at->windows, e, edge.s, window)) {
        take(at, e, &edge, true);
    }
}

double haw_line_sharpness(const double n[3], double distance, const double y1[3],
                          const double y2[3])
{
    const double square = vec3_dot(y1, y1);
    return fmax(square - distance * vec3_dot(n, y2), SHARPEST * square);
}

static void sort_feet(search *at)
{
    haw_line_foot *foot = at->foot;
    for (int i = 1; i < at->count; i++) {
        const haw_line_foot own = foot[i];
        int k = i;
        for (; k > 0 && foot[k - 1].element + foot[k - 1].s > own.element + own.s; k--) {
            foot[k] = foot[k - 1];
        }
        foot[k] = own;
    }
}

/* Into a list that ascends. */
static void insert(haw_line_entry *list, int count, haw_line_entry entry)
{
    for (; count > 0 && list[count - 1].e > entry.e; count--) {
        list[count] = list[count - 1];
    }
    list[count] = entry;
}

/* All elements whose boxes come into a ball: what is about a point is about those beside it. */
static void gather(const haw_centreline *curve, const double centre[3], double radius)
{
    haw_line_memory *memory = curve->memory;
    int stack[STACK], count = 0;
    memcpy(memory->centre, centre, sizeof memory->centre);
    memory->radius = radius;
    memory->count = 0;
    stack[count++] = 1;
    while (count > 0) {
        const int n = stack[--count];
        if (!(box_distance(curve->box[n], centre) < radius * radius)) {
            continue;
        }
        if (n >= curve->first) {
            const haw_line_entry entry = {.e = element_of(curve, n - curve->first), .node = n};
            insert(curve->found, memory->count++, entry);
        } else {
            stack[count++] = 2 * n + 1;
            stack[count++] = 2 * n;
        }
    }
}

static bool is_gathered(const haw_line_memory *memory, const double x[3], double reach)
{
    const double way[3] = {x[0] - memory->centre[0], x[1] - memory->centre[1],
                           x[2] - memory->centre[2]};
    const double left = memory->radius * (1 - 1e-12) - reach;
    return left > 0 && vec3_dot(way, way) < left * left;
}

int haw_centreline_feet(const haw_centreline *curve, const double x[3], double reach,
                        const haw_windows *windows, int most, haw_line_foot foot[HAW_LINE_FEET])
{
    search at = {.curve = curve,
                 .cable = curve->cable,
                 .q = curve->q,
                 .x = x,
                 .windows = windows,
                 .reach = reach,
                 .most = most,
                 .foot = foot};
    if (!is_gathered(curve->memory, x, reach)) {
        gather(curve, x, (1 + BESIDE) * reach);
    }
    for (int i = 0; i < curve->memory->count; i++) {
        const haw_line_entry *entry = &curve->found[i];
        if (box_distance(curve->box[entry->node], x) < reach * reach &&
            !is_hidden(windows, entry->e)) {
            search_element(&at, entry->e);
        }
    }
    for (int i = 0; i < windows->count; i++) {
        if (windows->item[i].closes) {
            search_edge(&at, i, 1);
        }
        if (windows->item[i].begins) {
            search_edge(&at, i, -1);
        }
    }
    sort_feet(&at);
    return at.count;
}

/* Newton's method from the foot on, over the nodes that it meets; it rests where they hold it. */
bool haw_centreline_follow(const haw_cable *cable, const double *q, const double x[3],
                           haw_line_foot *foot)
{
    const search at = {.cable = cable, .q = q, .x = x};
    int e = foot->element, crossed = 0;
    double s = foot->s;
    place p;
    foot->rests = false;
    for (int k = 0; k < ITERATIONS; k++) {
        look(&at, e, s, &p);
        const double square = vec3_dot(p.d[0], p.d[0]);
        double step = -p.f / fmax(p.slope, 0.1 * square);
        step = fmin(fmax(step, -0.5), 0.5);
        const double to = s + step;
        if ((to < 0 && s == 0) || (to > 1 && s == 1)) { /* on into the next element */
            const int next = haw_cable_beside(cable, e, to < 0 ? -1 : 1);
            const int direction = to < 0 ? -1 : 1;
            if (next < 0 || (crossed != 0 && crossed != direction)) {
                foot->rests = true;
                break;
            }
            crossed = direction;
            e = next;
            s = direction < 0 ? 1 : 0;
            continue;
        }
        s = fmin(fmax(to, 0), 1);
        if (fabs(step) <= rounding(&p)) {
            break;
        }
    }
    look(&at, e, s, &p);
    foot->element = e;
    foot->s = s;
    foot->distance = p.distance;
    memcpy(foot->x, p.x, sizeof foot->x);
    memcpy(foot->d, p.d, sizeof foot->d);
    return p.slope > 0;
}
