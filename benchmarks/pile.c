/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Piles of cables: ten layers of parallel cables across each other on a floor, friction 1, elements
 * of 50 mm, hard contact to 1e-8 in implicit steps of 10 ms. With n cables to a layer of 4 n
 * elements each cable crosses others in the same places whatever n is: piles of one shape, from 30
 * cables to 100 with 24 600 equations. First the time of one detection over the number of contact
 * points, of piles as they are drawn. Then piles fall and come to rest: time per step while they do
 * and at rest, and how far anything moves from then on. An element has twenty contact points where
 * cables cross, and two on the floor: an element that lies flat follows no more, further ones would
 * share one force in many ways, which costs Newton's method steps. `pile SIZE` runs one size,
 * `pile SIZE SECONDS` for so long, `pile search` measures the detection, `pile SIZE scenario`
 * prints it as a scenario.
 */
#include "contact/contact.h"
#include "measure.h"

#include <stdint.h>
#include <stdlib.h>

static const double element = 0.05, radius = 0.012, step = 0.01;

static const double REST = 1.5; /* [s] nothing moves any more */

enum { LAYERS = 10, FLOOR_POINTS = 2, CROSS_POINTS = 20, SERIES = 5 };

typedef struct pile {
    const char *name;
    int each; /* cables of a layer, a quarter of their elements */
    double end;
} pile;

/* The largest takes a third of a second and more for a step: 10 s of rest by `pile large 11.5`. */
static const pile piles[] = {{"small", 3, 11.5}, {"middle", 4, 11.5}, {"large", 10, 2}};

enum { PILES = sizeof piles / sizeof *piles };

static int count_elements(const pile *p)
{
    return 4 * p->each;
}

static int count_points(const pile *p)
{
    return LAYERS * p->each * (CROSS_POINTS * count_elements(p) + 1);
}

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
    const int elements = count_elements(p);
    const double length = elements * element, height = radius * (1 + 2 * layer);
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
                  "2}, ends: {start: free, end: free}}\n",
                  layer + 1, i + 1, elements, end[0][along], end[0][1 - along], height,
                  end[1][along], end[1][1 - along], height, radius);
}

static void write_scenario(FILE *text, const pile *p)
{
    uint64_t random = 20240607;
    (void)fprintf(text,
                  "hawser: 1\ntitle: Pile of %d cables\ndimension: 3\n"
                  "gravity: [0, 0, -9.81]\nbodies:\n"
                  "  - {name: floor, shape: {type: plane}, motion: {fixed: true}}\ncables:\n",
                  LAYERS * p->each);
    for (int i = 0; i < LAYERS * p->each; ++i) {
        write_cable(text, p, i / p->each, i % p->each, &random);
    }
    (void)fprintf(text, "contact:\n");
    for (int i = 0; i < 2; ++i) {
        (void)fprintf(text,
                      "  - {between: [\"cable-*\", %s], points_per_element: %d, friction: 1, arm: "
                      "distance}\n",
                      i == 0 ? "\"cable-*\"" : "floor", i == 0 ? CROSS_POINTS : FLOOR_POINTS);
    }
    (void)fprintf(text,
                  "stepper: {type: moreau-jean, step: %g, end: %g, theta: 0.7, newton_tolerance: "
                  "1.0e-6}\noutput: {every: 0.1}\n",
                  step, p->end);
}

/* Of the steps while a pile falls, and of those at rest. */
typedef struct phase {
    long steps, factorizations;
    double seconds, residual;
} phase;

typedef struct watch {
    phase of[2];
    double last; /* CPU seconds when the last step ended */
    long factorizations;
    double *from; /* [3 per element] where middles of elements were at the start of the rest */
    bool rests;
    double drift; /* of these since [m] */
} watch;

