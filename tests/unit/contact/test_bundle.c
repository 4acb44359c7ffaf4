/* SPDX-License-Identifier: BSD-3-Clause */
/* Many cables named at once: all of their contacts are those of all pairs of them, whichever cables
 * are near each other. */
#include "base/lie.h"
#include "contact/contact.h"
#include "contact/view.h"
#include "support/guards.h"
#include "support/near.h"
#include "support/random.h"

#include <hawser/hawser.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CABLES = 14, ELEMENTS = 6, PAIRS = CABLES * (CABLES - 1) / 2 };

static const double length = 0.6, radius = 0.012;

typedef struct heap {
    haw_context *context;
    haw_model *model;
    haw_contacts *contacts;
    double *q;
} heap;

static char names[CABLES][20];

/* Cables in all directions through a box that is much smaller than they are long. */
static void draw(haw_cable_spec cable[CABLES], const char *element)
{
    uint64_t random = 7;
    for (int i = 0; i < CABLES; i++) {
        double way[3], square = 0;
        (void)snprintf(names[i], sizeof names[i], "yarn-%d", i);
        cable[i] = haw_cable_spec_default();
        cable[i].name = names[i];
        cable[i].element = element;
        cable[i].elements = ELEMENTS;
        for (int k = 0; k < 3; k++) {
            way[k] = random_signed(&random);
            square += way[k] * way[k];
        }
        for (int k = 0; k < 3; k++) {
            const double middle = 0.1 * random_signed(&random);
            cable[i].from[k] = middle - 0.5 * length * way[k] / sqrt(square);
            cable[i].to[k] = middle + 0.5 * length * way[k] / sqrt(square);
        }
        cable[i].stiffness = 1e4;
        cable[i].bending_stiffness = 1;
        cable[i].density = 0.1;
        cable[i].radius = radius;
        cable[i].ends[0].kind = cable[i].ends[1].kind = HAW_END_FREE;
    }
}

static void build(heap *h, const haw_cable_spec *cable, int contacts,
                  const haw_contact_spec *contact)
{
    const haw_scene scene = {.dimension = 3,
                             .load_steps = 1,
                             .cables = CABLES,
                             .cable = cable,
                             .contacts = contacts,
                             .contact = contact};
    assert_int_equal(haw_context_create(NULL, &h->context), HAW_OK);
    if (haw_model_build(h->context, &scene, &h->model) != HAW_OK ||
        haw_contacts_create(h->context, h->model, &h->contacts) != HAW_OK) {
        fail_msg("%s", haw_context_message(h->context));
        abort(); /* not reached: the line above jumps out of the test */
    }
    h->q = calloc((size_t)h->model->coordinates, sizeof *h->q);
    assert_non_null(h->q);
    for (int i = 0; i < CABLES; i++) {
        const haw_cable *own = &h->model->cable[i];
        own->ops->start(own, h->q);
    }
}

static void detect(heap *h)
{
    h->contacts->margin = 0.2 * radius;
    assert_int_equal(haw_contacts_detect(h->contacts, h->q, NULL, 0), HAW_OK);
}

static void leave(heap *h)
{
    free(h->q);
    haw_contacts_free(h->contacts);
    haw_model_free(h->model);
    haw_context_free(h->context);
}

static haw_contact_spec describe(const char *first, const char *second)
{
    haw_contact_spec contact = haw_contact_spec_default();
    contact.between[0] = first;
    contact.between[1] = second;
    contact.points_per_element = 9;
    return contact;
}

/* Number of touches between two cables and the sum of their gaps, place by place. */
typedef struct tally {
    int count;
    double gaps, places;
} tally;

