// One run through a task graph: threads take ready steps until all are done. Without barriers: a
// task is ready when the tasks it waits for have finished. Ready tasks are taken largest first
// ([multicore-nufft] III.B.3), private copies before all tasks (III.B.4).
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "engine/core/spin_lock.h"
#include "engine/nufft/schedule/task_graph.h"

namespace spokelab {

// Spread a private copy (`copy` >= 0), or run a task, whose copies are then complete.
struct GraphStep {
  std::int64_t task = 0, copy = -1;
};

class TaskRun {
 public:
  // graph must outlive the run. Without SchedulerPart::graph a turn begins when the turn before has
  // ended everywhere; without SchedulerPart::queue ready tasks are taken in the order in which they
  // became ready.
  TaskRun(const TaskGraph& graph, const SchedulerChoice& choice);

  // Takes steps until all are done. May be called by any number of threads at once; one is enough.
  // An exception of `body` ends the work of all threads and is thrown in the thread where it
  // happened.
  void work(const std::function<void(const GraphStep&)>& body);

 private:
  struct Ready {
    std::int64_t weight, task;
    bool operator<(const Ready& other) const {
      return weight != other.weight ? weight < other.weight : task > other.task;
    }
  };
  bool take(GraphStep& step);
  void await(unsigned seen);  // returns when more steps have finished
  void announce(std::size_t ready, bool over);
  void finish(const GraphStep& step);
  void arrive(std::int64_t task);  // one of the steps that `task` waits for has finished
  void makeReady(std::int64_t task);

  const TaskGraph& graph_;
  bool dependencies_, priority_;
  SpinLock lock_;
  std::atomic<unsigned> finished_{0};
  std::atomic<int> asleep_{0};
  std::vector<int> waiting_;              // by task: steps that it still waits for
  std::vector<Ready> ready_;              // heap
  std::vector<std::int64_t> order_;       // copies, largest first
  std::vector<std::int64_t> unfinished_;  // by turn: unfinished tasks
  std::size_t nextCopy_ = 0, remaining_ = 0;
  std::int64_t sequence_ = 0;
  bool failed_ = false;
};

}  // namespace spokelab
