/* SPDX-License-Identifier: BSD-3-Clause */
/* What the snapshots of a scene and its views under several angles share. */
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

/** A margin around the scene, and no panel thinner than a third of its length. */
void haw_snapshots_pad(haw_snapshots *scene);

/** Rows and columns, panels and canvas for min, max and tension. */
void haw_snapshots_arrange(haw_snapshots *scene, int panels);

/* Parts of the script. */
void haw_snapshots_margins(const haw_snapshots *scene, int i, FILE *stream);
void haw_snapshots_title(const haw_figure *figure, int i, FILE *stream);
void haw_snapshots_palette(const double tension[2], FILE *stream); /* without its box */
void haw_snapshots_box(const haw_snapshots *scene, FILE *stream);

#endif
