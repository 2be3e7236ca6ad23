#include "engine/core/jobs/rank_job.h"

#include <array>
#include <chrono>

namespace spokelab {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds lookEvery = 10ms, patience = 3s, farewell = 100ms, lateFarewell = 2s;
// The first letter of a message.
constexpr char stopWord = 'S', cancelWord = 'C', failWord = 'F';
constexpr char separator = '\0';  // between the parts of a failure

std::array<std::string, 3> partsOf(const std::string& message) {
  std::array<std::string, 3> parts;
  std::size_t at = 1;
  for (std::string& part : parts) {
    const std::size_t end = std::min(message.find(separator, at), message.size());
    part = message.substr(at, end - at);
    at = std::min(end + 1, message.size());
  }
  return parts;
}

}  // namespace

RankJob::RankJob(Ranks& ranks, std::function<void()> stop, const std::stop_token& local)
    : ranks_(ranks),
      stop_(std::move(stop)),
      onLocalStop_(local,
                   [this] {
                     if (ranks_.isFirst())
                       stopAll();
                     else
                       tellFirst(std::string(1, cancelWord));
                   }),
      thread_([this](const std::stop_token& done) { watch(done); }) {
}

RankJob::~RankJob() {
  bool ended = false;
  {
    const std::lock_guard lock(mutex_);
    ended = stopped_ || told_;
  }
  if (!ended) return;
  // The last messages are sent while the thread polls. Some launchers kill all ranks when one has
  // ended early, so rank 0, which reports the reason and removes its unfinished files, ends first.
  std::this_thread::sleep_for(ranks_.isFirst() ? farewell : lateFarewell);
}

bool RankJob::fail(const Error& error) {
  if (ranks_.isFirst()) {
    stopAll();
    return true;
  }
  tellFirst(failWord + error.summary() + separator + error.reason() + separator + error.remedy());
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!wasStopped() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(lookEvery);
  return wasStopped();
}

std::optional<Error> RankJob::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool RankJob::wasStopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

void RankJob::watch(const std::stop_token& done) {
  while (!done.stop_requested()) {
    int from = 0;
    std::string message;
    while (ranks_.poll(from, message)) hear(from, message);
    std::this_thread::sleep_for(lookEvery);
  }
}

void RankJob::hear(int from, const std::string& message) {
  if (message.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (message.front() == failWord && !failure_) {
      const auto [what, why, remedy] = partsOf(message);
      failure_ = Error(what + " (rank " + std::to_string(from) + " of " + std::to_string(ranks_.size()) + ')',
                       why, remedy);
    }
  }
  if (ranks_.isFirst() && message.front() != stopWord) stopAll();
  stop_();
}

void RankJob::tellFirst(const std::string& message) {
  {
    const std::lock_guard lock(mutex_);
    told_ = true;
  }
  ranks_.post(0, message);
}

// Rank 0's; once.
void RankJob::stopAll() {
  {
    const std::lock_guard lock(mutex_);
    if (told_) return;
    told_ = true;
  }
  for (int rank = 1; rank < ranks_.size(); ++rank) ranks_.post(rank, std::string(1, stopWord));
}

}  // namespace spokelab
