/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes on several machines that work on one study, as mpirun starts them. Only the program
 * hawser-mpi is linked with Open MPI; in all others a team has one member and no messages.
 */
#ifndef HAWSER_STUDY_TEAM_H
#define HAWSER_STUDY_TEAM_H

#include <stdbool.h>

typedef struct haw_team {
    int rank, size;
    int near; /* members on this machine */
} haw_team;

typedef struct haw_team_message {
    int rank;       /* who sent it */
    double word[3]; /* what the members agreed on */
} haw_team_message;

/** Whether mpirun has started this process, and whether this program can answer it. */
bool haw_team_is_called(void);
bool haw_team_is_able(void);

/** Join and leave; no other process is heard of between programs that are not able. */
void haw_team_join(haw_team *team);
void haw_team_leave(const haw_team *team);

/** A message, if one has come. Never waits. */
bool haw_team_receive(const haw_team *team, haw_team_message *message);
void haw_team_send(const haw_team *team, int rank, double a, double b, double c);

#endif