/* The largest way of a middle; the first time they are kept. */
static void find_drift(watch *w, const haw_frame *frame)
{
    double *from = w->from, square = 0;
    for (int i = 0; i < frame->model->cables; ++i) {
        const haw_cable *cable = &frame->model->cable[i];
        for (int e = 0; e < cable->line.elements; ++e, from += 3) {
            haw_cable_point point;
            double sum = 0;
            cable->ops->point(cable, e, 0.5, frame->state->q, NULL, 0, &point);
            for (int k = 0; k < 3; ++k) {
                from[k] = w->rests ? from[k] : point.x[k];
                sum += (point.x[k] - from[k]) * (point.x[k] - from[k]);
            }
            square = fmax(square, sum);
        }
    }
    w->rests = true;
    w->drift = fmax(w->drift, sqrt(square));
}

/* The frame before the first step: what comes before is no step's. */
static haw_status begin(void *user, const haw_frame *frame)
{
    watch *w = user;
    (void)frame;
    w->last = w->of[0].steps == 0 ? cpu_seconds() : w->last;
    return HAW_OK;
}

static void look(void *user, const haw_frame *frame, int contacts, double residual)
{
    watch *w = user;
    phase *now = &w->of[w->rests ? 1 : 0];
    (void)contacts;
    now->seconds += cpu_seconds() - w->last;
    now->factorizations += frame->certificate->factorizations - w->factorizations;
    now->residual = fmax(now->residual, residual);
    now->steps++;
    if (frame->t > REST - 0.5 * step) {
        find_drift(w, frame);
    }
    w->factorizations = frame->certificate->factorizations;
    w->last = cpu_seconds();
}

static void write_rows(FILE *csv, const pile *p, const watch *w, const haw_summary *s,
                       double yardstick)
{
    static const char *const name[] = {"falling", "at rest"};
    for (int i = 0; i < 2; ++i) {
        const phase *f = &w->of[i];
        const double cpu = f->seconds / (double)f->steps;
        const double each = (double)f->factorizations / (double)f->steps;
        (void)printf("%-7s %3d cables of %2d elements, %6d points, %5d contacts, %s, %4ld steps: "
                     "%8.2f ms per step, ratio %9.0f, %6.2f factorizations, residual %.1e\n",
                     p->name, LAYERS * p->each, count_elements(p), count_points(p),
                     s->certificate.contacts_max, name[i], f->steps, 1e3 * cpu, cpu / yardstick,
                     each, f->residual);
        (void)fprintf(csv, "%s,%d,%d,%d,%d,%s,%ld,%.4f,%.1f,%.3f,%.3g,%.3g\n", p->name,
                      LAYERS * p->each, count_elements(p), count_points(p),
                      s->certificate.contacts_max, name[i], f->steps, 1e3 * cpu, cpu / yardstick,
                      each, f->residual, i == 1 ? w->drift : (double)NAN);
    }
    (void)printf("%-7s from %g s to %g s nothing moves by more than %.1e m\n", p->name, REST,
                 s->t_end, w->drift);
}

static haw_status read_pile(haw_context *context, const pile *p, haw_scenario **scenario)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) {
        return HAW_ERR_NOMEM;
    }
    write_scenario(stream, p);
    haw_status status = fclose(stream) == 0 ? HAW_OK : HAW_ERR_NOMEM;
    if (status == HAW_OK) {
        status = haw_scenario_parse(context, "pile", text, 0, NULL, scenario);
    }
    free(text);
    return status;
}

/* ---- detection ---- */

typedef struct search {
    const haw_state *state;
    haw_contacts *contacts;
    bool is_first; /* nothing is known of what is far away */
    haw_status status;
} search;

static void detect(void *user)
{
    search *s = user;
    if (s->is_first) {
        haw_contacts_forget(s->contacts);
    }
    const haw_status status = haw_contacts_detect(s->contacts, s->state->q, NULL, 0.0);
    s->status = s->status == HAW_OK ? status : s->status;
}

/* Of a pile as it is drawn, each crossing at its gap of nothing. @param seconds  out: of one that
 * knows what is far away, as steps do, and of one that does not */
