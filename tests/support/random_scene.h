/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random scenes over the grammar, run by the program, and a judge of how that went. The judge knows
 * nothing of the contact code nor of the ledger: it takes places from the results, closed forms of
 * surfaces, and sums of the printed energies.
 */
#ifndef HAWSER_TESTS_RANDOM_SCENE_H
#define HAWSER_TESTS_RANDOM_SCENE_H

#include <hawser/base.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    SCENE_TEXT = 12288,
    SCENE_STEPS = 10,
    SCENE_SETTINGS = 24,
    SCENE_SETTING = 120,
    SCENE_MEETINGS = 12,
    SCENE_NAME = 16
};

/* A ball or a cable that meets a surface of closed form, with a law whose depth is limited. */
typedef struct meeting {
    char mover[SCENE_NAME], body[SCENE_NAME];
    bool is_cable;    /* else a ball */
    double thickness; /* radius of the ball, of the section [m] */
    double radius;    /* of the surface, INFINITY: plane [m] */
    int axes;         /* of the coordinates that count: 2 or 3; of a plane the height only */
    double at[3];     /* where the surface stands [m] */
} meeting;

typedef struct random_scene {
    uint64_t seed;
    int dimension;
    const haw_row *stepper;
    bool has_joints;
    bool is_wild; /* drawn without thinking of what refuses what */
    int length;   /* of the text so far */
    char text[SCENE_TEXT];
    int settings; /* --set path=value */
    char setting[SCENE_SETTINGS][SCENE_SETTING];
    double step; /* [s] */
    double size; /* EA L and the like, of which rounding makes energies [J] */
    int meetings;
    meeting meeting[SCENE_MEETINGS];
} random_scene;

/** Scene of a seed, not 0. */
void random_scene_write(uint64_t seed, random_scene *scene);

/** Scene of a beginner (first_scene.c). */
void first_scene_write(uint64_t seed, random_scene *scene);

typedef enum scene_end { SCENE_DONE, SCENE_ENDED, SCENE_REFUSED, SCENE_WRONG } scene_end;

typedef struct scene_verdict {
    scene_end end;
    char why[512];  /* what is wrong; else the message of the program */
    double seconds; /* of the processor */
} scene_verdict;

/** Run a scene by the program of HAWSER, in files of a folder. */
void random_scene_run(const random_scene *scene, const char *folder, scene_verdict *verdict);

/** Run so many scenes; fails with the scenes that went wrong. */
void random_scenes(uint64_t seed, int count);

/**
 * Run so many scenes of beginners. All but one in twenty must reach their end; the message of any
 * other must name the place and a key with a value, `stepper.step: 1.2e-05`, with which it does,
 * within a few such answers.
 */
void first_scenes(uint64_t seed, int count);

#endif
