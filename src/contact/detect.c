/* SPDX-License-Identifier: BSD-3-Clause */
/* Broad phase, gaps and rows of the closed points. */
#include "contact/knot.h"
#include "contact/proxy.h"

#include <math.h>
#include <string.h>

/* One pair at one configuration: what the loops below share. */
typedef struct search {
    haw_contacts *contacts;
    const haw_pair *pair;
    const haw_body *body;
    const double *q, *u;
    double h;      /* 0: no speed guard */
    double radius; /* of the surface, INFINITY for a plane */
    double pad;    /* elements farther away than this cannot touch in one step [m] */
    const double *pose;
    double *gap_min;
    bool lists; /* false: of a compliant law, only the smallest gap is wanted */
} search;

/* A grid point: position and the tangent x' that its offset stands on. */
typedef struct grid_point {
    int element;
    double s;
    double x[2], slope[2];
} grid_point;

static haw_box hull_box(int count, double p[HAW_HULL_MAX][2])
{
    haw_box box = {{p[0][0], p[0][1]}, {p[0][0], p[0][1]}};
    for (int a = 1; a < count; a++) {
        for (int i = 0; i < 2; i++) {
            box.min[i] = p[a][i] < box.min[i] ? p[a][i] : box.min[i];
            box.max[i] = p[a][i] > box.max[i] ? p[a][i] : box.max[i];
        }
    }
    return box;
}

/*
 * Body rows: minus the velocity of the surface point, v_D + omega x l. The arm l is that of the
 * foot on the surface (the paper's R), or reaches the material point itself, which conserves
 * angular momentum exactly; the two differ by the penetration.
 */
static void set_body_row(const search *s, const double x[2], haw_touch *c)
{
    const double depth = s->pair->arm == HAW_ARM_RADIUS ? c->gap : 0;
    const double offset = s->pair->cable < 0 ? s->pair->proxy_radius : 0;
    const double *n = c->normal, t[2] = {n[1], -n[0]};
    const double l[2] = {x[0] - (depth + offset) * n[0] - s->pose[0],
                         x[1] - (depth + offset) * n[1] - s->pose[1]};
    haw_touch_side *side = &c->side[1];
    haw_side_set(side, -1, s->pair->body, s->body->first, 3);
    side->row[0][0] = -n[0];
    side->row[0][1] = -n[1];
    side->row[0][2] = -(l[0] * n[1] - l[1] * n[0]);
    side->row[1][0] = -t[0];
    side->row[1][1] = -t[1];
    side->row[1][2] = -(l[0] * t[1] - l[1] * t[0]);
}

/* Position of a grid point at q: p = x + y n(x'), n = (-x'_y, x'_x) / |x'|. */
static void place_point(const haw_pair *pair, const haw_cable *cable, const double *q,
                        grid_point *p)
{
    const haw_line *line = &cable->line;
    line->ops->position(line, p->element, p->s, q + cable->first, p->x, NULL);
    if (pair->offset == 0) {
        return;
    }
    const double *qe = q + cable->first + line->ops->stride * p->element;
    double value[HAW_HULL_MAX], slope[HAW_HULL_MAX];
    line->ops->basis(line, p->s, value, slope);
    p->slope[0] = p->slope[1] = 0;
    for (int a = 0; a < line->ops->dofs / 2; a++) {
        p->slope[0] += slope[a] * qe[2 * a];
        p->slope[1] += slope[a] * qe[2 * a + 1];
    }
    const double scale = pair->offset / hypot(p->slope[0], p->slope[1]);
    p->x[0] -= scale * p->slope[1];
    p->x[1] += scale * p->slope[0];
}

/* The offset's part of the Jacobian, y dn = -y t (n . dx') / |x'|: j[2 * dofs] += it. */
static void add_offset(const haw_pair *pair, const haw_line *line, const grid_point *p, double *j)
{
    double value[HAW_HULL_MAX], slope[HAW_HULL_MAX];
    const double size = hypot(p->slope[0], p->slope[1]);
    const double t[2] = {p->slope[0] / size, p->slope[1] / size}, n[2] = {-t[1], t[0]};
    line->ops->basis(line, p->s, value, slope);
    for (int k = 0; k < line->ops->dofs; k++) {
        const double turn = -pair->offset * slope[k / 2] * n[k % 2] / size;
        j[k] += t[0] * turn;
        j[line->ops->dofs + k] += t[1] * turn;
    }
}

