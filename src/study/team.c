/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled twice: as a team of one, and with HAWSER_MPI for the program that mpirun starts. */
#include "study/team.h"

#include <stddef.h>
#include <stdlib.h>

bool haw_team_is_called(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") != NULL;
}

#ifdef HAWSER_MPI

#include <mpi.h>

bool haw_team_is_able(void)
{
    return true;
}

void haw_team_join(haw_team *team)
{
    MPI_Comm near;
    (void)MPI_Init(NULL, NULL);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &team->size);
    (void)MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    (void)MPI_Comm_size(near, &team->near);
    (void)MPI_Comm_free(&near);
}

void haw_team_leave(const haw_team *team)
{
    (void)team;
    (void)MPI_Finalize();
}

bool haw_team_receive(const haw_team *team, haw_team_message *message)
{
    MPI_Status status;
    int is_there = 0;
    if (team->size > 1) {
        (void)MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
    }
    if (is_there != 0) {
        message->rank = status.MPI_SOURCE;
        (void)MPI_Recv(message->word, 3, MPI_DOUBLE, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
    }
    return is_there != 0;
}

void haw_team_send(const haw_team *team, int rank, double a, double b, double c)
{
    const double word[3] = {a, b, c};
    (void)team;
    (void)MPI_Send(word, 3, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
}

#else

bool haw_team_is_able(void)
{
    return false;
}

void haw_team_join(haw_team *team)
{
    *team = (haw_team){.rank = 0, .size = 1, .near = 1};
}

void haw_team_leave(const haw_team *team)
{
    (void)team;
}

bool haw_team_receive(const haw_team *team, haw_team_message *message)
{
    (void)team;
    (void)message;
    return false;
}

void haw_team_send(const haw_team *team, int rank, double a, double b, double c)
{
    (void)team;
    (void)rank;
    (void)a;
    (void)b;
    (void)c;
}

#endif
