/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that touch cables, in the plane and in space: feet against a search by force, rows and
 * tangent against differences, forces and moments of both sides against each other. */
#include "base/lie.h"
#include "contact/contact.h"
#include "stepper/lean.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigid.h"
#include "support/walk.h"

#include <hawser/hawser.h>

#include <stdlib.h>
#include <string.h>

enum { SIZE = 160, MOST = 100, ELEMENTS = 4, SEEDS = 12, KINDS = 6, POINTS = 10 };

/* Those of the plane first. */
static const int kinds_of[] = {[2] = 4, [3] = KINDS};
static const char *const kinds[KINDS] = {"ancf",  "bezier", "bezier-c0",
                                         "chain", "se3",    "corotational"};
static const double le = 0.08, radius = 0.01;

typedef struct rig {
    haw_context *context;
    haw_model *model;
    haw_contacts *contacts;
    uint64_t random;
    double q[SIZE];
} rig;

static void open_scene(rig *r, const haw_cable_spec *cable, const haw_contact_spec *contact,
                       int dimension)
{
    const haw_scene scene = {.dimension = dimension,
                             .load_steps = 1,
                             .cables = 2,
                             .cable = cable,
                             .contacts = 1,
                             .contact = contact};
    assert_int_equal(haw_context_create(NULL, &r->context), HAW_OK);
    if (haw_model_build(r->context, &scene, &r->model) != HAW_OK ||
        haw_contacts_create(r->context, r->model, &r->contacts) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
        abort(); /* not reached: the line above jumps out of the test */
    }
    assert_in_range(r->model->coordinates, 1, SIZE);
}

static void open_rig(rig *r, int dimension, const char *first, const char *second, int arm,
                     int proxy)
{
    const haw_cable_spec cable[2] = {walk_cable("a", first, ELEMENTS, le, radius),
                                     walk_cable("b", second, ELEMENTS, le, radius)};
    haw_contact_spec contact = haw_contact_spec_default();
    memset(r, 0, sizeof *r);
    r->random = 0x9e3779b97f4a7c15u;
    contact.between[0] = "a";
    contact.between[1] = "b";
    contact.points_per_element = POINTS;
    contact.arm = arm;
    contact.proxy = proxy;
    open_scene(r, cable, &contact, dimension);
}

static void close_rig(rig *r)
{
    haw_contacts_free(r->contacts);
    haw_model_free(r->model);
    haw_context_free(r->context);
}

static double number(rig *r, double size)
{
    return size * random_signed(&r->random);
}

/* Two cables that touch within a millimetre or so near their middles; nothing is known of the gaps
 * between points. */
static void cross(rig *r, double turn)
{
    walk_cross(&(walk){r->model, r->q, &r->random, le}, (walk_pair){2 * radius, 0.1, 0.07}, turn);
    haw_contacts_begin(r->contacts);
}

static void detect(rig *r, double margin)
{
    r->contacts->margin = margin;
    assert_int_equal(haw_contacts_detect(r->contacts, r->q, NULL, 0), HAW_OK);
    assert_in_range(r->contacts->count, 0, MOST);
}

typedef void check(rig *r);

/* All pairs of kinds with touches where both cables are as good as straight, or bent. */
static void for_all_of(int dimension, double turn, int arm, int proxy, double margin, check *what)
{
    int touches = 0, dips = 0;
    const int count = kinds_of[dimension], pairs = count * count;
    for (int i = 0; i < pairs; i++) {
        rig r;
        open_rig(&r, dimension, kinds[i % count], kinds[i / count], arm, proxy);
        for (int seed = 0; seed < SEEDS; seed++) {
            cross(&r, turn);
            detect(&r, margin);
            dips += haw_contacts_refine(r.contacts) ? 1 : 0;
            detect(&r, margin);
            touches += r.contacts->count;
            what(&r);
        }
        close_rig(&r);
    }
    assert_in_range(touches, pairs * SEEDS, pairs * SEEDS * MOST);
    assert_true(proxy == HAW_PROXY_MINIMA ? dips > pairs : dips == 0);
}

static void for_all(double turn, int arm, double margin, check *what)
{
    for_all_of(2, turn, arm, HAW_PROXY_POINTS, margin, what);
    for_all_of(3, turn, arm, HAW_PROXY_POINTS, margin, what);
}

