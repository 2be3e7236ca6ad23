// Ranks that are threads of one process: one for each device of a machine. Data are copied directly
// from one thread's array into the other's. Tests of jobs on several machines use them, too.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

// The state that the ranks of one job share.
class ThreadWorld {
 public:
  explicit ThreadWorld(std::vector<std::string> names) : names_(std::move(names)) {}
  int size() const { return int(names_.size()); }

 private:
  friend class ThreadRanks;
  // An array that a rank sends and another one has not taken yet.
  struct Offer {
    const void* data = nullptr;
    std::size_t bytes = 0;
    bool copying = false;
  };
  const std::vector<std::string> names_;  // of the ranks
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, Offer> offers_;                   // from, to
  std::map<std::pair<int, int>, std::deque<std::string>> posts_;  // from, to
  int arrived_ = 0;                                               // at the barrier
  std::uint64_t barriers_ = 0;                                    // that all have passed
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(ThreadWorld& world, int rank) : world_(world), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return world_.size(); }
  std::string host() const override { return world_.names_[std::size_t(rank_)]; }

  void broadcast(void* data, std::size_t bytes, const Progress& progress) override;
  void sum(float* values, std::size_t count, const Progress& progress) override;
  void sum(double* values, std::size_t count, const Progress& progress) override;
  // Returns when the other rank has the data. Throws Error where the two do not agree on its size.
  void send(const void* data, std::size_t bytes, int to, const Progress& progress) override;
  void receive(void* data, std::size_t bytes, int from, const Progress& progress) override;
  void barrier(const Progress& progress) override;
  void post(int to, const std::string& message) override;
  bool poll(int& from, std::string& message) override;

 private:
  ThreadWorld& world_;
  const int rank_;
};

// Runs `work` on one rank for each name: rank 0 on the caller's thread, the others on new threads.
// Only rank 0 reports progress. The first failure ends the others and is thrown; it names its rank
// unless this is rank 0. Throws Cancelled if `progress` is asked to stop.
void runOnThreadRanks(const std::vector<std::string>& names,
                      const std::function<void(Ranks&, const Progress&)>& work, const Progress& progress);

}  // namespace spokelab