static void add_up(const heap *h, tally all[CABLES][CABLES])
{
    for (int i = 0; i < h->contacts->count; i++) {
        const haw_touch *touch = &h->contacts->item[i];
        const haw_view view = haw_view_at(h->contacts, touch, h->q);
        int e = touch->element, on = touch->on;
        (void)haw_cable_member(view.cable, &e);
        (void)haw_cable_member(view.line, &on);
        tally *of = &all[touch->side[0].cable][touch->side[1].cable];
        of->count++;
        of->gaps += touch->gap;
        of->places += e + touch->s + 100 * (on + touch->at);
    }
}

/* What all pairs find, by cables, against one search of all of them. @return touches of a cable
 * with itself */
static int compare(const haw_cable_spec *cable, int pairs, const haw_contact_spec *all)
{
    tally expected[CABLES][CABLES] = {0}, found[CABLES][CABLES] = {0};
    heap one, each;
    int own = 0;
    haw_contact_spec together = all[0];
    together.between[0] = together.between[1] = "yarn-*";
    build(&one, cable, 1, &together);
    build(&each, cable, pairs, all);
    detect(&one);
    detect(&each);
    assert_in_range(each.contacts->count, 30, 5000);
    assert_int_equal(one.contacts->count, each.contacts->count);
    add_up(&one, found);
    add_up(&each, expected);
    for (int i = 0; i < CABLES * CABLES; i++) {
        const tally *a = &found[i / CABLES][i % CABLES];
        const tally *b = &expected[i / CABLES][i % CABLES];
        own += i / CABLES == i % CABLES ? a->count : 0;
        assert_int_equal(a->count, b->count);
        assert_near(a->gaps, b->gaps, 1e-12, 0);
        assert_near(a->places, b->places, 1e-7, 0);
    }
    leave(&one);
    leave(&each);
    return own;
}

static void one_search_finds_what_all_pairs_find(void **state)
{
    static const char *const elements[] = {"ancf", "se3", "chain"};
    static haw_contact_spec all[PAIRS];
    (void)state;
    for (int k = 0; k < 3; k++) {
        haw_cable_spec cable[CABLES];
        int pairs = 0;
        draw(cable, elements[k]);
        for (int i = 0; i < CABLES; i++) {
            cable[i].bending_stiffness = k < 2 ? 1 : 0;
            for (int j = i + 1; j < CABLES; j++) {
                all[pairs++] = describe(names[i], names[j]);
            }
        }
        (void)compare(cable, pairs, all);
    }
}

enum { LOOP = 40, NUMBERS = 4 };

/* Figures of eight in all directions, each of which comes near itself in its middle. */
static void draw_rings(haw_cable_spec cable[CABLES], haw_path_segment *path, double *point)
{
    uint64_t random = 11;
    for (int i = 0; i < CABLES; i++) {
        double turn[4], middle[3], *p = point + (ptrdiff_t)NUMBERS * (LOOP + 1) * i;
        for (int k = 0; k < 4; k++) {
            turn[k] = random_signed(&random);
            middle[k % 3] = 0.05 * random_signed(&random);
        }
        quaternion_normalise(turn);
        for (int n = 0; n <= LOOP; n++, p += NUMBERS) {
            const double angle = 2 * 3.14159265358979323846 * (n % LOOP) / LOOP;
            const double own[3] = {0.1 * cos(angle), 0.06 * sin(2 * angle), 2.3e-3 * sin(angle)};
            quaternion_rotate(turn, own, p);
            vec3_add(1, middle, p);
            p[3] = 0;
        }
        p = point + (ptrdiff_t)NUMBERS * (LOOP + 1) * i;
        path[i] = (haw_path_segment){.kind = HAW_PIECE_POINTS, .points = LOOP + 1, .point = p};
        cable[i].elements = 60;
        cable[i].radius = 2e-3;
        cable[i].closed = true;
        cable[i].path = &path[i];
        cable[i].segments = 1;
        memcpy(cable[i].from, p, sizeof cable[i].from);
    }
}