static void set_cable_row(const search *s, const grid_point *p, haw_touch *c)
{
    const haw_cable *cable = &s->contacts->model->cable[s->pair->cable];
    const haw_element_ops *ops = cable->line.ops;
    double x[2], j[2 * HAW_ELEMENT_DOFS_MAX];
    const double *n = c->normal;
    ops->position(&cable->line, p->element, p->s, s->q + cable->first, x, j);
    if (s->pair->offset != 0) {
        add_offset(s->pair, &cable->line, p, j);
    }
    haw_touch_side *side = &c->side[0];
    haw_side_set(side, s->pair->cable, -1, cable->first + ops->stride * p->element, ops->dofs);
    for (int a = 0; a < ops->dofs; a++) {
        side->row[0][a] = n[0] * j[a] + n[1] * j[ops->dofs + a];
        side->row[1][a] = n[1] * j[a] - n[0] * j[ops->dofs + a];
    }
    c->element = p->element;
    c->s = p->s;
    set_body_row(s, p->x, c);
}

/* A disk as the moving point: its lowest point is at -rho n, so gamma_T = t . v + rho omega. */
static void set_proxy_row(const search *s, const double x[2], haw_touch *c)
{
    const double *n = c->normal;
    haw_touch_side *side = &c->side[0];
    haw_side_set(side, -1, s->pair->proxy, s->contacts->model->body[s->pair->proxy].first, 3);
    c->element = -1;
    c->s = 0;
    const double row[2][3] = {{n[0], n[1], 0}, {n[1], -n[0], s->pair->proxy_radius}};
    memcpy(side->row[0], row[0], sizeof row[0]);
    memcpy(side->row[1], row[1], sizeof row[1]);
    set_body_row(s, x, c);
}

static double point_gap(const search *s, const double x[2], double normal[2])
{
    const double gap = s->body->shape->gap(s->body->shape_options, s->pose, x, normal);
    if (gap < *s->gap_min) {
        *s->gap_min = gap;
    }
    return gap;
}

static haw_status add_point(const search *s, int point, double gap, const double normal[2],
                            haw_touch **contact)
{
    haw_contacts *contacts = s->contacts;
    HAW_TRY(haw_contacts_reserve(contacts, contacts->count + 1));
    haw_touch *c = &contacts->item[contacts->count++];
    c->id = s->pair->first_point + point;
    c->pair = (int)(s->pair - contacts->model->pair);
    c->gap = gap;
    haw_touch_set_plane(c, normal);
    *contact = c;
    return HAW_OK;
}

static haw_status search_point(const search *s, int point, int e, double xi)
{
    const haw_cable *cable = &s->contacts->model->cable[s->pair->cable];
    grid_point p = {.element = e, .s = xi};
    double normal[2];
    place_point(s->pair, cable, s->q, &p);
    const double gap = point_gap(s, p.x, normal);
    if (gap > s->contacts->margin || !s->lists) {
        return HAW_OK;
    }
    haw_touch *contact;
    HAW_TRY(add_point(s, point, gap, normal, &contact));
    set_cable_row(s, &p, contact);
    return HAW_OK;
}

/* The depth at detection is up to h |v|; the normal turns over when a point passes the centre. */
static haw_status guard_speed(const search *s, const double v[2])
{
    const double *w = s->u + s->body->first;
    const double speed = hypot(v[0] - w[0], v[1] - w[1]);
    if (speed * s->h > 0.25 * s->radius) {
        return haw_fail(s->contacts->context, HAW_ERR_GUARD,
                        "speed %g m/s relative to '%s' moves %g m in one step, more than a quarter "
                        "of its radius %g m: use a step of at most %g s",
                        speed, s->body->name, speed * s->h, s->radius, 0.25 * s->radius / speed);
    }
    return HAW_OK;
}

