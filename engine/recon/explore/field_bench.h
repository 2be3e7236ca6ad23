// Off-resonance bench: one slice (or volume) of a scan with a field map, reconstructed with the
// exact field-corrected transform and with each approximation beside it:
//   gdft        exact sums, the reference of the others
//   segmented   with the svd, min-max and hanning interpolators, segments by accuracy (or given)
//   convolutions  the normal operator as convolutions of time segments
//   plain       no correction
// Errors are measured. Transform: |A~ u - A u| / |A u| at random samples, u complex normal. Image:
// |m~ - m| / |m| over all pixels, m from exact sums, no scale fitted.
#pragma once

#include "engine/recon/sense/backend.h"

namespace spokelab {

struct FieldBenchRow {
  std::string name;       // one of fieldBenchNames(), such as "exact" or "segmented svd"
  std::string transform;  // in words
  std::string refused;    // the reason why it was not made, or empty
  std::int64_t segments = 0;
  double transformError = 0, imageError = 0;  // relative l2
  double referenceError = -1;                 // NRMSE to the reference image; negative: none was given
  double normalSeconds = 0;                   // one normal operation of one coil
  double planningSeconds = 0, iterationSeconds = 0;
  int iterations = 0;
  std::vector<std::string> notes;
  std::shared_ptr<const Image> image;
  std::shared_ptr<const Image> difference;  // image - exact
};

// The names of all rows, in their order: "exact", "segmented svd", "segmented min-max", "segmented
// hanning", "convolutions", "plain".
std::vector<std::string> fieldBenchNames();

struct FieldBenchResult {
  std::vector<FieldBenchRow> rows;  // exact first
  std::vector<std::string> notes;
};

// options.iterative: maps, regularization, iterations; method gridding is taken as sense. The first
// of options.frames and options.slices. `seen`: each row as it is done. Throws Error where the scan
// has no field map or no times; Cancelled.
FieldBenchResult benchFieldCorrection(Backend& backend, const Scan& scan, const ReconOptions& options,
                                      const Image* reference, const Progress& progress,
                                      const std::function<void(const FieldBenchRow&)>& seen = {});

}  // namespace spokelab
