#include "engine/core/jobs/thread_ranks.h"

#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <stop_token>
#include <thread>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

// Between two looks at a stop that nobody announces.
constexpr auto longestWait = std::chrono::milliseconds(5);

[[noreturn]] void failOnSizes(std::size_t sent, std::size_t expected) {
  throw Error(
      "The parts of the job do not agree",
      "one sent " + std::to_string(sent) + " bytes where " + std::to_string(expected) + " were expected",
      "Report this as an error of the program");
}

// On several threads: one takes as long to touch a large new array as to compute it.
void copyBytes(void* to, const void* from, std::size_t bytes) {
  constexpr std::int64_t bytesPerTask = std::int64_t{1} << 21;
  parallelFor(std::int64_t(bytes), 0, bytesPerTask, [&](std::int64_t begin, std::int64_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                std::size_t(end - begin));
  });
}

template <class Real>
void sumOf(Ranks& ranks, Real* values, std::size_t count, const Progress& progress) {
  if (!ranks.isFirst()) return ranks.send(values, count * sizeof(Real), 0, progress);
  constexpr std::int64_t valuesPerTask = 1 << 16;
  Buffer<Real> other(count);
  for (int r = 1; r < ranks.size(); ++r) {
    ranks.receive(other.data(), count * sizeof(Real), r, progress);
    parallelFor(std::int64_t(count), 0, valuesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) values[i] += other[std::size_t(i)];
    });
  }
}

}  // namespace

void ThreadRanks::broadcast(void* data, std::size_t bytes, const Progress& progress) {
  if (rank_ != 0) return receive(data, bytes, 0, progress);
  for (int r = 1; r < size(); ++r) send(data, bytes, r, progress);
}

void ThreadRanks::sum(float* values, std::size_t count, const Progress& progress) {
  sumOf(*this, values, count, progress);
}

void ThreadRanks::sum(double* values, std::size_t count, const Progress& progress) {
  sumOf(*this, values, count, progress);
}

void ThreadRanks::send(const void* data, std::size_t bytes, int to, const Progress& progress) {
  // An offer is known by its pointer: also one of no bytes needs one.
  static constexpr char nothing = 0;
  if (bytes == 0) data = &nothing;
  std::unique_lock lock(world_.mutex_);
  ThreadWorld::Offer& offer = world_.offers_[{rank_, to}];
  progress.checkpoint();
  offer = {data, bytes, false};
  world_.changed_.notify_all();
  while (offer.data) {
    if (progress.stopRequested() && !offer.copying) {
      offer = {};
      throw Cancelled{};
    }
    world_.changed_.wait_for(lock, longestWait);
  }
}

void ThreadRanks::receive(void* data, std::size_t bytes, int from, const Progress& progress) {
  std::unique_lock lock(world_.mutex_);
  ThreadWorld::Offer& offer = world_.offers_[{from, rank_}];
  while (!offer.data) {
    progress.checkpoint();
    world_.changed_.wait_for(lock, longestWait);
  }
  const std::size_t sent = offer.bytes;
  if (sent == bytes && bytes > 0) {
    offer.copying = true;
    lock.unlock();
    copyBytes(data, offer.data, bytes);
    lock.lock();
  }
  offer = {};
  world_.changed_.notify_all();
  if (sent != bytes) failOnSizes(sent, bytes);
}

void ThreadRanks::barrier(const Progress& progress) {
  std::unique_lock lock(world_.mutex_);
  progress.checkpoint();
  const std::uint64_t mine = world_.barriers_;
  if (++world_.arrived_ == size()) {
    world_.arrived_ = 0;
    ++world_.barriers_;
    world_.changed_.notify_all();
    return;
  }
  while (world_.barriers_ == mine) {
    if (progress.stopRequested()) {  // the others wait for this rank, and are asked to stop, too
      --world_.arrived_;
      throw Cancelled{};
    }
    world_.changed_.wait_for(lock, longestWait);
  }
}

void ThreadRanks::post(int to, const std::string& message) {
  const std::lock_guard lock(world_.mutex_);
  world_.posts_[{rank_, to}].push_back(message);
}

bool ThreadRanks::poll(int& from, std::string& message) {
  const std::lock_guard lock(world_.mutex_);
  for (from = 0; from < size(); ++from) {
    auto& posts = world_.posts_[{from, rank_}];
    if (posts.empty()) continue;
    message = std::move(posts.front());
    posts.pop_front();
    return true;
  }
  return false;
}

void runOnThreadRanks(const std::vector<std::string>& names,
                      const std::function<void(Ranks&, const Progress&)>& work, const Progress& progress) {
  ThreadWorld world(names);
  std::stop_source stop;
  const std::stop_callback onStop(progress.stopToken(), [&stop] { stop.request_stop(); });
  std::mutex mutex;
  std::exception_ptr failure;  // the first one
  const auto run = [&](int rank) {
    const auto keep = [&](const std::exception_ptr& failed) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = failed;
      stop.request_stop();
    };
    const PoolLane lane(rank);
    ThreadRanks ranks(world, rank);
    const Progress own = rank == 0 ? Progress(stop.get_token(),
                                              [&progress](double fraction, const std::string& what) {
                                                progress.report(fraction, what);
                                              })
                                   : Progress(stop.get_token());
    try {
      work(ranks, own);
    } catch (const Cancelled&) {
      stop.request_stop();
    } catch (const Error& error) {
      keep(rank == 0 ? std::current_exception()
                     : std::make_exception_ptr(
                           Error(error.summary(), ranks.host() + ": " + error.reason(), error.remedy())));
    } catch (...) {
      keep(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int r = 1; r < world.size(); ++r) threads.emplace_back(run, r);
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
  if (stop.stop_requested()) throw Cancelled{};
}

}  // namespace spokelab