/* Of closed ones, too, which have no ends and are their own neighbours on both ways round. */
static void rings_are_found_as_by_all_pairs(void **state)
{
    static const char *const elements[] = {"bezier", "se3"};
    static haw_contact_spec all[PAIRS + CABLES];
    static double point[CABLES * NUMBERS * (LOOP + 1)];
    (void)state;
    for (int k = 0; k < 2; k++) {
        haw_cable_spec cable[CABLES];
        haw_path_segment path[CABLES];
        int pairs = 0;
        draw(cable, elements[k]);
        draw_rings(cable, path, point);
        for (int i = 0; i < CABLES; i++) {
            cable[i].bending_stiffness = k;
            for (int j = i; j < CABLES; j++) {
                all[pairs] = describe(names[i], names[j]);
                pairs++;
            }
        }
        assert_true(compare(cable, pairs, all) >= 20);
    }
}

/* The id of a touch is that of its point and of the cable that it touches, whatever else comes
 * near on the way of one cable through the heap. */
static void ids_stay(void **state)
{
    haw_cable_spec cable[CABLES];
    const haw_contact_spec together = describe("yarn-*", "yarn-*");
    heap h;
    int kept = 0, changed = 0, last_count = 0;
    static haw_touch last[4096];
    (void)state;
    draw(cable, "ancf");
    build(&h, cable, 1, &together);
    const haw_cable *moving = &h.model->cable[CABLES - 1];
    for (int step = 0; step < 200; step++) {
        detect(&h);
        assert_in_range(h.contacts->count, 1, 4096);
        for (int i = 0; i < h.contacts->count; i++) {
            const haw_touch *now = &h.contacts->item[i];
            for (int j = 0; j < last_count; j++) {
                const bool same = last[j].element == now->element && last[j].s == now->s &&
                                  last[j].side[1].cable == now->side[1].cable &&
                                  last[j].side[0].cable == now->side[0].cable &&
                                  fabs(last[j].at - now->at) < 0.05;
                kept += same && last[j].id == now->id ? 1 : 0;
                changed += same && last[j].id != now->id ? 1 : 0;
            }
        }
        last_count = h.contacts->count;
        memcpy(last, h.contacts->item, (size_t)last_count * sizeof *last);
        for (int n = 0; n <= ELEMENTS; n++) {
            h.q[moving->ops->node_q(moving, n) + 1] += 2e-3;
        }
    }
    assert_in_range(kept, 1000, 1000000);
    assert_in_range(changed, 0, kept / 1000); /* two that touch a point may want the same slot */
    leave(&h);
}

/* Cables that sway, each in its own way, to and fro, by a few radii in all. */
static void sway(heap *h, int step)
{
    for (int i = 0; i < CABLES; i++) {
        const haw_cable *own = &h->model->cable[i];
        for (int n = 0; n <= ELEMENTS; n++) {
            for (int k = 0; k < 3; k++) {
                const double phase = 0.01 * (i + 3 * k + 1) * step + 0.4 * n + i;
                h->q[own->ops->node_q(own, n) + k] += 2e-4 * cos(phase);
            }
        }
    }
}

/* What was known of points that were far away misses nothing: all is as by a search that knows
 * nothing. */
static void compare_with_fresh(heap *h)
{
    haw_contacts *fresh;
    assert_int_equal(haw_contacts_create(h->context, h->model, &fresh), HAW_OK);
    fresh->margin = h->contacts->margin;
    assert_int_equal(haw_contacts_detect(fresh, h->q, NULL, 0), HAW_OK);
    assert_int_equal(fresh->count, h->contacts->count);
    for (int i = 0; i < fresh->count; i++) {
        const haw_touch *a = &fresh->item[i], *b = &h->contacts->item[i];
        assert_true(a->id == b->id && a->gap == b->gap && a->on == b->on && a->at == b->at);
    }
    assert_true(fresh->gap_min[0] == h->contacts->gap_min[0]);
    assert_true(*h->contacts->looked <= *fresh->looked);
    haw_contacts_free(fresh);
}

enum { SAMPLES = 200 * ELEMENTS };

