/* SPDX-License-Identifier: BSD-3-Clause */
/* A new law is one file and one row here. */
#include "law/law.h"

#include <string.h>

const haw_law_ops *const haw_laws[] = {&haw_law_hard, NULL};

const haw_law_ops *haw_law_find(const char *name)
{
    for (int i = 0; haw_laws[i] != NULL; i++) {
        if (strcmp(haw_laws[i]->name, name) == 0) {
            return haw_laws[i];
        }
    }
    return NULL;
}
