// Finds shift and phases of EPI's ghost in a scan (ghost_fit.h): by its lines for phase correction,
// or by the sharpness of its image. A volume is looked at through its central partition.
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/read/correct/correct_ghost.h"
#include "engine/scan/read/correct/epi_shots.h"
#include "engine/scan/read/correct/ghost_fit.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The ghost of a slice, or of the volume.
struct SliceGhost {
  GhostPhase all;
  std::vector<double> phases;  // rad, of each coil; empty: all coils share one

  double phaseOf(int coil) const { return phases.empty() ? all.phase : phases[std::size_t(coil)]; }
};

class GhostFinder {
 public:
  // Scan and navigators live longer. shots: centralShots of the first frame.
  GhostFinder(const Scan& scan, const EpiNavigators& navigators, std::vector<EpiShot> shots);

  // The products that fits and disagreements use: of navigators, or of the image's own lines.
  void makeProducts(bool navigators);
  // A fit of the products, slice by slice; byCoil: with the phase of each coil besides.
  std::vector<SliceGhost> fitted(bool byCoil) const;
  // The sharpest image near the fit. Throws Cancelled.
  std::vector<SliceGhost> sharpest(bool byCoil, const Progress& progress);

  // Entropy of the image of the slice with the strongest signal.
  double entropyWith(const std::vector<SliceGhost>& ghosts) const;
  // Phase left between lines that run back and forth: rms over slices, rad. byCoil: each coil
  // apart.
  double disagreementAfter(const std::vector<SliceGhost>& ghosts, bool byCoil) const;
  // rms by which the phases of single coils differ from those of their slices, rad.
  double spreadOfCoils() const;

 private:
  using Product = std::vector<cdouble>;  // [pixel]

  std::size_t strongestSlice() const;
  std::vector<int> strongestCoils(int slice, int most) const;
  std::vector<EpiLine> linesOf(int slice, const std::vector<int>& coils) const;
  // Lines of the strongest coils, less the differences of their phases from the slice's.
  std::vector<EpiLine> turnedLines(int slice, const SliceGhost& ghost) const;
  std::vector<Product> navigatorProducts(int slice) const;
  void append(EpiLine& line, std::span<const cfloat> samples, const std::vector<double>& kx) const;
  void sharpenCoils(int slice, SliceGhost& ghost, const Progress& progress) const;

  const Scan& scan_;
  const EpiNavigators& navigators_;
  std::vector<EpiShot> shots_;
  std::int64_t pixels_, rows_;
  std::vector<std::vector<Product>> products_;  // [slice][coil]
};

}  // namespace spokelab
