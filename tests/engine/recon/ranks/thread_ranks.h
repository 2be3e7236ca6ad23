// A job on several ranks as the command line runs one (rank_job.h), with threads for processes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/jobs/rank_job.h"
#include "engine/core/jobs/thread_ranks.h"

namespace spokelab::test {

// How a rank ended.
struct RankEnd {
  bool done = false, cancelled = false;
  std::optional<Error> error, elsewhere;  // elsewhere: of another rank, as rank 0 heard
};

// Runs `work` on so many ranks as a program would; stops[r] is a signal to rank r.
inline std::vector<RankEnd> runOnThreads(int size, const std::function<void(Ranks&, const Progress&)>& work,
                                         std::vector<std::stop_source> stops = {}) {
  ThreadWorld world(std::vector<std::string>(std::size_t(size), "thread"));
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
