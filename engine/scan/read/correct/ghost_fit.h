// The N/2 ghost of EPI: lines that run backwards differ from the others by a linear phase along the
// readout, which comes from late samples (a shift of k) and eddy currents (a constant phase):
//   P_backwards(x) = P(x) e^{+i (phase + 2 pi shift x) / 2}
//   P_forwards(x)  = P(x) e^{-i (phase + 2 pi shift x) / 2}
// with profiles P, the transforms of lines along the readout, and x in FOV units. Neighbours of
// both kinds give products D(x) = conj(P_forwards) P_backwards, whose phase tells shift and phase:
// C. B. Ahn, Z. H. Cho, IEEE Trans. Med. Imaging 6:32 (1987). Without navigators the object itself
// adds phases to D; the pair that makes the image sharpest, by its entropy, is taken then: S.
// Clare, Proc. ISMRM 11:1041 (2003).
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

struct GhostPhase {
  double shift = 0;  // cycles/FOV
  double phase = 0;  // rad
};

struct EpiLine {
  double ky = 0;  // cycles/FOV
  bool backwards = false;
  std::vector<cdouble> profile;  // [coil, pixel]
};

// The profile of a line of one coil: kx [sample] in cycles/FOV, which may be uneven.
std::vector<cdouble> epiProfile(std::span<const cfloat> samples, std::span<const double> kx,
                                std::int64_t pixels);

// D [coil][pixel] of neighbouring lines of both kinds: of all lines, in their order, for
// navigators; else of lines near the centre of k-space. A line between two of the other kind is
// compared with their mean; two lines for navigators with each other. Empty without lines.
std::vector<std::vector<cdouble>> oddEvenProducts(const std::vector<EpiLine>& lines, std::int64_t pixels,
                                                  bool navigators);

// Fits several products, for example of slices: one shift for all, and a phase for each.
std::vector<GhostPhase> fitProducts(const std::vector<std::vector<cdouble>>& products);

// Sum of D over pixels, less the phase of the pair.
cdouble sumWithoutGhost(const std::vector<cdouble>& product, const GhostPhase& ghost);

// rms phase of D that the pair does not explain, weighted by |D|, rad.
double disagreement(const std::vector<cdouble>& product, const GhostPhase& ghost);

// The pair near `start` of least entropy; phaseOnly keeps start's shift. rows: the image's.
GhostPhase sharpestGhost(const std::vector<EpiLine>& lines, std::int64_t pixels, std::int64_t rows,
                         const GhostPhase& start, bool phaseOnly, const Progress& progress);

double imageEntropy(const std::vector<EpiLine>& lines, std::int64_t pixels, std::int64_t rows,
                    const GhostPhase& ghost);

}  // namespace spokelab
