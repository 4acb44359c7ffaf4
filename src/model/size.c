/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes by counts. They are of what is asked for, at the peak of a start and the first steps, and
 * as much as any kind of cable and stepper was found to ask for, a third more than the least
 * (tests/regress/test_memory.c); nsga, which solves for positions and velocities, sets what closed
 * points take.
 */
#include "model/size.h"

#include "model/dynamics.h"

/* Bytes of each, over those of a program that does nothing [BASE]. */
static const double BASE = 14e6, COORDINATE = 700, EQUATION = 1330, POINT = 400, PASSED = 100,
                    TOUCHING = 1300, SPARSE = 2250, CLOSED = 2000, PRESSED = 5450, FILLED = 5200,
                    ENTRY = 9;    /* with its column */
static const double REST = 900;   /* of a coordinate, in an equilibrium before explicit steps */
static const double TURNING = 16; /* of a coordinate, in explicit steps of what turns in space */

static double grid_bytes(const haw_size *size)
{
    const double pressed = PRESSED + (size->coupled > 0 ? FILLED : 0);
    const double closed = size->is_implicit ? pressed : CLOSED;
    const double point = POINT + (size->is_implicit ? PASSED : 0);
    return point * size->points + closed * size->closed + ENTRY * size->entries;
}

double haw_size_bytes(const haw_size *size)
{
    const double turning = size->turns ? TURNING : 0;
    const double equation = size->is_implicit ? EQUATION : turning + (size->rests ? REST : 0);
    const double sparse = size->is_implicit || size->rests ? SPARSE : 0;
    const double touching = size->is_implicit || size->rests ? TOUCHING : 0;
    return BASE + (COORDINATE + equation) * size->coordinates + grid_bytes(size) +
           touching * size->touching + sparse * size->coupled;
}

haw_size haw_size_of(const haw_model *model, bool is_implicit)
{
    haw_size size = {.coordinates = model->coordinates,
                     .points = model->points,
                     .rests = model->start == HAW_START_STATIC,
                     .turns = haw_model_turns(model),
                     .is_implicit = is_implicit};
    for (int i = 0; i < model->pairs; i++) {
        const int cable = model->pair[i].cable;
        size.touching += cable >= 0 ? model->cable[cable].line.elements : 0;
        size.coupled = cable >= 0 && model->pair[i].line >= 0 ? size.coordinates : size.coupled;
    }
    return size;
}

/* Whether points ask for more than elements. */
static bool is_grid(const haw_size *size)
{
    return grid_bytes(size) > 0.5 * (haw_size_bytes(size) - BASE);
}

haw_status haw_size_check(haw_context *context, const haw_size *size)
{
    const double need = haw_size_bytes(size);
    double most;
    return haw_context_fits(context, need, &most)
               ? HAW_OK
               : haw_fail(context, HAW_ERR_INPUT,
                          "%.0f coordinates and %.0f contact points need about %.2g GB of memory, "
                          "and there are %.2g GB: %s",
                          size->coordinates, size->points, 1e-9 * need, 1e-9 * most,
                          is_grid(size) ? "fewer points per element, or a wider spacing"
                                        : "fewer elements");
}

static haw_status place_at_cable(const haw_model *model, haw_status status)
{
    const haw_cable *most = model->cable;
    for (int i = 1; i < model->cables; i++) {
        most = model->cable[i].coordinates > most->coordinates ? &model->cable[i] : most;
    }
    return model->cables == 0 ? status
                              : haw_place(model->context, status, "cables.%s.elements", most->name);
}

static haw_status place_at_pair(const haw_model *model, haw_status status)
{
    const haw_pair *most = model->pair;
    for (int i = 1; i < model->pairs; i++) {
        most = model->pair[i].points > most->points ? &model->pair[i] : most;
    }
    return haw_place(model->context, status, "contact.%s-%s.points_per_element", most->between[0],
                     most->between[1]);
}

haw_status haw_size_place(const haw_model *model, const haw_size *size, haw_status status)
{
    return is_grid(size) && model->pairs > 0 ? place_at_pair(model, status)
                                             : place_at_cable(model, status);
}

haw_status haw_model_fits(const haw_model *model, const haw_size *size)
{
    return haw_size_place(model, size, haw_size_check(model->context, size));
}