/* ---- the centreline ---- */

/* Derivatives along the line by differences of its points, Jacobians by differences of slopes. */
static void look_along(const rig *r, const haw_cable *cable, int e, double s)
{
    const double h = 1e-5;
    double d[3][3], side[2][3][3];
    haw_cable_point ahead, behind;
    cable->ops->curve(cable, e, s, r->q, d);
    cable->ops->curve(cable, e, s + h, r->q, side[0]);
    cable->ops->curve(cable, e, s - h, r->q, side[1]);
    cable->ops->point(cable, e, s + h, r->q, NULL, HAW_POINT_PLACE, &ahead);
    cable->ops->point(cable, e, s - h, r->q, NULL, HAW_POINT_PLACE, &behind);
    for (int i = 0; i < 3; i++) {
        assert_near(d[0][i], (ahead.x[i] - behind.x[i]) / (2 * h), 1e-9, 0);
        assert_near(d[1][i], (side[0][0][i] - side[1][0][i]) / (2 * h), 1e-9, 0);
        assert_near(d[2][i], (side[0][1][i] - side[1][1][i]) / (2 * h), 1e-9, 0);
    }
}

static void move_slope(rig *r, const haw_cable *cable, int e, double s)
{
    const double h = 1e-6;
    double jacobian[3][HAW_CABLE_DOFS], du[SIZE], d[SIZE], q[SIZE], slope[3], side[2][3][3];
    cable->ops->slope(cable, e, s, r->q, slope, jacobian);
    for (int i = 0; i < r->model->dofs; i++) {
        du[i] = number(r, 1);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < r->model->dofs; i++) {
            d[i] = (k == 0 ? h : -h) * du[i];
        }
        haw_model_move(r->model, r->q, 1, d, q);
        cable->ops->curve(cable, e, s, q, side[k]);
    }
    const haw_dofs dofs = cable->ops->dofs(cable, e);
    for (int i = 0; i < 3; i++) {
        double rate = 0;
        for (int a = 0; a < dofs.count; a++) {
            rate += jacobian[i][a] * du[haw_dof_at(&dofs, a)];
        }
        assert_near(rate, (side[0][0][i] - side[1][0][i]) / (2 * h), 1e-8, 0);
    }
}

/* Of a joint that holds it the slope of a node is known to its last digit, wherever the node is. */
static void slopes_of_nodes_have_all_digits(void **state)
{
    const double none[3] = {0, 0, 0};
    rig r;
    (void)state;
    open_rig(&r, 3, "ancf", "ancf", HAW_ARM_RADIUS, HAW_PROXY_POINTS);
    const haw_cable *cable = &r.model->cable[1];
    walk_lay(&(walk){r.model, r.q, &r.random, le}, 1, none, none, 0.3);
    for (int end = 0; end < 2; end++) {
        double jacobian[3][HAW_CABLE_DOFS], near[3], far[3];
        const int e = end * (ELEMENTS - 1);
        cable->ops->slope(cable, e, end, r.q, near, jacobian);
        for (int i = 0; i < 3 * (ELEMENTS + 1); i++) {
            r.q[cable->first_q + 6 * (i / 3) + i % 3] += 100;
        }
        cable->ops->slope(cable, e, end, r.q, far, jacobian);
        for (int i = 0; i < 3; i++) {
            assert_near(far[i], near[i], 1e-15 * vec3_norm(near), 0);
        }
    }
    close_rig(&r);
}

static void lines_know_their_derivatives(void **state)
{
    (void)state;
    for (int i = 0; i < kinds_of[2] + kinds_of[3]; i++) {
        const int dimension = i < kinds_of[2] ? 2 : 3, kind = i < kinds_of[2] ? i : i - kinds_of[2];
        const double none[3] = {0, 0, 0};
        rig r;
        open_rig(&r, dimension, kinds[kind], kinds[kind], HAW_ARM_RADIUS, HAW_PROXY_POINTS);
        for (int k = 0; k < SEEDS; k++) {
            const double s = 0.5 + number(&r, 0.45);
            const haw_cable *cable = &r.model->cable[1];
            double d[3][3], bend[2];
            walk_lay(&(walk){r.model, r.q, &r.random, le}, 1, none, none, 0.3);
            look_along(&r, cable, k % ELEMENTS, s);
            move_slope(&r, cable, k % ELEMENTS, s);
            cable->ops->curve(cable, k % ELEMENTS, s, r.q, d);
            cable->ops->bends(cable, k % ELEMENTS, r.q, bend);
            assert_true(vec3_norm(d[1]) <= bend[0] * (1 + 1e-12));
            assert_true(vec3_norm(d[2]) <= bend[1] * (1 + 1e-12));
        }
        close_rig(&r);
    }
}

