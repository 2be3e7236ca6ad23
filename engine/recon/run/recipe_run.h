// The interface between the loop over unknowns (unknown_loop.h) and a recipe, and the data of both.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/coils/coil_division.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/job_image.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class Wisdom;

// The part of a job that one of several ranks does.
struct JobShare {
  std::vector<int> frames;     // of the plan's; empty: all of them
  std::vector<int> mapFrames;  // that coil maps are estimated from; empty: as for all frames
  // Makes the run of a problem; empty: the backend does.
  std::function<std::unique_ptr<SenseRun>(const SenseProblem&)> senseRun;
  std::optional<CoilDivision> coils;  // of ranks that divide the coils of SENSE
  SlabShare slabs;                    // of ranks that divide a gridded volume; it then has zeros elsewhere
  ImagePlace place;                   // place of these frames in the image of all; none: a separate image
  bool keepsImage = true;             // false: another rank does
};

// A job that runs.
struct RunContext {
  Backend& backend;
  const Scan& scan;  // its coils prepared
  const JobPlan& job;
  const JobShare& share;
  const Candidate* candidate;  // the tuner's choice; null: none
  Wisdom* wisdom;
  const ScanPreparation& preparation;
  std::shared_ptr<CoilMixer> mixer;  // the backend's; null: samples stay on the host
  CoilMixer* sender;                 // sends samples of coming frames ahead; null: none does
  const std::vector<int>& frames;    // this share's
  JobImage& image;
  Reconstruction& result;
  int complete = 0;  // frames of the image that are done

  // The coils of this rank, if ranks divide them; empty: all.
  std::span<const int> ownCoils() const {
    return share.coils ? std::span(share.coils->own()) : std::span<const int>();
  }
  // The first pixel of a slice of one of `frames` in the image.
  template <class Real>
  std::complex<Real>* pixelsOf(std::size_t frame, std::size_t slice) const {
    std::complex<Real>* const all = image.pixels<Real>();
    const std::int64_t plane = job.dims < 3 ? std::int64_t(slice) * std::int64_t(job.pixels) : 0;
    return all ? all + std::int64_t(frame) * image.image()->volume() + plane : nullptr;
  }
};

// The images that one solve finds: a slice, or the volume, of one frame or of several.
struct Unknown {
  std::span<const int> frames;  // numbers in the scan
  std::size_t frame = 0;        // the first one's place among the share's frames
  int slice = 0;                // number in the scan
  std::size_t slicePlace = 0;
  bool lastFrames = false, last = false;  // no frame is later; no unknown is
};

class RecipeRun {
 public:
  virtual ~RecipeRun() = default;
  // Frames whose points are set at once; they are solved together, or one after the other.
  virtual std::size_t framesAtOnce() const { return 1; }
  // madeShare(): the share of the whole progress that making this object took. prepareShare(): the
  // share of an unknown's progress that prepare() takes.
  virtual double madeShare() const { return 0; }
  virtual double prepareShare() const { return 0; }
  // The loop calls these three for each unknown. prepare() sets points, weights, maps and samples,
  // solve() finds the images, and place() puts them into the job's image and frees memory that the
  // next unknown does not need.
  virtual void prepare(const Unknown& unknown, const Progress& progress) = 0;
  virtual void solve(const Unknown& unknown, const Progress& progress) = 0;
  virtual void place(const Unknown& unknown) = 0;
  // Describes the plan as it was used, after the last unknown, a cancel or an error.
  virtual void describe() {}
  // Adds notes on the work to the result, if an image was made.
  virtual void addNotes() {}
  virtual std::string cancelNote() const = 0;  // "": none
};

}  // namespace spokelab
