/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of building a rope from its list of sheaves. */
#ifndef HAWSER_MODEL_REEVING_BUILD_H
#define HAWSER_MODEL_REEVING_BUILD_H

#include "cable/reeving.h"
#include "model/build.h"

/** Keys of a rope that mean nothing for it, and material, are refused with their place. */
HAW_NODISCARD haw_status haw_reeving_check(haw_model *model, const haw_cable_spec *spec);

/**
 * Unstrained length, labels of the tangent points, overflow, elements of each sheave; the angles as
 * drawn are known.
 * @param span  [arcs + 1] lengths of the straight lines [m]
 */
HAW_NODISCARD haw_status haw_reeving_measure(haw_model *model, const haw_cable_spec *spec,
                                             const double *span, const haw_cable *cable);

#endif
