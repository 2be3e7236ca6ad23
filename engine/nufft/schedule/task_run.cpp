#include "engine/nufft/schedule/task_run.h"

#include <algorithm>
#include <mutex>

#include "engine/core/thread_pool.h"

namespace spokelab {

TaskRun::TaskRun(const TaskGraph& graph, const SchedulerChoice& choice)
    : graph_(graph),
      dependencies_(choice.has(SchedulerPart::graph)),
      priority_(choice.has(SchedulerPart::queue)) {
  const std::vector<GraphTask>& tasks = graph.tasks();
  remaining_ = tasks.size();
  unfinished_.assign(static_cast<std::size_t>(graph.turns()), 0);
  for (const GraphTask& task : tasks) {
    ++unfinished_[static_cast<std::size_t>(task.turn)];
    // Without dependencies the turn before counts as one.
    waiting_.push_back(static_cast<int>(task.copies) +
                       (dependencies_ ? task.predecessors : static_cast<int>(task.turn > 0)));
  }
  order_.resize(graph.copies().size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::int64_t>(i);
  const auto points = [&](std::int64_t copy) {
    const GraphCopy& c = graph.copies()[static_cast<std::size_t>(copy)];
    return c.end - c.begin;
  };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::int64_t a, std::int64_t b) { return points(a) > points(b); });
  for (std::size_t t = 0; t < tasks.size(); ++t)
    if (waiting_[t] == 0) makeReady(static_cast<std::int64_t>(t));
}

void TaskRun::makeReady(std::int64_t task) {
  const std::int64_t weight =
      priority_ ? graph_.tasks()[static_cast<std::size_t>(task)].points : -sequence_++;
  ready_.push_back({weight, task});
  std::push_heap(ready_.begin(), ready_.end());
}

void TaskRun::arrive(std::int64_t task) {
  if (--waiting_[static_cast<std::size_t>(task)] == 0) makeReady(task);
}

bool TaskRun::take(GraphStep& step) {
  if (nextCopy_ < order_.size()) {
    step.copy = order_[nextCopy_++];
    step.task = graph_.copies()[static_cast<std::size_t>(step.copy)].task;
    return true;
  }
  if (ready_.empty()) return false;
  std::pop_heap(ready_.begin(), ready_.end());
  step = {ready_.back().task, -1};
  ready_.pop_back();
  return true;
}

void TaskRun::finish(const GraphStep& step) {
  if (step.copy >= 0) return arrive(step.task);
  --remaining_;
  const GraphTask& task = graph_.tasks()[static_cast<std::size_t>(step.task)];
  if (dependencies_) {
    for (const std::int32_t next : task.successor)
      if (next >= 0) arrive(next);
    return;
  }
  // The last task of a turn lets the next turn begin; every turn has tasks.
  const auto turn = static_cast<std::size_t>(task.turn);
  if (--unfinished_[turn] > 0) return;
  for (std::size_t t = 0; t < graph_.tasks().size(); ++t)
    if (static_cast<std::size_t>(graph_.tasks()[t].turn) == turn + 1) arrive(static_cast<std::int64_t>(t));
}

// Spin before sleeping: waking a thread costs more than a typical task.
void TaskRun::await(unsigned seen) {
  constexpr int maxSpins = 2000;  // some tens of microseconds
  const PoolWait wait;
  for (int i = 0; i < maxSpins; ++i) {
    if (finished_.load() != seen) return;
    spinPause();
  }
  ++asleep_;
  finished_.wait(seen);
  --asleep_;
}

// Wakes sleeping threads. The thread that finished takes one of the ready tasks itself.
void TaskRun::announce(std::size_t ready, bool over) {
  ++finished_;
  if (asleep_.load() == 0) return;
  if (over || ready > 1)
    finished_.notify_all();
  else if (ready > 0)
    finished_.notify_one();
}

void TaskRun::work(const std::function<void(const GraphStep&)>& body) {
  GraphStep step;
  for (bool finished = false;;) {
    const unsigned seen = finished_.load();
    bool over = false, taken = false;
    std::size_t ready = 0;
    {
      const std::lock_guard lock(lock_);
      if (finished) finish(step);
      over = remaining_ == 0 || failed_;
      taken = !over && take(step);
      ready = ready_.size();
    }
    if (finished) announce(ready, over);
    if (over) return;
    if (!taken && !finished) await(seen);
    finished = taken;
    if (!taken) continue;
    if (step.copy < 0 && graph_.tasks()[static_cast<std::size_t>(step.task)].points == 0) continue;
    try {
      body(step);
    } catch (...) {
      {
        const std::lock_guard lock(lock_);
        failed_ = true;
      }
      announce(0, true);
      throw;
    }
  }
}

}  // namespace spokelab
