/* SPDX-License-Identifier: BSD-3-Clause */
/* The two halves of the snapshots: their tables and their script. */
#ifndef HAWSER_REPORT_SNAPSHOTS_H
#define HAWSER_REPORT_SNAPSHOTS_H

#include "report/figure.h"

/* Everything that is drawn, and how the panels are laid out. */
typedef struct haw_snapshots {
    double min[2], max[2];         /* of the scene [m] */
    double tension[2];             /* smallest and largest */
    double mean[HAW_INSTANTS_MAX]; /* tension */
    int cables, planes;
    int rows, columns;
    double panel[2];  /* width and height of a panel [px] */
    double canvas[2]; /* [px] */
} haw_snapshots;

/** Write snapshots.csv, supports.csv, outlines.csv, surfaces.csv and find out how large all is. */
HAW_NODISCARD haw_status haw_snapshots_tables(haw_figure *figure, haw_snapshots *scene);

#endif