/* ---- feet ---- */

static void look_at(const rig *r, double place, double x[3])
{
    const haw_cable *cable = &r->model->cable[1];
    const int e = place < ELEMENTS ? (int)place : ELEMENTS - 1;
    haw_cable_point point;
    cable->ops->point(cable, e, place - e, r->q, NULL, HAW_POINT_PLACE, &point);
    memcpy(x, point.x, sizeof point.x);
}

static double distance_to(const rig *r, double place, const double x[3])
{
    double y[3];
    look_at(r, place, y);
    vec3_add(-1, x, y);
    return vec3_norm(y);
}

/* Places of local minima of the distance among equal parts of every element. */
static int search_by_force(const rig *r, const double x[3], double reach, double *place)
{
    enum { PARTS = 400 };

    const int n = PARTS * ELEMENTS;
    double before = HUGE_VAL, now = distance_to(r, 0, x);
    int count = 0;
    for (int k = 0; k <= n; k++) {
        const double after = k < n ? distance_to(r, (double)(k + 1) / PARTS, x) : HUGE_VAL;
        if (now < before && now <= after && now < reach) {
            place[count++] = (double)k / PARTS;
        }
        before = now;
        now = after;
    }
    return count;
}

/* What a foot tells of the curve is what its element does. */
static void look_beside(const rig *r, const haw_line_foot *foot)
{
    const haw_cable *cable = &r->model->cable[1];
    double d[3][3];
    cable->ops->curve(cable, foot->element, foot->s, r->q, d);
    for (int i = 0; i < 9; i++) {
        assert_near(foot->d[i / 3][i % 3], d[i / 3][i % 3], 1e-13, 0);
    }
}

/* The i-th of all kinds, of the plane first. */
static haw_centreline *open_line(rig *r, int i)
{
    const int dimension = i < kinds_of[2] ? 2 : 3, kind = i < kinds_of[2] ? i : i - kinds_of[2];
    open_rig(r, dimension, kinds[kind], kinds[kind], HAW_ARM_RADIUS, HAW_PROXY_POINTS);
    return &r->contacts->curve[r->model->pair[0].line];
}

static void all_feet_are_found(void **state)
{
    enum { PLACES = 60, ROOM = 400 };

    int several = 0;
    (void)state;
    for (int i = 0; i < kinds_of[2] + kinds_of[3]; i++) {
        rig r;
        haw_centreline *line = open_line(&r, i);
        for (int p = 0; p < PLACES; p++) {
            const double none[3] = {0, 0, 0};
            const haw_windows open = {.count = 0};
            double x[3] = {0.15 + number(&r, 0.2), number(&r, 0.1),
                           number(&r, 0.1 * (r.model->dimension - 2))},
                   place[ROOM];
            haw_line_foot foot[HAW_LINE_FEET];
            walk_lay(&(walk){r.model, r.q, &r.random, le}, 1, none, none,
                     2); /* bent within elements */
            haw_centreline_fit(line, r.q);
            const int wanted = search_by_force(&r, x, 0.2, place);
            const int found = haw_centreline_feet(line, x, 0.2, &open, HAW_LINE_FEET, foot);
            several += wanted > 1;
            if (wanted > HAW_FEET_MAX) {
                continue;
            }
            if (found != wanted) {
                fail_msg("kind %d, point %d: %d feet, by force %d", i, p, found, wanted);
            }
            for (int k = 0; k < wanted; k++) {
                assert_near(foot[k].element + foot[k].s, place[k], 1.0 / 400, 0);
                assert_near(foot[k].distance, distance_to(&r, foot[k].element + foot[k].s, x),
                            1e-15, 0);
                assert_true(foot[k].distance <= distance_to(&r, place[k], x) + 1e-15);
                look_beside(&r, &foot[k]);
            }
        }
        close_rig(&r);
    }
    assert_in_range(several, PLACES / 3, PLACES * KINDS);
}

