// Connects the iterations, on the worker, with the window. It passes news to the window (the latest
// image wins) and the user's wishes to the iterations. It keeps the images of some iterations.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/nufft/nufft.h"
#include "engine/recon/options/iteration_watcher.h"
#include "engine/scan/scan.h"
#include "widgets/recon/jobs/iteration_view.h"

namespace spokelab {

class IterationControl {
 public:
  // `scan`: whose geometry the images have.
  explicit IterationControl(std::shared_ptr<const Scan> scan) : scan_(std::move(scan)) {}

  // The worker's side: an IterationWatcher. Waits while paused, until `stop` is requested; `waits`
  // hears when that begins and ends.
  IterationCommand watch(const IterationState& state, const std::stop_token& stop,
                         const std::function<void(bool)>& waits = {});

  struct News {
    std::vector<IterationPoint> points;                  // since the last call
    std::shared_ptr<const Image> image;                  // the latest, if there is a new one
    std::vector<int> dropped;                            // iterations that cannot be gone back to any more
    std::map<int, std::shared_ptr<const Image>> images;  // of iterations since the last call
  };
  News take();
  // The last image that was seen, with its iteration (-1: none was).
  std::shared_ptr<const Image> lastImage(int& iteration) const;
  // The present state of the frame and slice that iterates.
  struct Known {
    PlanInfo plan;
    std::vector<IterationPoint> points;
    std::vector<LambdaChange> lambdaChanges;
    double pausedSeconds = 0;  // of all frames and slices
  };
  Known known() const;

  void setLive(bool on);
  void setPaused(bool on);
  void setLambda(double lambda);
  void stop(bool keepBest);
  void goBack(int iteration);

 private:
  struct Kept {
    int iteration;
    std::shared_ptr<const std::vector<cfloat>> image;
  };
  std::shared_ptr<const Image> imageOf(const IterationState& state, const std::vector<cfloat>& values) const;
  void keep(int iteration, std::shared_ptr<const std::vector<cfloat>> image);  // mutex_ held

  const std::shared_ptr<const Scan> scan_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  bool live_ = true, paused_ = false;
  std::optional<double> lambda_;
  std::optional<bool> stop_;  // keepBest
  std::shared_ptr<const std::vector<cfloat>> back_;
  std::vector<IterationPoint> news_;
  Known history_;
  std::vector<int> dropped_;
  std::deque<Kept> keptImages_;
  std::shared_ptr<const Image> image_;
  std::map<int, std::shared_ptr<const Image>> images_;  // since take()
  int imageIteration_ = -1;
  bool imageTaken_ = true;
};

}  // namespace spokelab
