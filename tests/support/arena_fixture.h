/* SPDX-License-Identifier: BSD-3-Clause */
/* A context and an arena for a whole group of tests: its setup and teardown. */
#ifndef HAWSER_TESTS_ARENA_FIXTURE_H
#define HAWSER_TESTS_ARENA_FIXTURE_H

#include "base/arena.h"

extern haw_context *context;
extern haw_arena arena;

int open_arena(void **state);

int close_arena(void **state);

#endif