static void boxes_contain_their_elements(void **state)
{
    enum { PLACES = 50 };

    (void)state;
    for (int i = 0; i < (kinds_of[2] + kinds_of[3]) * SEEDS; i++) {
        const double none[3] = {0, 0, 0};
        rig r;
        haw_centreline *line = open_line(&r, i / SEEDS);
        r.random += (uint64_t)i;
        walk_lay(&(walk){r.model, r.q, &r.random, le}, 1, none, none, 2);
        haw_centreline_fit(line, r.q);
        for (int k = 0; k <= PLACES * ELEMENTS; k++) {
            const int e = k < PLACES * ELEMENTS ? k / PLACES : ELEMENTS - 1;
            const double *box = line->box[line->first + e];
            double x[3];
            look_at(&r, (double)k / PLACES, x);
            for (int j = 0; j < r.model->dimension; j++) {
                assert_true(x[j] >= box[j] && x[j] <= box[3 + j]);
            }
        }
        close_rig(&r);
    }
}

/* A foot that moves on to the next element is followed there. */
static void feet_are_followed_over_nodes(void **state)
{
    (void)state;
    for (int i = 0; i < kinds_of[2] + kinds_of[3]; i++) {
        const int dimension = i < kinds_of[2] ? 2 : 3, kind = i < kinds_of[2] ? i : i - kinds_of[2];
        rig r;
        open_rig(&r, dimension, kinds[kind], kinds[kind], HAW_ARM_RADIUS, HAW_PROXY_POINTS);
        const double none[3] = {0, 0, 0};
        const haw_windows open = {.count = 0};
        haw_line_foot foot[HAW_LINE_FEET], moved;
        walk_lay(&(walk){r.model, r.q, &r.random, le}, 1, none, none, 0.02);
        haw_centreline *line = &r.contacts->curve[r.model->pair[0].line];
        haw_centreline_fit(line, r.q);
        for (int k = 0; k < 20 && kind != 2 && kind != 3; k++) { /* without corners */
            const double at = 0.05 + 0.01 * k;
            const double out = dimension == 2 ? 0 : 0.015;
            const double x[3] = {at, 0.01, out}, ahead[3] = {at + 0.03, 0.01, out};
            assert_int_equal(haw_centreline_feet(line, x, 0.1, &open, HAW_LINE_FEET, foot), 1);
            moved = foot[0];
            assert_int_equal(haw_centreline_feet(line, ahead, 0.1, &open, HAW_LINE_FEET, foot), 1);
            assert_true(haw_centreline_follow(line->cable, r.q, ahead, &moved));
            assert_near(moved.element + moved.s, foot[0].element + foot[0].s, 1e-12, 0);
        }
        close_rig(&r);
    }
}

/* Where all of a line is one point, or no number, a search that halves until it knows would not
 * end. */
static void searches_end_without_lengths(void **state)
{
    static const double places[] = {0, 0.25, (double)NAN, (double)INFINITY, 1e300};
    (void)state;
    for (int i = 0; i < kinds_of[2] + kinds_of[3]; i++) {
        rig r;
        haw_centreline *line = open_line(&r, i);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            const haw_windows open = {.count = 0};
            const double x[3] = {0.3, 0, 0};
            haw_line_foot foot[HAW_LINE_FEET];
            for (int c = 0; c < r.model->coordinates; c++) {
                r.q[c] = places[k];
            }
            haw_centreline_fit(line, r.q);
            const int feet = haw_centreline_feet(line, x, 1, &open, HAW_LINE_FEET, foot);
            assert_in_range(feet, 0, HAW_LINE_FEET);
        }
        close_rig(&r);
    }
}

/* ---- minima ---- */

/* The least gap of all is that of a touch, which is that of its point less a dip; beside other dips
 * lines are no nearer to one another than the search leaves them. */
