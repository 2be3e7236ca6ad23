// All that a reconstruction is, made once from the scan, the options and the machine. Memory check,
// forecast, tuner's request, ranks, window and command line read it. No other code asks the options
// which frames, slices and coils there are, or how many of them are worked on together.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/nufft/nufft.h"
#include "engine/nufft/problem/workload.h"
#include "engine/recon/job/temporal_basis.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct Recipe;

// The machine that a job is planned for. A default one has room for everything.
struct JobMachine {
  struct Place {  // where the transforms' plans may be
    NufftBackend* backend = nullptr;
    bool isDevice = false;
    std::int64_t deviceBytes = 0;  // of all its memory; 0: unknown
    int devices = 1;               // or ranks, that the job may be divided over
  };
  std::vector<Place> places;  // empty: the memory of plans is not asked for
  // Bytes of host memory that decide how many coils are transformed together, and into how many
  // slabs a volume is divided.
  double roomForCoils = std::numeric_limits<double>::infinity();
  double roomForVolume = std::numeric_limits<double>::infinity();
};

// Bytes of host and device that a job takes; 0: unknown.
struct JobMemory {
  double host = 0, device = 0;
};

// The number of parts along each axis that ranks or devices may divide; 1: it is not divided.
struct JobParts {
  int frames = 1, slices = 1, coils = 1, slabs = 1;

  int most() const;
};

struct JobPlan {
  ReconOptions options;                      // with the coils at a time and the slabs of this job
  int coilsAtOnceAsked = 0, slabsAsked = 0;  // as the options had them

  int dims = 2;
  Index3 matrix{1, 1, 1};
  double pixels = 1;                  // of a slice, or of a volume
  std::vector<int> frames, slices;    // to be reconstructed; a volume has the slice 0
  FrameAxes frameAxes;                // meaning of these frames
  std::vector<std::int64_t> samples;  // of a coil, for each of the frames
  std::int64_t shots = 0;             // of the first frame
  bool pointsMove = false;            // frames have different points
  int framesHeld = 1;                 // frames that the scan holds: a file may be read in part
  int slicesHeld = 1;                 // of the scan
  std::vector<int> coilsKept;         // numbers in the scan
  int coilsMeasured = 1;              // of the scan
  int coils = 1;                      // after the preparation: kept, then compressed

  const Recipe* recipe = nullptr;  // that serves the options
  bool iterates = false;
  bool separatesCoils = false;  // the coils of the first frame become frames of the image
  bool mayHaveField = false, estimatesMaps = false;
  // An unknown is what one solve finds: these frames of one slice, and a set of maps each.
  int framesPerUnknown = 1;
  TemporalBasis basis;        // whose images are the unknown; empty: the frames are
  bool basisKernels = false;  // a Toeplitz kernel for each pair of its coefficients
  int mapSets = 1;

  std::int64_t coilsAtOnce = 1;  // in one call of the transform
  int framesAtOnce = 1;          // with different points, that gridding may transform together
  std::int64_t slabs = 1;        // that a volume is transformed in
  std::string whyNotInSlabs;     // empty: it can be
  NufftProblem whole, problem;   // the transform of coilsAtOnce images; of one of its slabs
  Workload workload;             // of the tuner's request
  bool planIsGiven = false;      // the options leave no choice to the tuner but details
  JobParts parts;
  JobMemory memory;
  std::vector<std::string> notes;  // what was decided by the memory and by the noise

  std::int64_t mostSamples() const;  // of a coil in a frame
  std::size_t unknowns() const;
  // Images that one solve finds.
  int imagesPerUnknown() const;
  // True if the image holds the coefficients, not the frames.
  bool keepsCoefficients() const {
    return !basis.empty() && options.iterative.subspace.images == SubspaceImages::coefficients;
  }
  // True if the image holds maps of T1 and T2 (ms) and of the signal.
  bool keepsMaps() const {
    return basis.dictionary && options.iterative.subspace.images == SubspaceImages::maps;
  }
  static constexpr int tissueMaps = 3;
  // True if ranks may divide the slabs: Walsh's combination looks across their borders, and sums
  // over the slabs of a reproducible job have one order.
  bool dividesSlabs() const;
};

// Throws Error where the options name frames, slices, coils or slabs that are not there.
// framesInFile: number of frames in the file, if the scan holds only one of them, from which the
// others are planned; 0: it holds all.
JobPlan planJob(const Scan& scan, const ReconOptions& options, const JobMachine& machine = {},
                int framesInFile = 0);

// The first frame that the options name, for who reads it alone before there is a scan.
std::string firstFrameAsked(const ReconOptions& options);

}  // namespace spokelab
