// One run through a task graph: threads take what is ready until all is done. No barriers: a task is ready when those it
// waits for have finished. Ready tasks are taken largest first (papers/multicore-nufft-task-graph, III.B.3), private
// copies before all others (III.B.4).
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "engine/core/spin_lock.h"
#include "engine/nufft/schedule/task_graph.h"

namespace spokelab {

// What is to be done: a copy spread (`copy` >= 0), or a task, whose copies, if it has any, are complete.
struct GraphStep {
  std::int64_t task = 0, copy = -1;
};

class TaskRun {
 public:
  // graph must outlive the run. Without `dependencies` a turn begins when the one before has ended everywhere; without
  // `priority` ready tasks are taken in the order in which they became ready.
  TaskRun(const TaskGraph& graph, const SchedulerChoice& choice);

  // Takes steps until there are none; called by any number of threads at once, one is enough. An exception of `body`
  // ends all of them and is thrown where it happened.
  void work(const std::function<void(const GraphStep&)>& body);

 private:
  struct Ready {
    std::int64_t weight, task;
    bool operator<(const Ready& other) const {
      return weight != other.weight ? weight < other.weight : task > other.task;
    }
  };
  bool take(GraphStep& step);
  void await(unsigned seen);  // until more steps have finished
  void announce(std::size_t ready, bool over);
  void finish(const GraphStep& step);
  void arrive(std::int64_t task);  // one of those it waits for has finished
  void makeReady(std::int64_t task);

  const TaskGraph& graph_;
  bool dependencies_, priority_;
  SpinLock lock_;
  std::atomic<unsigned> finished_{0};
  std::atomic<int> asleep_{0};
  std::vector<int> waiting_;         // by task: what it still waits for
  std::vector<Ready> ready_;         // heap
  std::vector<std::int64_t> order_;  // copies, largest first
  std::vector<std::int64_t> left_;   // by turn: tasks that have not finished
  std::size_t nextCopy_ = 0, remaining_ = 0;
  std::int64_t sequence_ = 0;
  bool failed_ = false;
};

}  // namespace spokelab