static void look_between(rig *r)
{
    enum { PARTS = 4000 };

    const haw_cable *cable = &r->model->cable[r->model->pair[0].cable];
    const haw_windows open = {.count = 0};
    double least = HUGE_VAL, listed = HUGE_VAL;
    for (int k = 0; k <= PARTS; k++) {
        const int e = k < PARTS ? ELEMENTS * k / PARTS : ELEMENTS - 1;
        haw_cable_point point;
        haw_line_foot foot[HAW_LINE_FEET];
        cable->ops->point(cable, e, (double)ELEMENTS * k / PARTS - e, r->q, NULL, HAW_POINT_PLACE,
                          &point);
        const int feet = haw_centreline_feet(&r->contacts->curve[r->model->pair[0].line], point.x,
                                             2 * radius + 0.005, &open, HAW_FEET_MAX, foot);
        for (int i = 0; i < feet; i++) {
            least = fmin(least, foot[i].distance - 2 * radius);
        }
    }
    for (int i = 0; i < r->contacts->count; i++) {
        listed = fmin(listed, r->contacts->item[i].gap);
    }
    if (least < -1e-6 * radius && least > -radius) { /* next to the axis samples are coarse */
        assert_near(listed, least, 1e-5 * radius, 0);
    }
}

static void touches_have_the_least_gaps_beside_them(void **state)
{
    (void)state;
    for_all_of(3, 0.1, HAW_ARM_RADIUS, HAW_PROXY_MINIMA, 0.005, look_between);
    for_all_of(3, 0.5, HAW_ARM_RADIUS, HAW_PROXY_MINIMA, 0.005, look_between);
}

/* Feet of a point change their order while a step is solved: a dip stays with its foot. */
static void look_in_other_order(rig *r)
{
    const haw_pair *pair = &r->model->pair[0];
    const int count = r->contacts->count;
    double dip[MOST];
    for (int i = 0; i < count; i++) {
        dip[i] = r->contacts->item[i].dip;
    }
    for (int i = 0; i + pair->feet <= pair->ahead; i += pair->feet) {
        haw_dip *of = &r->contacts->dip[i];
        const haw_dip first = of[0];
        memmove(of, of + 1, (size_t)(pair->feet - 1) * sizeof *of);
        of[pair->feet - 1] = first;
    }
    detect(r, 0.005);
    assert_int_equal(r->contacts->count, count);
    for (int i = 0; i < count; i++) {
        assert_true(r->contacts->item[i].dip == dip[i]);
    }
}

static void dips_belong_to_feet(void **state)
{
    (void)state;
    for_all_of(3, 0.1, HAW_ARM_RADIUS, HAW_PROXY_MINIMA, 0.005, look_in_other_order);
}

/* ---- closed cables ---- */

enum { RING = 12, PLACES = 80 };

static const double ring = 0.5;

/* A ring, and a bar across its plane. */
static void open_ring(rig *r, int elements)
{
    haw_path_segment path[2] = {{.kind = HAW_PIECE_ARC, .radius = ring, .angle_deg = 180},
                                {.kind = HAW_PIECE_ARC, .radius = ring, .angle_deg = 180}};
    haw_cable_spec cable[2] = {walk_cable("ring", "ancf", RING, le, radius),
                               walk_cable("bar", "ancf", elements, le, radius)};
    haw_contact_spec contact = haw_contact_spec_default();
    memset(r, 0, sizeof *r);
    cable[0].closed = true;
    cable[0].from[0] = ring;
    cable[0].segments = 2;
    cable[0].path = path;
    cable[1].from[2] = -0.27;
    cable[1].to[0] = 0;
    cable[1].to[2] = 0.31;
    contact.between[0] = "ring";
    contact.between[1] = "bar";
    contact.points_per_element = 27;
    contact.proxy = HAW_PROXY_MINIMA;
    open_scene(r, cable, &contact, 3);
    for (int i = 0; i < 2; i++) {
        r->model->cable[i].ops->start(&r->model->cable[i], r->q);
    }
}

