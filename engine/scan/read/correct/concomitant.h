// Concomitant (Maxwell) terms of second order: gradients along z bring fields along x and y with
// them, so that the field's magnitude also grows with the square of place and gradient.
//   f(r, t) = [ (Gx² + Gy²) z² + Gz² (x² + y²) / 4 - Gx Gz x z - Gy Gz y z ] / (2 γ B0),  G in Hz/m
// M. A. Bernstein et al., MRM 39:300 (1998). Samples have the phase e^{-2πi r^T S(t) r}, in which
// S(t) is the integral of the form's matrix, in turns/m². About the middle r0 of a slice, or of a
// volume, they are
//   r0^T S r0                  turns of all samples at t
//   2 (r - r0)^T S r0          a shift of k by 2 S r0
//   (r - r0)^T S (r - r0)      the rest: Trajectory::secondOrder, which the reconstruction corrects
#pragma once

#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// [sample] of a shot, 0 at its first one. points: [sample, dims] in cycles/FOV; times: s; field: T.
// The geometry's directions turn gradients into the patient's axes, whose z is the field's.
std::vector<SecondOrder> concomitantForms(const double* points, const double* times, std::size_t samples,
                                          int dims, const Geometry& geometry, const Directions& directions,
                                          double field);

// The strength in T that the scan's header names; not a number: none.
double namedFieldStrength(const Scan& scan);

// Decision concomitant: the field strength in T, header (the file's), or none (also where nobody
// asks). Samples are turned back slice by slice; k is shifted only in a volume or a single slice,
// as slices share their points; frames at different places no longer share theirs. The rest is kept
// in the trajectory where all slices and frames have the same directions. The decision holds the
// largest phases taken away and left. Throws Error, Cancelled.
void correctConcomitant(Scan& scan, Decisions& d, const Progress& progress);

}  // namespace spokelab
