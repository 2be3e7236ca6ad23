#include "cuda/device/graph.h"

#include "cuda/device/check.h"

namespace spokelab::gpu {

Graph::~Graph() {
  if (executable_) cudaGraphExecDestroy(executable_);
}

void Graph::launch(cudaStream_t stream) const {
  check(cudaGraphLaunch(executable_, stream), "launching recorded work");
}

// Relaxed: the restrictions of the other modes are about calls that this plan does not make, and
// would hold for other threads' plans as well.
GraphRecorder::GraphRecorder(cudaStream_t stream) : stream_(stream) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "recording work");
}

GraphRecorder::~GraphRecorder() {
  if (cudaGraph_t graph = stream_ ? stop() : nullptr) cudaGraphDestroy(graph);
}

Graph GraphRecorder::end() {
  cudaGraph_t graph = stop();
  if (!graph) return {};
  cudaGraphExec_t made = nullptr;
  const bool good = cudaGraphInstantiate(&made, graph, 0) == cudaSuccess;
  cudaGraphDestroy(graph);
  if (good) return Graph(made);
  cudaGetLastError();
  return {};
}

cudaGraph_t GraphRecorder::stop() {
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(stream_, &graph) != cudaSuccess) {
    cudaGetLastError();
    graph = nullptr;
  }
  stream_ = nullptr;
  return graph;
}

}  // namespace spokelab::gpu