/* Of the bar at an angle; those whose gap is that of a place beside them count a hundred times. */
static int count_touches(rig *r, double angle)
{
    const haw_cable *bar = &r->model->cable[1];
    int count = 0;
    for (int n = 0; n <= bar->line.elements; n++) {
        double *x = r->q + bar->ops->node_q(bar, n);
        x[0] = (ring + 1.9 * radius) * cos(angle);
        x[1] = (ring + 1.9 * radius) * sin(angle);
    }
    haw_contacts_begin(r->contacts);
    detect(r, 0.2 * radius);
    assert_true(haw_contacts_refine(r->contacts));
    detect(r, 0.2 * radius);
    for (int i = 0; i < r->contacts->count; i++) {
        count += r->contacts->item[i].dip > 0 ? 100 : 1;
    }
    return count;
}

/* What is in balance with the dips at hand is not with others, however near they are. */
static void dips_that_will_do_stay(void **state)
{
    (void)state;
    rig r;
    open_rig(&r, 3, "ancf", "ancf", HAW_ARM_DISTANCE, HAW_PROXY_MINIMA);
    const size_t bytes = (size_t)r.model->points * sizeof *r.contacts->dip;
    haw_dip *dip = malloc(bytes);
    assert_non_null(dip);
    int met = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        cross(&r, 0.1);
        detect(&r, 0.1 * radius);
        met += haw_contacts_refine(r.contacts) ? 1 : 0;
        memcpy(dip, r.contacts->dip, bytes);
        for (int i = 0; i < r.model->coordinates; i++) {
            r.q[i] += number(&r, 1e-9 * radius);
        }
        detect(&r, 0.1 * radius);
        assert_false(haw_contacts_refine(r.contacts));
        assert_memory_equal(r.contacts->dip, dip, bytes);
    }
    assert_true(met > 0);
    free(dip);
    close_rig(&r);
}

/* What touches is the same beside all nodes of the ring, that of its seam, too; in the middle of an
 * element, where two parts of a piece meet, as inside of one. */
static void rings_have_no_end(void **state)
{
    (void)state;
    for (int elements = 1; elements < 9; elements += 7) { /* the grid is the ring's, the bar's */
        rig r;
        open_ring(&r, elements);
        for (int k = 0; k < PLACES; k++) {
            const double quarter = acos(0.0), step = 4 * quarter / RING / 27;
            const double angle = step * (4.0 * (k + 0.5) / PLACES - 2);
            const int seam = count_touches(&r, angle);
            assert_int_equal(seam, count_touches(&r, angle + quarter));
            assert_int_equal(seam / 100, 2); /* both ends of the piece */
        }
        assert_int_equal(count_touches(&r, 2 * acos(0.0) / RING) / 100, 2);
        close_rig(&r);
    }
}

/* ---- rows ---- */

static void measure(const rig *r, double factor, const double *du, double *way)
{
    double d[SIZE], q[SIZE];
    for (int i = 0; i < r->model->dofs; i++) {
        d[i] = factor * du[i];
    }
    haw_model_move(r->model, r->q, 1, d, q);
    haw_contacts_way(r->contacts, r->q, q, way);
    for (int i = 0; i < r->contacts->count; i++) {
        way[r->model->dimension * i] = haw_contacts_gap(r->contacts, &r->contacts->item[i], q);
    }
}

static void compare_rows(rig *r)
{
    const double h = 2e-6;
    double du[SIZE], gamma[3 * MOST], plus[3 * MOST], minus[3 * MOST];
    for (int i = 0; i < r->model->dofs; i++) {
        du[i] = number(r, 1);
    }
    haw_contacts_velocity(r->contacts, du, gamma);
    measure(r, h, du, plus);
    measure(r, -h, du, minus);
    const int d = r->model->dimension;
    for (int i = 0; i < d * r->contacts->count; i++) {
        if (r->contacts->item[i / d].gap > -radius) { /* next to the axis differences are coarse */
            assert_near((plus[i] - minus[i]) / (2 * h), gamma[i], 1e-7, 0);
        }
    }
}

static void rows_are_the_derivatives_of_gap_and_way(void **state)
{
    (void)state;
    for_all(0.1, HAW_ARM_RADIUS, 0.005, compare_rows);
    for_all(0.1, HAW_ARM_DISTANCE, 0.005, compare_rows);
    for_all(0.1, HAW_ARM_TILT, 0.005, compare_rows);
    for_all_of(3, 0.1, HAW_ARM_RADIUS, HAW_PROXY_MINIMA, 0.005, compare_rows);
}

