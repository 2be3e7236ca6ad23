// The calls of a plan that repeat: one that comes a third time with the same arrays is recorded (Graph), and
// launched as one from then on. An iteration swaps few arrays, so a few graphs are kept.
#pragma once

#include <vector>

#include "cuda/device/graph.h"

namespace spokelab::gpu {

// A call by its arrays; `what` is a literal.
struct GraphKey {
  const char* what = nullptr;
  const void *in = nullptr, *out = nullptr, *also = nullptr;
  bool operator==(const GraphKey&) const = default;
};

class CallGraphs {
 public:
  // The graph of such a call, or null. Counts the call.
  const Graph* find(const GraphKey& key);
  // Whether a call that find() counted is to be recorded now.
  bool isDue(const GraphKey& key) const;
  // Keeps a graph; an empty one says that such calls cannot be recorded, and none is again.
  void keep(const GraphKey& key, Graph graph);
  // What calls do has changed: new points or weights. Costs nothing: graphs are freed when others are kept.
  void forget();

 private:
  // Recording costs about as much as ten small launches.
  static constexpr int callsBefore = 2;
  static constexpr std::size_t maxCalls = 8;
  struct Call {
    GraphKey key;
    int seen = 0;
    Graph graph;
  };
  Call* known(const GraphKey& key);
  std::vector<Call> calls_;  // latest last
  std::vector<Graph> stale_;
  bool able_ = true;
};

}  // namespace spokelab::gpu
