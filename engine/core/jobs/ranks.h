// Processes, or threads with a device each, that share one job. The job's code sees this interface
// alone. Its implementations start the ranks and carry their data: MPI's processes (app/mpi/), and
// threads (thread_ranks.h).
#pragma once

#include <cstddef>
#include <string>

#include "engine/core/progress.h"

namespace spokelab {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;  // of this process: 0 ... size - 1; 0 writes and prints
  virtual int size() const = 0;
  virtual std::string host() const = 0;  // the machine or the device, for reports

  // All ranks call these in the same order, from one thread. They wait for the other ranks, and
  // throw Cancelled once `progress` is asked to stop; nothing further may then be called but post
  // and poll.
  virtual void broadcast(void* data, std::size_t bytes, const Progress& progress) = 0;  // rank 0's to all
  // Sums element by element into rank 0's values; other ranks keep theirs.
  virtual void sum(float* values, std::size_t count, const Progress& progress) = 0;
  virtual void sum(double* values, std::size_t count, const Progress& progress) = 0;
  // Between two ranks.
  virtual void send(const void* data, std::size_t bytes, int to, const Progress& progress) = 0;
  virtual void receive(void* data, std::size_t bytes, int from, const Progress& progress) = 0;
  // Returns when all ranks have called it.
  virtual void barrier(const Progress& progress) {
    char word = 0;
    double arrived = 1;
    sum(&arrived, 1, progress);
    broadcast(&word, sizeof word, progress);
  }

  // Short messages beside these, from any thread and at any time. poll: false where none has come.
  virtual void post(int to, const std::string& message) = 0;
  virtual bool poll(int& from, std::string& message) = 0;

  bool isFirst() const { return rank() == 0; }
};

}  // namespace spokelab
