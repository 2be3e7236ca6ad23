// Work of a stream, recorded once and launched again as one graph. Launching a graph costs the host
// no more than launching one kernel. Launches take most of the time of a transform of few points.
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "engine/core/error.h"

namespace spokelab::gpu {

class Graph {
 public:
  Graph() = default;
  ~Graph();
  Graph(Graph&& o) noexcept : executable_(std::exchange(o.executable_, nullptr)) {}
  Graph& operator=(Graph&& o) noexcept {
    std::swap(executable_, o.executable_);
    return *this;
  }
  explicit operator bool() const { return executable_ != nullptr; }
  void launch(cudaStream_t stream) const;

 private:
  friend class GraphRecorder;
  explicit Graph(cudaGraphExec_t made) : executable_(made) {}
  cudaGraphExec_t executable_ = nullptr;
};

// Between its making and end() work that this thread gives to `stream` is recorded, not run.
// Nothing may wait for the stream meanwhile.
class GraphRecorder {
 public:
  explicit GraphRecorder(cudaStream_t stream);
  ~GraphRecorder();  // without end(): drops what was recorded
  GraphRecorder(const GraphRecorder&) = delete;
  GraphRecorder& operator=(const GraphRecorder&) = delete;
  // Empty where the work cannot be recorded.
  Graph end();

 private:
  cudaGraph_t stop();
  cudaStream_t stream_;
};

// Records the work that `work` gives to `stream`; empty if recording is not possible.
template <class Work>
Graph recorded(cudaStream_t stream, Work&& work) {
  try {
    GraphRecorder recorder(stream);
    work();
    return recorder.end();
  } catch (const Error&) {
    return {};  // the caller then runs the work unrecorded, which throws the error if it persists
  }
}

}  // namespace spokelab::gpu
