/* SPDX-License-Identifier: BSD-3-Clause */
#include "element/element.h"

#include <string.h>

extern const haw_element_ops haw_element_bezier, haw_element_bezier_polar, haw_element_bezier_c0,
    haw_element_chain, haw_element_ancf;

const haw_element_ops *const haw_elements[] = {&haw_element_bezier,    &haw_element_bezier_polar,
                                               &haw_element_bezier_c0, &haw_element_chain,
                                               &haw_element_ancf,      NULL};

const haw_element_ops *haw_element_find(const char *name)
{
    for (int i = 0; haw_elements[i] != NULL; i++) {
        if (strcmp(haw_elements[i]->name, name) == 0) {
            return haw_elements[i];
        }
    }
    return NULL;
}
