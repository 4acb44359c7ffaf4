/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time of one detection of all contacts among many cables, named at once, over the number of their
 * contact points: cables of ten elements of 50 mm with five points each, straight and in all
 * directions, heaped along a line that is as long as there are cables, so that each has as many
 * neighbours whatever their number: half a cable on the average sticks out at the ends of the line,
 * which is shorter by that, or small heaps would be loose. With all pairs of cables the time would
 * go with its square.
 */
#include "contact/contact.h"
#include "measure.h"

#include <stdint.h>
#include <stdlib.h>

enum { ELEMENTS = 10, POINTS = 5, SIZES = 5, LARGEST = 2000 };

static const double element = 0.05, radius = 0.012, width = 0.3,
                    crowd = 30; /* cables to a metre of the heap */

typedef struct heap {
    haw_context *context;
    haw_cable_spec *cable;
    char (*name)[24];
    haw_model *model;
    haw_state *state;
    haw_contacts *contacts;
    haw_status status;
} heap;

/* xorshift64*, between -1 and 1. */
static double number(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return 2.0 * (double)((*state * 0x2545f4914f6cdd1dULL) >> 11) / 9007199254740992.0 - 1.0;
}

static void draw(heap *h, int cables)
{
    const double half = 0.5 * ELEMENTS * element, line = cables / crowd - half;
    uint64_t random = 20240607;
    for (int i = 0; i < cables; ++i) {
        haw_cable_spec *cable = &h->cable[i];
        double way[3], size = 0.0;
        *cable = haw_cable_spec_default();
        (void)snprintf(h->name[i], sizeof h->name[i], "cable-%d", i);
        cable->name = h->name[i];
        cable->element = "ancf";
        cable->elements = ELEMENTS;
        cable->stiffness = 5e5;
        cable->bending_stiffness = 100;
        cable->density = 0.45;
        cable->radius = radius;
        cable->ends[0].kind = cable->ends[1].kind = HAW_END_FREE;
        while (!(size > 0.1 && size < 1.0)) {
            size = 0.0;
            for (int k = 0; k < 3; ++k) {
                way[k] = number(&random);
                size += way[k] * way[k];
            }
        }
        for (int k = 0; k < 3; ++k) {
            const double middle = 0.5 * (k == 0 ? line : width) * number(&random);
            cable->from[k] = middle - half * way[k] / sqrt(size);
            cable->to[k] = middle + half * way[k] / sqrt(size);
        }
    }
}

static void detect(void *user)
{
    heap *h = user;
    const haw_status status = haw_contacts_detect(h->contacts, h->state->q, NULL, 0.0);
    h->status = h->status == HAW_OK ? status : h->status;
}

static haw_status build(heap *h, int cables)
{
    haw_contact_spec contact = haw_contact_spec_default();
    contact.between[0] = contact.between[1] = "cable-*";
    contact.points_per_element = POINTS;
    const haw_scene scene = {.dimension = 3,
                             .load_steps = 1,
                             .cables = cables,
                             .cable = h->cable,
                             .contacts = 1,
                             .contact = &contact};
    draw(h, cables);
    haw_status status = haw_model_build(h->context, &scene, &h->model);
    status = status == HAW_OK ? haw_state_create(h->context, h->model, &h->state) : status;
    status = status == HAW_OK ? haw_contacts_create(h->context, h->model, &h->contacts) : status;
    if (status == HAW_OK) {
        h->contacts->margin = 0.2 * radius;
    }
    return status;
}

static void leave(heap *h)
{
    haw_contacts_free(h->contacts);
    haw_state_free(h->context, h->state);
    haw_model_free(h->model);
    h->contacts = NULL;
    h->state = NULL;
    h->model = NULL;
}

static haw_status measure_all(heap *h, FILE *csv, double yardstick)
{
    static const int cables[SIZES] = {20, 63, 200, 632, LARGEST};
    double first = 0.0, last = 0.0;
    (void)fputs("points,cables,touches,ms,ratio\n", csv);
    for (int i = 0; i < SIZES && h->status == HAW_OK; ++i) {
        const int points = cables[i] * (ELEMENTS * POINTS + 1);
        h->status = build(h, cables[i]);
        if (h->status == HAW_OK) {
            last = measure(detect, h);
            first = i == 0 ? last : first;
            (void)printf("heap %7d points of %4d cables, %6d touches: %8.3f ms, ratio %9.1f\n",
                         points, cables[i], h->contacts->count, 1e3 * last, last / yardstick);
            (void)fprintf(csv, "%d,%d,%d,%.6f,%.1f\n", points, cables[i], h->contacts->count,
                          1e3 * last, last / yardstick);
        }
        leave(h);
    }
    (void)printf("heap: time of detection as n^%.2f\n",
                 log(last / first) / log((double)LARGEST / cables[0]));
    return h->status;
}

int main(void)
{
    const double yardstick = calibrate();
    FILE *csv = open_csv("heap.csv", yardstick);
    heap h = {.status = HAW_ERR_NOMEM};
    h.cable = calloc(LARGEST, sizeof *h.cable);
    h.name = calloc(LARGEST, sizeof *h.name);
    if (csv != NULL && h.cable != NULL && h.name != NULL) {
        h.status = haw_context_create(NULL, &h.context);
    }
    if (h.status == HAW_OK) {
        h.status = measure_all(&h, csv, yardstick);
    }
    if (h.status != HAW_OK) {
        (void)fprintf(stderr, "heap: %s\n",
                      h.context != NULL ? haw_context_message(h.context) : "no memory");
    }
    haw_context_free(h.context);
    free(h.cable);
    free(h.name);
    return csv == NULL || fclose(csv) != 0 || h.status != HAW_OK ? EXIT_FAILURE : EXIT_SUCCESS;
}
