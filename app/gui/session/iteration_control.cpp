#include "app/gui/session/iteration_control.h"

#include <algorithm>

#include "engine/core/stage_timer.h"

namespace spokelab {
namespace {

constexpr std::size_t maxKept = 16;
constexpr std::size_t maxKeptBytes = std::size_t(256) << 20;

}  // namespace

std::shared_ptr<const Image> IterationControl::imageOf(const IterationState& state,
                                                       const std::vector<cfloat>& values) const {
  const auto image = makeImage(*scan_, 1, {state.slice});
  std::copy(values.begin(), values.end(), image->data.begin());
  return image;
}

void IterationControl::keep(int iteration, std::shared_ptr<const std::vector<cfloat>> image) {
  const std::size_t bytes = image->size() * sizeof(cfloat);
  keptImages_.push_back({iteration, std::move(image)});
  while (keptImages_.size() > 1 &&
         (keptImages_.size() > maxKept || keptImages_.size() * bytes > maxKeptBytes)) {
    dropped_.push_back(keptImages_.front().iteration);
    keptImages_.pop_front();
  }
}

IterationCommand IterationControl::watch(const IterationState& state, const std::stop_token& stop,
                                         const std::function<void(bool)>& waits) {
  bool live = false;
  {
    const std::lock_guard lock(mutex_);
    live = live_;
  }
  std::shared_ptr<const std::vector<cfloat>> values;
  std::shared_ptr<const Image> image;
  if (live) {
    values = std::make_shared<const std::vector<cfloat>>(state.image());
    image = imageOf(state, *values);
  }
  std::unique_lock lock(mutex_);
  IterationPoint point{state.iteration,         state.frame,    state.slice,
                       state.residual,          state.seconds,  state.lambda,
                       live && state.steerable, state.steerable};
  std::vector<IterationPoint>& points = history_.points;
  const bool another =
      !points.empty() && (points.back().frame != point.frame || points.back().slice != point.slice);
  if (another) {
    points.clear();
    history_.lambdaChanges.clear();
    keptImages_.clear();
    images_.clear();
  }
  points.push_back(point);
  if (state.plan) history_.plan = *state.plan;
  news_.push_back(point);
  if (image) {
    keep(state.iteration, values);
    images_[state.iteration] = image;
    while (images_.size() > keptImages_.size()) images_.erase(images_.begin());
    image_ = std::move(image);
    imageIteration_ = state.iteration;
    imageTaken_ = false;
  }
  IterationCommand command;
  const auto goesOn = [this] { return !paused_ || stop_ || back_ || lambda_; };
  if (!goesOn()) {
    const double start = now();
    if (waits) waits(true);
    wake_.wait(lock, stop, goesOn);
    if (waits) waits(false);
    command.pausedSeconds = now() - start;
    history_.pausedSeconds += command.pausedSeconds;
  }
  if (stop_) {
    command.action = IterationAction::stop;
    command.keepBest = *stop_;
    stop_.reset();
  }
  if (lambda_) command.lambda = *lambda_;
  if (lambda_ && !stop_ && state.steerable && *lambda_ != state.lambda)
    history_.lambdaChanges.push_back({state.iteration, state.lambda, *lambda_});
  command.image = std::move(back_);
  lambda_.reset();
  back_.reset();
  return command;
}

IterationControl::News IterationControl::take() {
  const std::lock_guard lock(mutex_);
  News news;
  news.points.swap(news_);
  news.dropped.swap(dropped_);
  news.images.swap(images_);
  if (!imageTaken_) news.image = image_;
  imageTaken_ = true;
  return news;
}

std::shared_ptr<const Image> IterationControl::lastImage(int& iteration) const {
  const std::lock_guard lock(mutex_);
  iteration = imageIteration_;
  return image_;
}

IterationControl::Known IterationControl::known() const {
  const std::lock_guard lock(mutex_);
  return history_;
}

void IterationControl::setLive(bool on) {
  const std::lock_guard lock(mutex_);
  live_ = on;
}

void IterationControl::setPaused(bool on) {
  const std::lock_guard lock(mutex_);
  paused_ = on;
  wake_.notify_all();
}

void IterationControl::setLambda(double lambda) {
  const std::lock_guard lock(mutex_);
  lambda_ = lambda;
  wake_.notify_all();
}

void IterationControl::stop(bool keepBest) {
  const std::lock_guard lock(mutex_);
  stop_ = keepBest;
  wake_.notify_all();
}

void IterationControl::goBack(int iteration) {
  const std::lock_guard lock(mutex_);
  for (const Kept& kept : keptImages_)
    if (kept.iteration == iteration) back_ = kept.image;
  wake_.notify_all();
}

}  // namespace spokelab
