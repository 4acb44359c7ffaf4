/* SPDX-License-Identifier: BSD-3-Clause */
/* A new surface is one file and one row here. */
#include "shape/shape.h"

#include <string.h>

const haw_shape_ops *const haw_shapes[] = {&haw_shape_circle, &haw_shape_plane, NULL};

const haw_shape_ops *haw_shape_find(const char *name)
{
    for (int i = 0; haw_shapes[i] != NULL; i++) {
        if (strcmp(haw_shapes[i]->name, name) == 0) {
            return haw_shapes[i];
        }
    }
    return NULL;
}
