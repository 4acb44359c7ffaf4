/* SPDX-License-Identifier: BSD-3-Clause */
/* How far to go along the direction of a Newton step. */
#ifndef HAWSER_STATICS_SEARCH_H
#define HAWSER_STATICS_SEARCH_H

#include "base/status.h"

/**
 * Go to a part of the direction and evaluate.
 *
 * @param work  of what is out of balance there, along the direction; NAN: nothing can be said
 */
typedef haw_status haw_search_ops(void *user, double part, double *work);

/**
 * Go the longest part, or back to one whose work is from -0.8 to `most` times `start` where forces
 * beyond it drive back by more: regula falsi between a part before and one beyond (H. Matthies, G.
 * Strang, Int. J. Numer. Methods Eng. 14 (1979) 1613-1626). What gives way at once and pushes back
 * hard, as a stiff contact does, is met in its kink.
 *
 * @param start  work at the part 0, > 0
 * @param most   0.8 looks for the place where forces change sides; INFINITY takes the first part
 * from which none drives back, where further steps are as cheap and find the rest
 */
HAW_NODISCARD haw_status haw_search(haw_search_ops *go, void *user, double longest, double start,
                                    double most);

#endif
