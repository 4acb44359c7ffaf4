/* SPDX-License-Identifier: BSD-3-Clause */
#include "element/element.h"

extern const haw_element_ops haw_element_bezier, haw_element_bezier_polar, haw_element_bezier_c0,
    haw_element_chain, haw_element_ancf;

const haw_row *const haw_elements[] = {&haw_element_bezier.row,    &haw_element_bezier_polar.row,
                                       &haw_element_bezier_c0.row, &haw_element_chain.row,
                                       &haw_element_ancf.row,      NULL};
