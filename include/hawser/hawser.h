/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything. */
#ifndef HAWSER_HAWSER_H
#define HAWSER_HAWSER_H

#include <hawser/base.h>
#include <hawser/io.h>
#include <hawser/model.h>
#include <hawser/problem.h>
#include <hawser/scenario.h>
#include <hawser/solver.h>
#include <hawser/sparse.h>
#include <hawser/stepper.h>
#include <hawser/theory.h>

#endif