static haw_status guard_element(const search *s, const haw_cable *cable, int e)
{
    for (int end = 0; end < 2; end++) {
        const int node = cable->first + cable->line.ops->stride * (e + end);
        HAW_TRY(guard_speed(s, s->u + node));
    }
    return HAW_OK;
}

/* A point is skipped at prescribed nodes: they carry no contact. The last node of a closed cable is
 * its first. */
static haw_status search_element(const search *s, const haw_cable *cable, int e)
{
    const int n = s->pair->points_per_element;
    const int first = e == 0 && cable->end_dof[0] >= 0 ? 1 : 0;
    for (int j = first; j < n; j++) {
        HAW_TRY(search_point(s, e * n + j, e, (double)j / n));
    }
    if (e == cable->line.elements - 1 && cable->end_dof[1] < 0 && !cable->line.closed) {
        HAW_TRY(search_point(s, (e + 1) * n, e, 1));
    }
    return HAW_OK;
}

/* Two radii around the surface: near enough to guard the speed, near enough to touch. A point is
 * at most its offset away from the curve. */
static haw_status search_near(const search *s, const haw_cable *cable, int e)
{
    const double offset = fabs(s->pair->offset), margin = s->contacts->margin + offset;
    double p[HAW_HULL_MAX][2];
    cable->line.ops->controls(&cable->line, e, s->q + cable->first, p);
    const haw_box box = hull_box(cable->line.ops->hull, p);
    const haw_shape_ops *shape = s->body->shape;
    if (!shape->near(s->body->shape_options, s->pose, s->pad + offset, &box)) {
        return HAW_OK;
    }
    HAW_TRY(s->h > 0 ? guard_element(s, cable, e) : HAW_OK);
    const bool touches = shape->near(s->body->shape_options, s->pose, margin, &box);
    return touches ? search_element(s, cable, e) : HAW_OK;
}

static haw_status search_cable(const search *s)
{
    const haw_cable *cable = &s->contacts->model->cable[s->pair->cable];
    for (int e = 0; e < cable->line.elements; e++) {
        HAW_TRY(search_near(s, cable, e));
    }
    return HAW_OK;
}

static haw_status search_proxy(const search *s)
{
    const haw_body *proxy = &s->contacts->model->body[s->pair->proxy];
    const double *x = s->q + proxy->first;
    double normal[2];
    const double gap =
        s->body->shape->gap(s->body->shape_options, s->pose, x, normal) - s->pair->proxy_radius;
    *s->gap_min = gap;
    if (s->h > 0 && gap < s->pad) {
        HAW_TRY(guard_speed(s, s->u + proxy->first));
    }
    if (gap > s->contacts->margin || !s->lists) {
        return HAW_OK;
    }
    haw_touch *contact;
    HAW_TRY(add_point(s, 0, gap, normal, &contact));
    set_proxy_row(s, x, contact);
    return HAW_OK;
}

/* Largest speed of the nodes of a cable [m/s]. */
static double node_speed(const haw_cable *cable, const double *u)
{
    double square = 0;
    for (int e = 0; e <= cable->line.elements; e++) {
        const double *v = u + cable->first + cable->line.ops->stride * e;
        const double s = v[0] * v[0] + v[1] * v[1];
        square = s > square ? s : square;
    }
    return sqrt(square);
}

/* How far from the surface to look: whatever may reach it within one step has its speed checked. */
static double find_pad(const search *s)
{
    const double *v = s->u + s->body->first;
    double speed = hypot(v[0], v[1]);
    if (s->h == 0 || isinf(s->radius)) {
        return s->contacts->margin;
    }
    if (s->pair->cable >= 0) {
        speed += node_speed(&s->contacts->model->cable[s->pair->cable], s->u);
    } else {
        const double *w = s->u + s->contacts->model->body[s->pair->proxy].first;
        speed += hypot(w[0], w[1]);
    }
    return fmax(s->radius, s->h * speed);
}

