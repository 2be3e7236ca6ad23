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
  // stop: called when another rank failed or was cancelled, to end this rank's work (a
  // stop_source's request). local: the stop that a signal to this process asks for.
  RankJob(Ranks& ranks, std::function<void()> stop, const std::stop_token& local);
  ~RankJob();
  RankJob(const RankJob&) = delete;
  RankJob& operator=(const RankJob&) = delete;

  Ranks& ranks() const { return ranks_; }
  // Call it where this rank failed: it ends the other ranks. Rank 0 returns true at once. Another
  // rank sends the reason to rank 0 and waits: true if rank 0 answered, false after some seconds.
  bool fail(const Error& error);
  // The first failure of another rank that rank 0 heard of, with the rank's number and host.
  std::optional<Error> failure() const;
  // True if the others ended this rank because they failed or were cancelled.
  bool wasStopped() const;

 private:
  // watch() polls on the thread, hear() takes a message, stopAll() ends all ranks (rank 0 alone
  // calls it), and tellFirst() sends a message to rank 0.
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
