/* SPDX-License-Identifier: BSD-3-Clause */
/* What a page of a browser shows of a results file. */
#ifndef HAWSER_IO_JSON_TREE_H
#define HAWSER_IO_JSON_TREE_H

#include "io/json.h"
#include "io/results.h"

/**
 * /hawser as an object: groups with their attributes under "@", arrays as {shape, unit, data}, data
 * in base64 of 32-bit floats.
 * @return ERR_IO, ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_json_put_results(haw_results *results, const char *key,
                                              haw_json *json);

/** Every `stride`-th frame of an array of /VTKHDF with `points` rows a frame, likewise. */
HAW_NODISCARD haw_status haw_json_put_frames(haw_results *results, const char *key,
                                             const char *path, int points, int stride,
                                             haw_json *json);

#endif
