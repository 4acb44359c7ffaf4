/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of files have a point whatever the language of the program around this library. */
#ifndef HAWSER_SCENARIO_LOCALE_H
#define HAWSER_SCENARIO_LOCALE_H

#include <locale.h>

typedef struct haw_locale {
    locale_t made, before;
} haw_locale;

/** The calling thread formats and reads numbers as in C until haw_locale_end. */
haw_locale haw_locale_begin(void);
void haw_locale_end(haw_locale saved);

#endif
