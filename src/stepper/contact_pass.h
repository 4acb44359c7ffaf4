/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact problems of the passes of an implicit step. A Newton pass at the iterate (q, u)
 * linearises the mechanics, A du = right + H P, and asks for impulses P such that at the end of the
 * step
 *
 *     0 <= P_N  perpendicular to  gap / lever + H_N du >= 0,
 *     -(way_T / lever + H_T du) in N_{C(mu P_N)}(P_T),
 *
 * with the gap at q and the way that the material point has slid on the moving surface since the
 * start of the step (haw_contacts_way); lever = d(position)/d(velocity) of the stepper, theta h or
 * beta h / gamma. Slip is a displacement in the frame of the body: what sticks stays, to the
 * solver's tolerance, however far the body turns.
 *
 * Weights trace(W_cc) / d cost d solves with the factor of A each. They are kept by contact id
 * until the run renews what it keeps, at rest for ten times as long (resting.c): Newton's method
 * needs their order of magnitude only.
 * Residuals are measured with the weights at hand, by the referee's formula.
 */
#ifndef HAWSER_STEPPER_CONTACT_PASS_H
#define HAWSER_STEPPER_CONTACT_PASS_H

#include "contact/contact.h"
#include "solver/band_newton.h"
#include "stepper/implicit.h"

/* Than the tolerance: what a pass leaves is a change of its impulses in the next one, and a grid
 * that holds an element at several points has many impulses for one motion. */
static const double HAW_PASS_SHARPER = 0.1;

/* Angular velocity of a body or of a node of a cable. */
typedef struct haw_turning {
    int first;         /* of its three degrees of freedom */
    double inertia[3]; /* about the axes of the section or body [kg m^2] */
} haw_turning;

typedef struct haw_pass {
    haw_simulation *simulation;
    haw_turning *turning; /* [turnings] where orientations are quaternions */
    int turnings;
    int d;             /* rows of a contact */
    haw_arena arena;   /* arrays of one pass; keeps its memory */
    haw_global global; /* rows H^T of the pass over the equations; f, w */
    double *way;       /* [d count] of the pass: gap, way1, way2 [m] */
    double *shift;     /* [d count] velocities of the problem without du: way / lever, or what the
                          row's law makes of it */
    double *memory;    /* [rows] impulses by contact id of the last pass, then of the last step */
    int *remembered;   /* [remembered_count] ids with a memory */
    int remembered_count;
    double *tangent;     /* [points][3] t1 that a memory stands in, by contact id; 0: not known */
    double *held;        /* [points] haw_contacts.held of these impulses, by contact id */
    double *previous;    /* [rows] impulses by contact id that the last solve started from */
    double *unpushed;    /* [rows] by contact id: velocities without impulses in the first pass */
    double *weight;      /* [points] trace(W_cc) / d by contact id, 0: unknown */
    double weight_scale; /* of the matrix that they are of */
    double *block;       /* [d d count] weight times identity: W_cc as the referee takes it */
    double *near;        /* [count] weights of the pass */
    double *free;        /* [d count] velocities of the contact problem without impulses */
    double *right;       /* [equations] */
    double *v;           /* [equations] */
    double *u;           /* [d count] velocities of the contact problem */
    bool is_fast;        /* the solver of the run is one that haw_band_newton stands for */
    bool is_fixed;       /* rows stay as they are for the step: haw_band_newton is always tried */
    bool holds;          /* the next solve takes one Newton step in the regimes of the impulses at
                            hand: they obey the laws where they are, only the mechanics is not there */
    bool went_on;     /* a pass of this step went on from the regimes where the one before ended */
    bool is_wary;     /* none may: the step was missed in that way, or it never may */
    double load;      /* > 0: of equilibria, whose A alone may be singular: the largest impulse at
                         hand. Weights are those of the matrix's diagonal, and `reference` is what
                         this impulse does there [N s] */
    bool is_far;      /* what misses its tolerance is asked again, nearer: folds are not passed */
    bool is_late;     /* passes have been many: each begins as the last one was solved */
    bool has_walked;  /* it met it through the inside of the cones alone */
    bool has_missed;  /* the band method missed the tolerance in the last pass of this step */
    bool is_judged;   /* no further pass mends what this one leaves: velocities of the first one do
                         not measure it */
    double length;    /* of equilibria: the load moves nothing by more than this [m] */
    double reference; /* velocity that it is measured in */
    double kept;      /* `reference` of the last step, if one pass solved it, or 0 [m/s]: at rest
                         it and the weights are carried on */
    double bore;      /* with this largest impulse at hand [N s] */
    bool rests;       /* that step began where the one before it ended */
    bool is_at_hand;  /* factors, rows and touches of that pass are, too, */
    double t;         /* where that step ended [s] */
    bool is_renewed;  /* the pattern of the matrix was, in the last detection */
    int listed;       /* touches of then */
    double rounding;  /* least scale of a problem [m/s]: what the digits of positions leave of a way
                         is  within the tolerance; 0 where the rows are fixed */
} haw_pass;

/** simulation->pass, freed with the simulation. */
HAW_NODISCARD haw_status haw_pass_create(haw_simulation *simulation);

/** The memory becomes the impulses at hand. */
void haw_pass_keep(haw_pass *pass);