/* A point this deep did not come from outside in small steps: it started or tunnelled there. */
static haw_status guard_depth(const search *s, double gap)
{
    if (s->h > 0 && -gap > 0.25 * s->radius) {
        return haw_fail(s->contacts->context, HAW_ERR_GUARD,
                        "a contact point is %g m inside '%s', more than a quarter of its radius "
                        "%g m: use a finer grid or a smaller step",
                        -gap, s->body->name, s->radius);
    }
    return HAW_OK;
}

/*
 * Keep only the local minima of the gap in a run of consecutive closed points: the moving contact
 * point of a dense grid. For impacts with spacing <= R / 30; wrong on coarse grids and in wraps.
 */
static void keep_minima(haw_contacts *contacts, int first)
{
    int kept = first;
    double before = HUGE_VAL;
    for (int i = first; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        const bool left = i == first || contacts->item[i].id != contacts->item[i - 1].id + 1;
        const bool right = i + 1 == contacts->count || contacts->item[i + 1].id != c->id + 1;
        const double lower = left ? HUGE_VAL : before;
        const double upper = right ? HUGE_VAL : contacts->item[i + 1].gap;
        before = c->gap;
        if (c->gap <= lower && c->gap < upper) {
            contacts->item[kept++] = *c;
        }
    }
    contacts->count = kept;
}

static haw_status detect_pair(haw_contacts *contacts, int index, const double *q, const double *u,
                              double h)
{
    const haw_pair *pair = &contacts->model->pair[index];
    const haw_body *body = &contacts->model->body[pair->body];
    search s = {.contacts = contacts,
                .pair = pair,
                .body = body,
                .q = q,
                .u = u,
                .h = h,
                .radius = fmin(body->shape->radius(body->shape_options),
                               pair->cable < 0 ? pair->proxy_radius : HUGE_VAL),
                .pose = q + body->first,
                .gap_min = &contacts->gap_min[index],
                .lists = pair->compliance.normal == NULL};
    const int first = contacts->count;
    contacts->gap_min[index] = HUGE_VAL;
    s.pad = find_pad(&s);
    HAW_TRY(pair->cable < 0 ? search_proxy(&s) : search_cable(&s));
    HAW_TRY(guard_depth(&s, contacts->gap_min[index]));
    if (pair->refine == HAW_REFINE_MINIMA) {
        keep_minima(contacts, first);
    }
    return HAW_OK;
}

haw_status haw_contacts_detect(haw_contacts *contacts, const double *q, const double *u, double h)
{
    const haw_model *model = contacts->model;
    if (model->dimension == 3) {
        return haw_space_detect(contacts, q);
    }
    contacts->count = 0;
    for (int i = 0; i < model->pairs; i++) {
        const bool is_rope = haw_pair_is_rope(model, &model->pair[i]);
        HAW_TRY(is_rope ? haw_rope_detect(contacts, i, q, u) : detect_pair(contacts, i, q, u, h));
    }
    return HAW_OK;
}

double haw_contacts_gap(const haw_contacts *contacts, const haw_touch *touch, const double *q)
{
    const haw_model *model = contacts->model;
    if (model->dimension == 3) {
        return haw_space_gap(contacts, touch, q);
    }
    const haw_pair *pair = &model->pair[touch->pair];
    if (haw_pair_is_rope(model, pair)) {
        return haw_rope_gap(contacts, touch, q);
    }
    const haw_body *body = &model->body[pair->body];
    grid_point p = {.element = 0};
    double normal[2];
    if (pair->cable >= 0) {
        haw_pair_point(model, pair, touch->id - pair->first_point, &p.element, &p.s);
        place_point(pair, &model->cable[pair->cable], q, &p);
    } else {
        p.x[0] = q[touch->side[0].first];
        p.x[1] = q[touch->side[0].first + 1];
    }
    const double gap = body->shape->gap(body->shape_options, q + body->first, p.x, normal);
    return pair->cable >= 0 ? gap : gap - pair->proxy_radius;
}