/* Distances of x from places of a cable all along. */
static void sample(const heap *h, const haw_cable *cable, const double x[3],
                   double distance[SAMPLES + 1])
{
    for (int k = 0; k <= SAMPLES; k++) {
        const int e = k < SAMPLES ? k * ELEMENTS / SAMPLES : ELEMENTS - 1;
        haw_cable_point at;
        cable->ops->point(cable, e, (double)k * ELEMENTS / SAMPLES - e, h->q, NULL, HAW_POINT_PLACE,
                          &at);
        distance[k] =
            sqrt((at.x[0] - x[0]) * (at.x[0] - x[0]) + (at.x[1] - x[1]) * (at.x[1] - x[1]) +
                 (at.x[2] - x[2]) * (at.x[2] - x[2]));
    }
}

/* Number of touches of a point on a cable, and whether one of them has about this gap. */
static int find_touches(const heap *h, int own, double label, int other, double gap, double near,
                        bool *has)
{
    int count = 0;
    for (int i = 0; i < h->contacts->count; i++) {
        const haw_touch *touch = &h->contacts->item[i];
        if (touch->side[0].cable == own && touch->side[1].cable == other &&
            fabs(touch->element % ELEMENTS + touch->s - label) < 1e-9) {
            count++;
            *has = *has || fabs(touch->gap - gap) <= near;
        }
    }
    return count;
}

/* Every local minimum of the distances of a point from a cable is a touch if it is near enough, and
 * there are no others. @return how many */
static int compare_point(const heap *h, int own, double label, int other)
{
    static double distance[SAMPLES + 1];
    const double half = 0.6 * length / SAMPLES; /* between two samples, and cables stretch */
    const haw_cable *cable = &h->model->cable[own];
    const int e = label < ELEMENTS ? (int)label : ELEMENTS - 1;
    haw_cable_point at;
    bool is_sure = true;
    int minima = 0;
    cable->ops->point(cable, e, label - e, h->q, NULL, HAW_POINT_PLACE, &at);
    sample(h, &h->model->cable[other], at.x, distance);
    for (int k = 0; k <= SAMPLES; k++) {
        const double gap = distance[k] - 2 * radius, out = gap - h->contacts->margin;
        const double near = half * half / (distance[k] + half);
        if ((k > 0 && distance[k] >= distance[k - 1]) ||
            (k < SAMPLES && distance[k] > distance[k + 1]) || out > near) {
            continue;
        }
        bool has = false;
        const int count = find_touches(h, own, label, other, gap, near, &has);
        is_sure = is_sure && fabs(out) > near && count <= HAW_LINE_FEET;
        assert_true(has || fabs(out) <= near);
        minima += out < 0;
    }
    bool any = false;
    assert_true(!is_sure || find_touches(h, own, label, other, 0, 0, &any) == minima);
    return minima;
}

/* The points of the first of two cables, and the ends of the second. */
static int compare_with_samples(const heap *h)
{
    int minima = 0;
    for (int i = 0; i < CABLES; i++) {
        for (int j = i + 1; j < CABLES; j++) {
            for (int k = 0; k <= 9 * ELEMENTS; k++) {
                minima += compare_point(h, i, k / 9.0, j);
            }
            minima += compare_point(h, j, 0, i) + compare_point(h, j, ELEMENTS, i);
        }
    }
    return minima;
}

static void a_heap_that_sways_is_searched_as_by_brute_force(void **state)
{
    static const char *const elements[] = {"ancf", "corotational"};
    const haw_contact_spec together = describe("yarn-*", "yarn-*");
    (void)state;
    for (int k = 0; k < 2; k++) {
        haw_cable_spec cable[CABLES];
        heap h;
        int minima = 0;
        draw(cable, elements[k]);
        build(&h, cable, 1, &together);
        for (int step = 0; step < 120; step++) {
            detect(&h);
            compare_with_fresh(&h);
            minima += step == 119 ? compare_with_samples(&h) : 0;
            sway(&h, step);
        }
        assert_in_range(minima, 30, 10000);
        leave(&h);
    }
}

