/* SPDX-License-Identifier: BSD-3-Clause */
/* A new surface is one file and one row here. */
#include "shape/shape.h"

const haw_row *const haw_shapes[] = {&haw_shape_circle.row, &haw_shape_plane.row, NULL};