/** The memory keeps this part of the way from the impulses that the last solve started from. */
void haw_pass_shorten(haw_pass *pass, double part);

/** Begin a step: the memory is the state's impulses; weights grow older; a new report. Compliant
 * contacts begin theirs, and the dips of grids are measured. */
haw_status haw_pass_begin(haw_pass *pass);

/**
 * Contacts near q [coordinates] with their rows at q, into simulation->contacts. Forgets the arrays
 * of the last pass.
 *
 * @param u, h    for the speed guard, or NULL and 0
 * @param margin  points nearer than this take part [m]
 */
HAW_NODISCARD haw_status haw_pass_find(haw_pass *pass, const double *q, const double *u, double h,
                                       double margin);

/** The problem of the contacts listed: arrays, rows, friction, impulses from the memory. */
HAW_NODISCARD haw_status haw_pass_set_up(haw_pass *pass);

/** Both at q, without guard, and the ways since `before`.
 * @param u  [dofs] velocities there, or NULL: of no knots */
HAW_NODISCARD haw_status haw_pass_detect(haw_pass *pass, const double *before, const double *q,
                                         const double *u, double margin);

/** Impulses of the contacts from the memory, which turns with their tangents. */
void haw_pass_recall(haw_pass *pass);

/**
 * Solve the contact problem of the pass with A = scale times the entries of the system's matrix
 * (assembled, not factorized): where pass->is_fast or is_fixed by haw_band_newton, with haw_solve
 * where that fails; else by haw_solve. Impulses in contacts->impulse and in the memory; report and
 * gamma_free less the shift; certificate counters.
 *
 * @param right  [dofs] impulse without contacts
 * @param du     [dofs] out: A^-1 (right + H P), zero where prescribed
 * @return       ERR_SINGULAR; a missed tolerance is in the report
 */
HAW_NODISCARD haw_status haw_pass_solve(haw_pass *pass, double scale, const double *right,
                                        double *du);

/**
 * The problem of the touches that the last step ended with, which is `kept`: their rows, the
 * impulses from the memory, and the gap or way of each as far as the rows tell.
 *
 * @param ahead  [dofs] velocities that lead from the start of the step to the iterate
 */
void haw_pass_resume(haw_pass *pass, const double *ahead);

/**
 * The same as haw_pass_solve in the regimes of the impulses at hand, by the factors at hand: of the
 * last pass of a step before. @param met  out: false: neither impulses nor memory are of use
 */
HAW_NODISCARD haw_status haw_pass_follow(haw_pass *pass, double scale, const double *right,
                                         double *du, bool *met);

/** Whether the impulses at hand meet a tenth of the tolerance by weights that are known: report. */
bool haw_pass_judge_sharply(haw_pass *pass);

/** What the next step may go on with, after one that one solve of the band method has solved.
 * @param stays  it has gone on itself, by haw_pass_follow */
void haw_pass_rest(haw_pass *pass, bool stays);

/** The next step goes on with nothing but impulses. */
void haw_pass_stir(haw_pass *pass);

/** Forget what only saves time; at rest weights and the reference do not. */
void haw_pass_renew(haw_pass *pass);

/** Before the first solve of a step, its largest impulse being known: by these, or by new ones. */
void haw_pass_go_on(haw_pass *pass);

/** What is carried on at rest. */
void haw_pass_carry(haw_pass *pass, haw_pack *pack);

/**
 * The contact problem at the rows at hand in its global form, for readers: symmetrised, as the
 * solver of the run gets it, and kept until the next detection.
 */
HAW_NODISCARD haw_status haw_pass_problem(haw_pass *pass, double scale, const double *right);

/**
 * What the referee says of the impulses at hand with the velocities pass->shift, du = 0: of the law
 * itself where the rows are, without linearisation. Measured in the reference of the last solve;
 * before the first, in the largest speed of contact points.
 */
haw_residual haw_pass_measure(haw_pass *pass);

/** The same into the report. @return true if it meets the tolerance of the solver, or rounding */
bool haw_pass_judge(haw_pass *pass);

/** push [dofs] = H P of the impulses at hand. */
void haw_pass_push(const haw_simulation *simulation, double *push);

/**
 * Changes of velocities from those that turn the configuration: with R+ = R exp(w) a change dw of
 * the increment turns R+ by T(w) dw, and contact rows and the matrix are about turns of R+. So
 * du <- T(w)^-1 du for the angular velocities.
 *
 * @param increment  [dofs] that leads from the start of the step to the iterate
 */
void haw_pass_rates(const haw_simulation *simulation, const double *increment, double *du);

/** Matrix += mass M (T(w)^-1 - 1), which makes it exact for turns of R+: rotary inertia resists the
 * change of the increment instead. */
void haw_pass_add_turns(const haw_simulation *simulation, const double *increment, double mass);

/** Of equilibria: what is borne, by which residuals are measured: the largest impulse at hand, or
 * what makes rounding as small as the tolerance [N s]. */
void haw_pass_bear(haw_pass *pass, double load, double noise);

/** Of the fastest cable and of the fastest body, added [m/s]. */
double haw_pass_speed(const haw_simulation *simulation);

/** Margin of a detection: so many ways of the fastest node and body in h, and a part of the largest
 * radius or element for what starts from rest [m]. */
double haw_pass_margin(const haw_simulation *simulation, double ways, double part);

#endif
