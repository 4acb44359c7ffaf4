/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cases of a parameter study in a folder: one file each, written whole or not at all, named after a
 * hash of all that the case depends on. What is there need not be run again, whoever wrote it and
 * however the study was cut off, lengthened or shared out; a scenario or a setting that has changed
 * has another name. No text of the user becomes part of a path.
 */
#ifndef HAWSER_STUDY_CASES_H
#define HAWSER_STUDY_CASES_H

#include "study/study.h"

enum { HAW_CASE_NAME = 17 }; /* bytes of 16 digits and an end */

typedef struct haw_cases {
    haw_arena *arena;   /* owner of all */
    const char *folder; /* of the study */
    const char *inner;  /* of the cases within */
    const haw_variants *variants;
    char (*name)[HAW_CASE_NAME]; /* [variants->count] of the files, without ending */
    /* what haw_cases_collect found */
    int columns;
    const char **header; /* [columns] */
    const char **cell;   /* [variants->count][columns], "" where a case has none */
} haw_cases;

/**
 * Make the folder and name the cases; arena, folder and variants are given.
 *
 * @param text  of the scenario
 * @param set   settings that all cases share
 * @param mark  what else tells this study's files from others, or ""
 */
HAW_NODISCARD haw_status haw_cases_open(haw_cases *cases, const char *text, int sets,
                                        const char *const *set, const char *mark);

/** Whether the file of a case is there. */
bool haw_case_is_here(const haw_cases *cases, int index);

/**
 * Take a case for this process, until it ends: of all processes that share the folder one at most
 * has it. Where the file system knows no locks, everyone does.
 *
 * @param wait  for another process that has it, else return
 */
bool haw_case_take(const haw_cases *cases, int index, bool wait);

/** Wait until no other process writes tables and figures of the folder, and be the one that does to
 * its end. */
void haw_cases_take_tables(const haw_cases *cases);

HAW_NODISCARD haw_status haw_case_write(const haw_cases *cases, int index,
                                        const haw_study_run *run);

/** Read the files that are there. A case without one has the status "missing". */
HAW_NODISCARD haw_status haw_cases_collect(haw_cases *cases);

/** How many cases have this status. */
int haw_cases_count(const haw_cases *cases, const char *status);

/** The value of a case in the column of a header, "" where it has none. */
const char *haw_cases_value(const haw_cases *cases, int index, const char *header);

/** Write study.csv, a row for each case in the order of the variants, and times.csv, their costs.
 */
HAW_NODISCARD haw_status haw_cases_tables(const haw_cases *cases);

/** Draw the probes over each parameter: study, study-2, ... @param written  as in
 * haw_study_figures */
HAW_NODISCARD haw_status haw_cases_figures(const haw_cases *cases, haw_report_written written,
                                           void *user);

#endif