/* ---- forces ---- */

/* Sum of the forces on all material, and moment about the origin, of generalized forces f. */
static void add_up(const rig *r, const double *f, double sum[6])
{
    double u[SIZE];
    memset(sum, 0, 6 * sizeof *sum);
    for (int k = 0; k < 6; k++) {
        rigid_motion(r->model, r->q, k, u);
        for (int i = 0; i < r->model->dofs; i++) {
            sum[k] += u[i] * f[i];
        }
    }
}

/* Friction acts at one place where the sections of both turn, at the surface or on a centreline;
 * without friction all moments balance with any element. */
static void balance(rig *r)
{
    const int d = r->model->dimension;
    const bool rolls =
        (d == 2 && r->model->pair[0].arm == HAW_ARM_TILT) || /* in space but for the spin */
        (haw_cable_turns(&r->model->cable[0]) && haw_cable_turns(&r->model->cable[1]));
    double load[3 * MOST], f[SIZE] = {0}, sum[6];
    for (int i = 0; i < d * r->contacts->count; i++) {
        load[i] = i % d == 0 || rolls ? 1 + number(r, 1) : 0;
    }
    haw_contacts_apply(r->contacts, load, f);
    add_up(r, f, sum);
    for (int k = 0; k < 6; k++) {
        assert_near(sum[k], 0, 1e-13, 0);
    }
}

static void both_sides_balance(void **state)
{
    (void)state;
    for_all(0.1, HAW_ARM_RADIUS, 0.005, balance);
    for_all(0.1, HAW_ARM_DISTANCE, 0.005, balance);
    for_all(0.1, HAW_ARM_TILT, 0.005, balance);
}

/* ---- the tangent ---- */

enum { IDS = 2 * 4 * (POINTS * ELEMENTS + 3) };

/* Rows that are means of a step which began at the configuration of the rig (stepper/lean.h). */
static bool leans;
static haw_leaning began[IDS];

static void lean(rig *r, const double *by_id)
{
    static haw_leaning now[IDS];
    static double impulse[3 * IDS];
    for (int i = 0; i < IDS; i++) {
        impulse[(ptrdiff_t)r->model->dimension * i] = by_id[3 * i];
    }
    haw_lean(r->contacts, began, impulse, 0.6, NULL, now);
}

/* Forces of loads by contact id at the configuration moved by factor du. */
static void push_there(rig *r, double factor, const double *du, const double *by_id, double *f)
{
    double d[SIZE], here[SIZE], load[3 * MOST];
    memcpy(here, r->q, sizeof here);
    for (int i = 0; i < r->model->dofs; i++) {
        d[i] = factor * du[i];
    }
    haw_model_move(r->model, here, 1, d, r->q);
    detect(r, 0.006);
    for (int i = 0; i < r->contacts->count; i++) {
        memcpy(load + r->model->dimension * i, by_id + (ptrdiff_t)3 * r->contacts->item[i].id,
               (size_t)r->model->dimension * sizeof *load);
    }
    if (leans) {
        lean(r, by_id);
    }
    memset(f, 0, (size_t)r->model->dofs * sizeof *f);
    haw_contacts_apply(r->contacts, load, f);
    memcpy(r->q, here, sizeof here);
}

/* Touches of an element lean as the first of them that presses: one of each, if they lean. */
static bool is_loaded(const rig *r, const double *by_id, int i)
{
    const haw_touch *item = r->contacts->item;
    bool is_first = true;
    for (int j = 0; j < i; j++) {
        is_first = is_first && !(item[j].element == item[i].element &&
                                 item[j].pair == item[i].pair && by_id[3 * item[j].id] > 0);
    }
    return item[i].gap > -radius && (is_first || !leans);
}