static void shift(heap *h, int i, int axis, double way)
{
    const haw_cable *own = &h->model->cable[i];
    for (int n = 0; n <= ELEMENTS; n++) {
        h->q[own->ops->node_q(own, n) + axis] += way;
    }
}

/* Of two cables, the others being far away, one goes to and fro through the other. */
static void guards_of_cables_forget_nothing(void **state)
{
    const haw_contact_spec together = describe("yarn-*", "yarn-*");
    haw_cable_spec cable[CABLES];
    heap h;
    guards g;
    int apart = 0, deep = 0;
    (void)state;
    draw(cable, "ancf");
    build(&h, cable, 1, &together);
    guards_open(&g, h.context, h.model);
    double *before = haw_arena_allocate(&g.arena, (size_t)h.model->coordinates, sizeof *before);
    assert_non_null(before);
    const haw_cable_ops *ops = h.model->cable[0].ops;
    const double *middle = h.q + ops->node_q(&h.model->cable[0], ELEMENTS / 2);
    const double *other = h.q + ops->node_q(&h.model->cable[1], ELEMENTS / 2);
    for (int k = 0; k < 3; k++) {
        shift(&h, 1, k, middle[k] - other[k]);
    }
    for (int i = 2; i < CABLES; i++) {
        shift(&h, i, 0, 10 * i);
    }
    for (int step = 0; step < 400; step++) {
        memcpy(before, h.q, (size_t)h.model->coordinates * sizeof *before);
        shift(&h, 1, step / 200, 2e-3 * cos(0.0314 * step));
        const double depth = guards_agree(&g, before, h.q);
        apart += depth == 0;
        deep += depth > radius;
    }
    assert_true(apart > 100 && deep > 40);
    guards_close(&g);
    leave(&h);
}

static void sets_that_cannot_touch_are_refused(void **state)
{
    static const haw_path_segment round = {
        .kind = HAW_PIECE_ARC, .center = {0.2, 0, 0}, .radius = 0.2, .angle_deg = 360};

    static const struct {
        int what;
        const char *second, *says;
    } of[] = {{1, "yarn-*", "has another radius"},
              {2, "yarn-*", "has other elements"},
              {0, "yarn-1*", "on both sides"},
              {3, "yarn-*", "is closed"},
              {0, "wool-*", "no cable or body is named 'wool-*'"}};

    (void)state;
    for (int i = 0; i < 5; i++) {
        haw_cable_spec cable[CABLES];
        haw_context *context;
        haw_model *model;
        draw(cable, "ancf");
        cable[3].radius *= of[i].what == 1 ? 2 : 1;
        cable[3].element = of[i].what == 2 ? "se3" : "ancf";
        if (of[i].what == 3) {
            memset(cable[3].from, 0, sizeof cable[3].from);
            cable[3].closed = true;
            cable[3].path = &round;
            cable[3].segments = 1;
        }
        const haw_contact_spec contact = describe("yarn-*", of[i].second);
        const haw_scene scene = {.dimension = 3,
                                 .load_steps = 1,
                                 .cables = CABLES,
                                 .cable = cable,
                                 .contacts = 1,
                                 .contact = &contact};
        assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
        assert_int_equal(haw_model_build(context, &scene, &model), HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(context), of[i].says));
        haw_context_free(context);
    }
}

TEST_FILE(test_bundle)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_search_finds_what_all_pairs_find),
        cmocka_unit_test(rings_are_found_as_by_all_pairs),
        cmocka_unit_test(ids_stay),
        cmocka_unit_test(a_heap_that_sways_is_searched_as_by_brute_force),
        cmocka_unit_test(guards_of_cables_forget_nothing),
        cmocka_unit_test(sets_that_cannot_touch_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
