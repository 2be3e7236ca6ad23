// Ranks that are threads of one process, for tests: the interface of MPI's without MPI.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/jobs/rank_job.h"

namespace spokelab::test {

// What all ranks share: messages in order, by kind ('d' data, 'p' posts), sender and receiver.
struct ThreadWorld {
  explicit ThreadWorld(int size) : size(size) {}
  const int size;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::tuple<char, int, int>, std::deque<std::string>> boxes;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(ThreadWorld& world, int rank) : world_(world), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return world_.size; }
  std::string host() const override { return "thread"; }

  void broadcast(void* data, std::size_t bytes, const Progress& progress) override {
    if (rank_ != 0) return receive(data, bytes, 0, progress);
    for (int r = 1; r < size(); ++r) send(data, bytes, r, progress);
  }
  void sum(float* values, std::size_t count, const Progress& progress) override {
    sumOf(values, count, progress);
  }
  void sum(double* values, std::size_t count, const Progress& progress) override {
    sumOf(values, count, progress);
  }
  void send(const void* data, std::size_t bytes, int to, const Progress& progress) override {
    progress.checkpoint();
    put('d', to, std::string(static_cast<const char*>(data), bytes));
  }
  void receive(void* data, std::size_t bytes, int from, const Progress& progress) override {
    std::unique_lock lock(world_.mutex);
    auto& box = world_.boxes[{'d', from, rank_}];
    while (box.empty()) {
      progress.checkpoint();
      world_.changed.wait_for(lock, std::chrono::milliseconds(5));
    }
    if (box.front().size() != bytes) throw Error("The test failed", "ranks do not agree on a message", "");
    std::memcpy(data, box.front().data(), bytes);
    box.pop_front();
  }
  void post(int to, const std::string& message) override { put('p', to, message); }
  bool poll(int& from, std::string& message) override {
    const std::lock_guard lock(world_.mutex);
    for (from = 0; from < size(); ++from) {
      auto& box = world_.boxes[{'p', from, rank_}];
      if (box.empty()) continue;
      message = box.front();
      box.pop_front();
      return true;
    }
    return false;
  }

 private:
  void put(char kind, int to, std::string message) {
    const std::lock_guard lock(world_.mutex);
    world_.boxes[{kind, rank_, to}].push_back(std::move(message));
    world_.changed.notify_all();
  }
  template <class Real>
  void sumOf(Real* values, std::size_t count, const Progress& progress) {
    if (rank_ != 0) return send(values, count * sizeof(Real), 0, progress);
    std::vector<Real> other(count);
    for (int r = 1; r < size(); ++r) {
      receive(other.data(), count * sizeof(Real), r, progress);
      for (std::size_t i = 0; i < count; ++i) values[i] += other[i];
    }
  }

  ThreadWorld& world_;
  const int rank_;
};

// How a rank ended.
struct RankEnd {
  bool done = false, cancelled = false;
  std::optional<Error> error, elsewhere;  // elsewhere: of another rank, as rank 0 heard
};

// Runs `work` on so many ranks as a program would; stops[r] is a signal to rank r.
inline std::vector<RankEnd> runOnThreads(int size, const std::function<void(Ranks&, const Progress&)>& work,
                                         std::vector<std::stop_source> stops = {}) {
  ThreadWorld world(size);
  std::vector<RankEnd> ends(static_cast<std::size_t>(size));
  stops.resize(std::size_t(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      RankEnd& end = ends[std::size_t(r)];
      std::stop_source& stop = stops[std::size_t(r)];
      ThreadRanks ranks(world, r);
      RankJob job(
          ranks, [&stop] { stop.request_stop(); }, stop.get_token());
      try {
        work(ranks, Progress(stop.get_token()));
        end.done = true;
      } catch (const Cancelled&) {
        end.cancelled = true;
      } catch (const Error& error) {
        end.error = error;
        job.fail(error);
      }
      if (r == 0 && !end.done)  // until it has heard why
        for (int i = 0; i < 200 && !end.error && !job.failure(); ++i)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      end.elsewhere = job.failure();
    });
  for (std::thread& thread : threads) thread.join();
  return ends;
}

}  // namespace spokelab::test