static haw_status measure_detection(haw_context *context, const pile *p, double seconds[2],
                                    int *touches)
{
    haw_scenario *scenario = NULL;
    haw_model *model = NULL;
    haw_state *state = NULL;
    search s = {.contacts = NULL};
    haw_status status = read_pile(context, p, &scenario);
    status = status == HAW_OK ? haw_model_build(context, &scenario->scene, &model) : status;
    status = status == HAW_OK ? haw_state_create(context, model, &state) : status;
    status = status == HAW_OK ? haw_contacts_create(context, model, &s.contacts) : status;
    if (status == HAW_OK) {
        s.state = state;
        s.contacts->margin = 0.2 * radius;
        seconds[0] = measure(detect, &s);
        s.is_first = true;
        seconds[1] = measure(detect, &s);
        *touches = s.contacts->count;
        status = s.status;
    }
    haw_contacts_free(s.contacts);
    haw_state_free(context, state);
    haw_model_free(model);
    haw_scenario_free(context, scenario);
    return status;
}

static haw_status measure_series(haw_context *context, double yardstick)
{
    static const int each[SERIES] = {1, 2, 4, 8, 11};
    double first[2] = {0.0, 0.0}, last[2] = {0.0, 0.0};
    haw_status status = HAW_OK;
    for (int i = 0; i < SERIES && status == HAW_OK; ++i) {
        const pile p = {"search", each[i], 1.0};
        int touches = 0;
        status = measure_detection(context, &p, last, &touches);
        if (i == 0) {
            memcpy(first, last, sizeof first);
        }
        (void)printf("search  %3d cables of %2d elements, %6d points, %5d touches: %8.3f ms, ratio "
                     "%9.1f; the first time %8.3f ms\n",
                     LAYERS * p.each, count_elements(&p), count_points(&p), touches, 1e3 * last[0],
                     last[0] / yardstick, 1e3 * last[1]);
    }
    const pile ends[] = {{"search", each[0], 1.0}, {"search", each[SERIES - 1], 1.0}};
    const double more = log((double)count_points(&ends[1]) / count_points(&ends[0]));
    (void)printf("search: time of detection as n^%.2f, the first time as n^%.2f\n",
                 log(last[0] / first[0]) / more, log(last[1] / first[1]) / more);
    return status;
}

/* ---- runs ---- */

static haw_status measure_pile(haw_context *context, const pile *p, FILE *csv, double yardstick)
{
    haw_scenario *scenario = NULL;
    haw_summary summary;
    watch w = {
        .from = calloc((size_t)(3 * LAYERS * p->each) * (size_t)count_elements(p), sizeof(double))};
    haw_status status = w.from != NULL ? read_pile(context, p, &scenario) : HAW_ERR_NOMEM;
    if (status == HAW_OK) {
        const haw_observer observer = {.frame = begin, .progress = look, .user = &w};
        status = measure_run(context, scenario, &observer, &summary);
    }
    if (status == HAW_OK) {
        write_rows(csv, p, &w, &summary, yardstick);
    }
    haw_scenario_free(context, scenario);
    free(w.from);
    return status;
}

static haw_status measure_all(haw_context *context, const char *name, double seconds, FILE *csv,
                              double yardstick)
{
    const bool searches = name == NULL || strcmp(name, "search") == 0;
    haw_status status = searches ? measure_series(context, yardstick) : HAW_OK;
    (void)fputs("size,cables,elements,points,contacts_max,phase,steps,ms_per_step,ratio,"
                "factorizations_per_step,residual_max,drift\n",
                csv);
    for (int i = 0; i < PILES && status == HAW_OK; ++i) {
        pile p = piles[i];
        p.end = seconds > 0.0 ? seconds : p.end;
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
        status = measure_all(context, name, strtod(what, NULL), csv, yardstick);
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "pile: %s\n", context != NULL ? haw_context_message(context) : "csv");
    }
    haw_context_free(context);
    return (csv == NULL || fclose(csv) == 0) && status == HAW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
