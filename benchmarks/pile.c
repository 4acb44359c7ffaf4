/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Milliseconds per step of piles of cables: layers of parallel cables across each other on a floor,
 * friction 1, elements of 50 mm, hard contact in implicit steps of 5 ms to 1e-8. An element has
 * five contact points where cables cross, and two on the floor: an element that lies flat follows
 * no more, further ones would share one force in many ways, which costs Newton's method steps. They
 * touch at first, and the weight finds its way down. The largest has 100 cables of 40 elements, 24
 * 600 equations. `pile SIZE` measures one size alone, `pile SIZE STEPS` so many steps, `pile SIZE
 * scenario` prints it as a scenario.
 */
#include "measure.h"

#include <stdint.h>
#include <stdlib.h>

static const double element = 0.05, radius = 0.012;

typedef struct pile {
    const char *name;
    int layers, each, elements, steps;
} pile;

static const pile piles[] = {
    {"small", 3, 2, 4, 40}, {"middle", 5, 4, 16, 10}, {"large", 10, 10, 40, 2}};

enum { PILES = sizeof piles / sizeof *piles };

/* xorshift64*, up to 3 mm to either side. */
static double shift(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return 0.006 * (double)((*state * 0x2545f4914f6cdd1dULL) >> 11) / 9007199254740992.0 - 0.003;
}

/* Cables of a layer are parallel but for the shifts, those of the next one lie across. */
static void write_cable(FILE *text, const pile *p, int layer, int i, uint64_t *random)
{
    const double length = p->elements * element, height = radius * (1 + 2 * layer);
    const double middle = 0.9 * length * ((i + 0.5) / p->each - 0.5);
    double end[2][2]; /* along and across */
    for (int k = 0; k < 2; ++k) {
        end[k][0] = (k - 0.5) * length + shift(random);
        end[k][1] = middle + shift(random);
    }
    const int along = layer % 2;
    (void)fprintf(text,
                  "  - {name: cable-%d-%d, element: corotational, elements: %d, from: [%.4f, %.4f, "
                  "%.4f], to: [%.4f, %.4f, %.4f],\n     stiffness: 5.0e+5, bending_stiffness: 100, "
                  "torsional_stiffness: 80, density: 0.45, radius: %g,\n     damping: {curvature: "
                  "20}, ends: {start: free, end: free}}\n",
                  layer + 1, i + 1, p->elements, end[0][along], end[0][1 - along], height,
                  end[1][along], end[1][1 - along], height, radius);
}

static void write_scenario(FILE *text, const pile *p)
{
    uint64_t random = 20240607;
    (void)fprintf(text,
                  "hawser: 1\ntitle: Pile of %d cables\ndimension: 3\n"
                  "gravity: [0, 0, -9.81]\nbodies:\n"
                  "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\ncables:\n",
                  p->layers * p->each);
    for (int i = 0; i < p->layers * p->each; ++i) {
        write_cable(text, p, i / p->each, i % p->each, &random);
    }
    (void)fprintf(text, "contact:\n");
    for (int i = 0; i < 2; ++i) {
        (void)fprintf(text,
                      "  - {between: [\"cable-*\", %s], points_per_element: %d, friction: 1, arm: "
                      "distance}\n",
                      i == 0 ? "\"cable-*\"" : "floor", i == 0 ? 5 : 2);
    }
    (void)fprintf(text,
                  "stepper: {type: moreau-jean, step: 5.0e-3, end: %g, newton_tolerance: 1.0e-6}\n"
                  "output: {every: 0.1}\n",
                  5e-3 * p->steps);
}

static void write_row(FILE *csv, const pile *p, const haw_summary *s, double yardstick)
{
    const haw_certificate *c = &s->certificate;
    const double cpu = s->cpu_seconds / (double)s->steps;
    const double each = s->cpu_seconds / (double)c->factorizations;
    (void)printf("%-7s %3d cables of %2d elements, %5d contacts, %3ld steps: %10.2f ms per step, "
                 "ratio %11.1f, %6.1f factorizations per step, %8.3f ms each, residual %.1e\n",
                 p->name, p->layers * p->each, p->elements, c->contacts_max, s->steps, 1e3 * cpu,
                 cpu / yardstick, (double)c->factorizations / (double)s->steps, 1e3 * each,
                 c->residual_max);
    (void)fprintf(csv, "%s,%d,%d,%d,%ld,%.4f,%.1f,%.3f,%.5f,%.3g\n", p->name, p->layers * p->each,
                  p->elements, c->contacts_max, s->steps, 1e3 * cpu, cpu / yardstick,
                  (double)c->factorizations / (double)s->steps, 1e3 * each, c->residual_max);
}

static haw_status measure_pile(haw_context *context, const pile *p, FILE *csv, double yardstick)
{
    char *text = NULL;
    size_t size = 0;
    haw_scenario *scenario = NULL;
    haw_summary summary;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) {
        return HAW_ERR_NOMEM;
    }
    write_scenario(stream, p);
    haw_status status = fclose(stream) == 0 ? HAW_OK : HAW_ERR_NOMEM;
    if (status == HAW_OK) {
        status = haw_scenario_parse(context, "pile", text, 0, NULL, &scenario);
    }
    if (status == HAW_OK) {
        status = measure_run(context, scenario, &summary);
    }
    if (status == HAW_OK) {
        write_row(csv, p, &summary, yardstick);
    }
    haw_scenario_free(context, scenario);
    free(text);
    return status;
}

static haw_status measure_all(haw_context *context, const char *name, int steps, FILE *csv,
                              double yardstick)
{
    haw_status status = HAW_OK;
    (void)fputs("size,cables,elements,contacts_max,steps,ms_per_step,ratio,factorizations_per_step,"
                "ms_per_factorization,residual_max\n",
                csv);
    for (int i = 0; i < PILES && status == HAW_OK; ++i) {
        pile p = piles[i];
        p.steps = steps > 0 ? steps : p.steps;
        if (name == NULL || strcmp(name, p.name) == 0) {
            status = measure_pile(context, &p, csv, yardstick);
        }
    }
    return status;
}

static int print_scenario(const char *name)
{
    for (int i = 0; i < PILES; ++i) {
        if (strcmp(name, piles[i].name) == 0) {
            write_scenario(stdout, &piles[i]);
            return EXIT_SUCCESS;
        }
    }
    (void)fprintf(stderr, "pile: no size '%s'\n", name);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL, *what = argc > 2 ? argv[2] : "0";
    if (strcmp(what, "scenario") == 0) {
        return print_scenario(name);
    }
    const double yardstick = calibrate();
    FILE *csv = open_csv("pile.csv", yardstick);
    haw_context *context = NULL;
    haw_status status = csv != NULL ? haw_context_create(NULL, &context) : HAW_ERR_IO;
    if (status == HAW_OK) {
        status = measure_all(context, name, (int)strtol(what, NULL, 10), csv, yardstick);
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "pile: %s\n", context != NULL ? haw_context_message(context) : "csv");
    }
    haw_context_free(context);
    return (csv == NULL || fclose(csv) == 0) && status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
