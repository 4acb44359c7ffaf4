/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact fields of /VTKHDF: forces of the grid spread over the samples of the cables. */
#include "base/lie.h"
#include "io/writer.h"
#include "observe/belt.h"

#include <math.h>

/*
 * Forces of grid points are spread over the two samples around each, by the lever rule, and divided
 * by the unstrained length that belongs to a sample: a line load [N/m] with the right sum whatever
 * the two grids are.
 */
typedef struct haw_lever {
    int sample; /* in the points of a frame; the second is the next one */
    int near;   /* the one nearest to the point */
    double share[2];
    double length[2]; /* unstrained, that belongs to the sample [m] */
} haw_lever;

/* The sample at or before a label, of `count` ascending ones. */
static int sample_before(const double *label, int count, double at)
{
    int low = 0, high = count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (label[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Where the samples move along the cable. */
static haw_lever moving_lever(const haw_writer *writer, const haw_pair *pair, int point)
{
    const int first = writer->vtkhdf.first_point[pair->cable];
    const int count = writer->vtkhdf.first_point[pair->cable + 1] - first;
    const double *label = writer->vtkhdf.label + first;
    const double at = point * pair->spacing;
    const int left = sample_before(label, count, at);
    const double width = label[left + 1] - label[left];
    const double part = width > 0.0 ? fmin(fmax((at - label[left]) / width, 0.0), 1.0) : 0.0;
    haw_lever lever = {.sample = first + left,
                       .near = first + left + (part > 0.5 ? 1 : 0),
                       .share = {1.0 - part, part}};
    for (int k = 0; k < 2; k++) {
        const int low = left + k > 0 ? left + k - 1 : 0;
        const int high = left + k + 1 < count ? left + k + 1 : count - 1;
        lever.length[k] = 0.5 * (label[high] - label[low]);
    }
    return lever;
}

static haw_lever lever_at(const haw_writer *writer, const haw_pair *pair, int point)
{
    const haw_model *model = writer->model;
    const haw_line *line = &model->cable[pair->cable].line;
    if (model->cable[pair->cable].ops->label != NULL) {
        return moving_lever(writer, pair, point);
    }
    const int samples = haw_cable_samples(model, pair->cable);
    const int last = samples * line->elements;
    const int first = writer->vtkhdf.first_point[pair->cable];
    int element = 0;
    double s = 0.0;
    haw_belt_middle(model, pair, point, &element, &s);
    const double place = samples * (element + s); /* in samples from the start of the cable */
    const int left = place < last ? (int)place : last - 1;
    haw_lever lever = {.sample = first + left,
                       .near = first + (int)(place + 0.25),
                       .share = {left + 1 - place, place - left}};
    for (int k = 0; k < 2; k++) {
        const bool is_end = left + k == 0 || left + k == last;
        lever.length[k] = line->le / samples * (is_end ? 0.5 : 1.0);
    }
    return lever;
}

/* Normal and tangents of the touch of a grid id; false if there is none. */
static bool find_axes(const haw_frame *frame, int id, int *next, double axis[3][3])
{
    while (*next < frame->touches && frame->touch[*next].id < id) {
        ++*next;
    }
    if (*next == frame->touches || frame->touch[*next].id != id) {
        return false;
    }
    memcpy(axis[0], frame->touch[*next].normal, sizeof axis[0]);
    memcpy(axis[1], frame->touch[*next].tangent, sizeof axis[1]);
    vec3_cross(axis[0], axis[1], axis[2]);
    return true;
}

/*
 * State, gap and loads of a point at the samples next to it. In the plane the tangential load has a
 * sign; in space it is the size of a vector, which is shown beside it.
 *
 * @param next  touches of the last step are listed in the order of their ids
 */
static void spread_point(const haw_writer *writer, const haw_frame *frame, const haw_pair *pair,
                         int point, int *next, double *const *data)
{
    const int d = writer->model->dimension, id = pair->first_point + point;
    const double *force = &frame->point_force[(ptrdiff_t)d * id];
    double *vectors = data[HAW_POINT_FORCE];
    const double load[2] = {force[0], vectors != NULL ? hypot(force[1], force[2]) : force[1]};
    const bool is_closed = frame->point_state != NULL && frame->point_gap != NULL &&
                           frame->point_state[id] != HAW_POINT_OPEN;
    double axis[3][3], vector[3] = {0};
    if (!is_closed && load[0] == 0.0 && load[1] == 0.0) {
        return;
    }
    const haw_lever lever = lever_at(writer, pair, point);
    if (is_closed) {
        data[HAW_POINT_CONTACT][lever.near] = frame->point_state[id];
        data[HAW_POINT_GAP][lever.near] = frame->point_gap[id];
    }
    const bool has_axes = vectors != NULL && find_axes(frame, id, next, axis);
    for (int k = 0; k < d && has_axes; k++) {
        vec3_add(force[k], axis[k], vector);
    }
    for (int k = 0; k < 2; k++) {
        const int sample = lever.sample + k;
        data[HAW_POINT_NORMAL][sample] += lever.share[k] * load[0] / lever.length[k];
        data[HAW_POINT_TANGENTIAL][sample] += lever.share[k] * load[1] / lever.length[k];
        if (vectors != NULL) {
            vec3_add(lever.share[k] / lever.length[k], vector, vectors + (ptrdiff_t)3 * sample);
        }
    }
}

void haw_vtkhdf_contacts(const haw_writer *writer, const haw_frame *frame, double *const *data)
{
    const haw_model *model = writer->model;
    double *load[2] = {data[HAW_POINT_NORMAL], data[HAW_POINT_TANGENTIAL]};
    int next = 0;
    for (int i = 0; i < writer->vtkhdf.points; i++) {
        data[HAW_POINT_CONTACT][i] = HAW_POINT_OPEN;
        data[HAW_POINT_GAP][i] = (double)NAN;
    }
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        for (int j = 0; j < pair->points && pair->cable >= 0; j++) {
            spread_point(writer, frame, pair, j, &next, data);
        }
    }
    /* The two ends of a closed cable are one sample, with half the length at either. */
    for (int i = 0; i < model->cables; i++) {
        const int first = writer->vtkhdf.first_point[i];
        const int last = writer->vtkhdf.first_point[i + 1] - 1;
        for (int k = 0; k < 2 && model->cable[i].line.closed; k++) {
            load[k][first] = load[k][last] = 0.5 * (load[k][first] + load[k][last]);
        }
    }
}
