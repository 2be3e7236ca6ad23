// One job on several ranks: a failure or a cancel of any rank ends all of them, and rank 0 learns
// the reason. A separate thread polls for the others' messages.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/jobs/ranks.h"

namespace spokelab {

class RankJob {
 public:
  // stop: ends this rank's work (a stop_source's request); local: the stop that a signal here asks
  // for.
  RankJob(Ranks& ranks, std::function<void()> stop, const std::stop_token& local);
  ~RankJob();
  RankJob(const RankJob&) = delete;
  RankJob& operator=(const RankJob&) = delete;

  Ranks& ranks() const { return ranks_; }
  // This rank failed: the others end. Not rank 0: returns when rank 0 knows the reason, true, or
  // after some seconds.
  bool fail(const Error& error);
  // The first failure of another rank that rank 0 heard of, with the rank's number and host.
  std::optional<Error> failure() const;
  // True if the others ended this rank because they failed or were cancelled.
  bool wasStopped() const;

 private:
  void watch(const std::stop_token& done);
  void hear(int from, const std::string& message);
  void stopAll();
  void tellFirst(const std::string& message);

  Ranks& ranks_;
  const std::function<void()> stop_;
  mutable std::mutex mutex_;
  std::optional<Error> failure_;
  bool stopped_ = false, told_ = false;
  std::stop_callback<std::function<void()>> onLocalStop_;
  std::jthread thread_;
};

}  // namespace spokelab
