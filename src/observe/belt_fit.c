/* SPDX-License-Identifier: BSD-3-Clause */
/* Spans, slip zones and effective friction from arrays. */
#include "observe/belt.h"

#include <math.h>

enum { DROPPED = 2, FITTED_MIN = 5 };

static const double slipping = 0.999; /* of the friction limit */

int haw_belt_slip_count(int count, const haw_belt_chord *chord, double mu)
{
    int slip = 0;
    while (slip < count) {
        const haw_belt_chord *c = &chord[count - 1 - slip];
        if (fabs(c->tangential) < slipping * mu * c->normal) {
            break;
        }
        slip++;
    }
    return slip;
}

void haw_belt_reverse(int count, haw_belt_chord *chord)
{
    for (int i = 0; i < count / 2; i++) {
        const haw_belt_chord kept = chord[i];
        chord[i] = chord[count - 1 - i];
        chord[count - 1 - i] = kept;
    }
}

double haw_belt_angle(int count, const haw_belt_chord *chord)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += chord[i].angle;
    }
    return sum;
}

/* Angle from the middle of the chord before to that of chord i. */
static double advance(const haw_belt_chord *chord, int i)
{
    return i > 0 ? 0.5 * (chord[i - 1].angle + chord[i].angle) : 0;
}

/* Slope of ln N over phi. The sums are about the means: of N/N_0 = exp(0.5 phi) no digit is lost.
 */
static double log_slope(int count, const haw_belt_chord *chord)
{
    double phi = 0, mean[2] = {0, 0}, square = 0, product = 0;
    for (int i = 0; i < count; i++) {
        phi += advance(chord, i);
        mean[0] += phi / count;
        mean[1] += log(chord[i].tension) / count;
    }
    phi = 0;
    for (int i = 0; i < count; i++) {
        phi += advance(chord, i);
        square += (phi - mean[0]) * (phi - mean[0]);
        product += (phi - mean[0]) * (log(chord[i].tension) - mean[1]);
    }
    return product / square;
}

/* Against N_mid exp(rate (phi - phi_mid)). */
static double largest_deviation(int count, const haw_belt_chord *chord, double rate)
{
    const int middle = count / 2;
    double phi = -haw_belt_angle(middle, chord) + 0.5 * (chord[0].angle - chord[middle].angle);
    double largest = 0;
    for (int i = 0; i < count; i++) {
        phi += advance(chord, i);
        const double law = chord[middle].tension * exp(rate * phi);
        largest = fmax(largest, fabs(chord[i].tension / law - 1));
    }
    return largest;
}

haw_belt_fit haw_belt_fit_friction(int count, const haw_belt_chord *chord, double mu)
{
    const haw_belt_fit none = {(double)NAN, (double)NAN};
    const haw_belt_chord *used = chord + DROPPED;
    const int n = count - 2 * DROPPED;
    if (n < FITTED_MIN) {
        return none;
    }
    for (int i = 0; i < n; i++) {
        if (!(used[i].tension > 0) || !(used[i].angle > 0)) {
            return none;
        }
    }
    const double slope = log_slope(n, used);
    return (haw_belt_fit){fabs(slope), largest_deviation(n, used, copysign(mu, slope))};
}

static void sort_zones(int zones, haw_belt_span *zone)
{
    for (int i = 1; i < zones; i++) {
        const haw_belt_span moved = zone[i];
        int place = i;
        for (; place > 0 && zone[place - 1].begin > moved.begin; place--) {
            zone[place] = zone[place - 1];
        }
        zone[place] = moved;
    }
}

static int add_span(double begin, double end, int spans, haw_belt_span *span)
{
    if (!(end > begin)) {
        return spans;
    }
    span[spans] = (haw_belt_span){begin, end};
    return spans + 1;
}

int haw_belt_spans(double length, bool closed, int zones, haw_belt_span *zone, haw_belt_span *span)
{
    if (zones == 0) {
        return closed ? 0 : add_span(0, length, 0, span);
    }
    sort_zones(zones, zone);
    int spans = closed ? 0 : add_span(0, zone[0].begin, 0, span);
    double reach = zone[0].end; /* zones may overlap: a belt between two bodies */
    for (int i = 1; i < zones; i++) {
        spans = add_span(reach, zone[i].begin, spans, span);
        reach = fmax(reach, zone[i].end);
    }
    return add_span(reach, closed ? zone[0].begin + length : length, spans, span);
}

haw_belt_span haw_belt_trim(haw_belt_span span)
{
    const double cut = (span.end - span.begin) / 6;
    return (haw_belt_span){span.begin + cut, span.end - cut};
}

double haw_belt_mean(const haw_belt_samples *samples, haw_belt_span window)
{
    const long first = (long)ceil((window.begin - samples->first) / samples->step - 1e-9);
    const long last = (long)floor((window.end - samples->first) / samples->step + 1e-9);
    double sum = 0;
    int used = 0;
    for (long k = first; k <= last; k++) {
        const long i = samples->cyclic ? k % samples->count : k;
        if (i >= 0 && i < samples->count) {
            sum += samples->value[i];
            used++;
        }
    }
    return used > 0 ? sum / used : (double)NAN;
}

double haw_belt_interpolate(const haw_belt_samples *samples, double place)
{
    double at = (place - samples->first) / samples->step;
    if (!samples->cyclic) { /* the end values hold outside */
        at = fmin(fmax(at, 0), (double)(samples->count - 1));
    }
    const double left = floor(at);
    long i = (long)left, j;
    if (samples->cyclic) {
        i = ((i % samples->count) + samples->count) % samples->count;
        j = (i + 1) % samples->count;
    } else {
        j = i + 1 < samples->count ? i + 1 : i;
    }
    return samples->value[i] + (at - left) * (samples->value[j] - samples->value[i]);
}