static void compare_tangent(rig *r)
{
    const double h = 1e-7;
    static double by_id[3 * IDS];
    double du[SIZE], x[SIZE], y[SIZE], plus[SIZE], minus[SIZE], most = 0;
    haw_system *system;
    bool renewed;
    if (r->contacts->count == 0) {
        return;
    }
    assert_int_equal(haw_system_create(r->context, r->model, NULL, NULL, &system), HAW_OK);
    assert_int_equal(haw_contacts_couple(r->contacts, false, system, &renewed), HAW_OK);
    assert_true(renewed);
    assert_int_equal(haw_contacts_couple(r->contacts, false, system, &renewed), HAW_OK);
    assert_false(renewed);
    memset(by_id, 0, sizeof by_id);
    for (int i = 0; i < r->contacts->count; i++) {
        double *own = by_id + (ptrdiff_t)3 * r->contacts->item[i].id;
        const double part = is_loaded(r, by_id, i) ? 1 : 0;
        own[0] = part * (2 + number(r, 1));
        own[1] = part * number(r, 1);
        own[2] = part * number(r, 1);
        memcpy(r->contacts->impulse + r->model->dimension * i, own,
               (size_t)r->model->dimension * sizeof *own);
    }
    if (leans) {
        haw_lean_keep(r->contacts, began);
        lean(r, by_id);
    }
    haw_system_clear(system);
    haw_contacts_tangent(r->contacts, 1, system);
    for (int i = 0; i < system->equations; i++) {
        x[i] = du[system->dof[i]] = number(r, 1);
        y[i] = 0;
    }
    haw_matrix_multiply(system->matrix, -1, x, y);
    push_there(r, h, du, by_id, plus);
    push_there(r, -h, du, by_id, minus);
    for (int i = 0; i < system->equations; i++) {
        most = fmax(most, fabs(plus[system->dof[i]] - minus[system->dof[i]]) / (2 * h));
    }
    for (int i = 0; i < system->equations; i++) {
        const int dof = system->dof[i];
        assert_near(y[i], (plus[dof] - minus[dof]) / (2 * h), 1e-6 * most, 0);
    }
    haw_system_free(system);
}

static void the_tangent_is_the_derivative_of_the_forces(void **state)
{
    (void)state;
    for_all(0.1, HAW_ARM_RADIUS, 0.005, compare_tangent);
    for_all(0.1, HAW_ARM_DISTANCE, 0.005, compare_tangent);
    for_all(0.5, HAW_ARM_RADIUS, 0.005, compare_tangent);
    for_all(0.1, HAW_ARM_TILT, 0.005, compare_tangent);
    for_all(0.5, HAW_ARM_TILT, 0.005, compare_tangent);
    for_all_of(3, 0.1, HAW_ARM_RADIUS, HAW_PROXY_MINIMA, 0.005, compare_tangent);
    for_all_of(3, 0.1, HAW_ARM_DISTANCE, HAW_PROXY_MINIMA, 0.005, compare_tangent);
}

/* Of the normal load 0.6 turns with the normal; all of it goes along with the foot. */
static void so_is_that_of_rows_that_are_means_of_a_step(void **state)
{
    (void)state;
    leans = true;
    for_all_of(2, 0.1, HAW_ARM_RADIUS, HAW_PROXY_POINTS, 0.005, compare_tangent);
    for_all_of(3, 0.1, HAW_ARM_RADIUS, HAW_PROXY_POINTS, 0.005, compare_tangent);
    for_all_of(3, 0.5, HAW_ARM_DISTANCE, HAW_PROXY_POINTS, 0.005, compare_tangent);
    for_all_of(3, 0.1, HAW_ARM_TILT, HAW_PROXY_POINTS, 0.005, compare_tangent);
    leans = false;
}

TEST_FILE(test_line_contact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_of_nodes_have_all_digits),
        cmocka_unit_test(lines_know_their_derivatives),
        cmocka_unit_test(all_feet_are_found),
        cmocka_unit_test(boxes_contain_their_elements),
        cmocka_unit_test(feet_are_followed_over_nodes),
        cmocka_unit_test(searches_end_without_lengths),
        cmocka_unit_test(touches_have_the_least_gaps_beside_them),
        cmocka_unit_test(dips_belong_to_feet),
        cmocka_unit_test(dips_that_will_do_stay),
        cmocka_unit_test(rings_have_no_end),
        cmocka_unit_test(rows_are_the_derivatives_of_gap_and_way),
        cmocka_unit_test(both_sides_balance),
        cmocka_unit_test(the_tangent_is_the_derivative_of_the_forces),
        cmocka_unit_test(so_is_that_of_rows_that_are_means_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
