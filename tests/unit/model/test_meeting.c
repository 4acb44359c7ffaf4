/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints between lines that touch each other: found in a time that is that of joints and pairs
 * together, and not of their product. */
#include "model/build.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEW = 10, FACTOR = 5, MANY = FACTOR * FEW };

/* n lines across n others, tied where they cross; each crossing is a pair of its own. */
static char *write_net(int n)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    (void)fputs("hawser: 1\ndimension: 3\ncables:\n", file);
    for (int i = 0; i < 2 * n; i++) {
        const int line = i / 2;
        const double at = 0.1 * line + 0.05, end = 0.1 * n;
        const double from[2] = {0, at}, to[2] = {end, at};
        (void)fprintf(file,
                      "  - {name: %c%d, element: chain, elements: %d, from: [%.17g, %.17g, 0], to: "
                      "[%.17g, %.17g, 0], stiffness: 1000, density: 0.01, radius: 0.04,\n     "
                      "ends: {start: free, end: free}}\n",
                      "xy"[i % 2], i / 2, n, from[i % 2], from[1 - i % 2], to[i % 2],
                      to[1 - i % 2]);
    }
    for (int k = 0; k < 2; k++) {
        (void)fputs(k == 0 ? "joints:\n" : "contact:\n", file);
        for (int i = 0; i < n * n; i++) {
            const int x = i / n, y = i % n;
            (void)fprintf(file,
                          k == 0 ? "  - {name: k%d-%d, type: pinned, between: [{cable: x%d, at: "
                                   "%.17g}, {cable: y%d, at: %.17g}]}\n"
                                 : "  - {between: [x%d, y%d], points_per_element: 3}\n",
                          x, y, x, (y + 0.5) / n, y, (x + 0.5) / n);
        }
    }
    assert_int_equal(fclose(file), 0);
    return text;
}

typedef struct net {
    haw_context *context;
    haw_scenario *scenario;
    haw_model *model;
} net;

/* @param set  a setting, or NULL */
static void open_net(net *of, int n, const char *set)
{
    char *text = write_net(n);
    assert_int_equal(haw_context_create(NULL, &of->context), HAW_OK);
    if (haw_scenario_parse(of->context, "net", text, set != NULL ? 1 : 0, &set, &of->scenario) !=
            HAW_OK ||
        haw_model_build(of->context, &of->scenario->scene, &of->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(of->context));
    }
    free(text);
}

static void close_net(net *of)
{
    haw_model_free(of->model);
    haw_scenario_free(of->context, of->scenario);
    haw_context_free(of->context);
}

/* CPU time [s] of all joints of the net, so often. */
static double measure(net *of, int times)
{
    const clock_t start = clock();
    for (int i = 0; i < times; i++) {
        assert_int_equal(haw_build_meetings(of->model), HAW_OK);
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* FACTOR^2 times the joints and the pairs. */
static void joints_are_found_in_linear_time(void **state)
{
    net few, many;
    double ratio = HUGE_VAL;
    (void)state;
    open_net(&few, FEW, NULL);
    open_net(&many, MANY, NULL);
    for (int i = 0; i < 5; i++) {
        ratio = fmin(ratio, measure(&many, 1) / measure(&few, FACTOR * FACTOR));
    }
    if (ratio > FACTOR) {
        fail_msg("%d times the joints and the pairs take %.3g times as long", FACTOR * FACTOR,
                 FACTOR * FACTOR * ratio);
    }
    close_net(&few);
    close_net(&many);
}

/* Each pair of the net has its own crossing, on both of its lines; the others have none. */
static void each_pair_has_its_own_joints(void **state)
{
    net of;
    (void)state;
    open_net(&of, FEW, NULL);
    assert_int_equal(of.model->pairs, FEW * FEW);
    for (int i = 0; i < FEW * FEW; i++) {
        const haw_pair *pair = &of.model->pair[i];
        const int x = i / FEW, y = i % FEW;
        const double label[2] = {y + 0.5, x + 0.5};
        const bool is_x = strncmp(of.model->cable[pair->cable].name, "x", 1) == 0;
        for (int back = 0; back < 2; back++) {
            const haw_meetings *at = &pair->meetings[back];
            const int own = (int)label[is_x == (back == 0) ? 0 : 1];
            assert_non_null(at->first);
            assert_int_equal(at->first[own + 1] - at->first[own], 1);
            assert_near(at->list[at->first[own]].own, own + 0.5, 1e-12, 0);
            assert_near(at->list[at->first[own]].other, label[is_x == (back == 0) ? 1 : 0], 1e-12,
                        0);
        }
    }
    close_net(&of);
}

/* Loose lines of such a net have no joints beside them. */
static void pairs_without_joints_have_none(void **state)
{
    net of;
    (void)state;
    open_net(&of, 2, "joints.k0-0.between=[{cable: x0, at: 0.25}, {ground: [0.05, 0.05, 0]}]");
    assert_null(of.model->pair[0].meetings[0].first);
    assert_null(of.model->pair[0].meetings[1].first);
    assert_non_null(of.model->pair[1].meetings[0].first);
    close_net(&of);
}

TEST_FILE(test_meeting)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_found_in_linear_time),
        cmocka_unit_test(each_pair_has_its_own_joints),
        cmocka_unit_test(pairs_without_joints_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
