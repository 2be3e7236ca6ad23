// Records repeated calls of a plan: the third call with the same arrays is recorded as a Graph,
// later calls launch this graph. An iteration swaps few arrays, so a few graphs are kept.
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
  // True if a call that find() counted should be recorded now.
  bool isDue(const GraphKey& key) const;
  // Keeps a graph; an empty one says that such calls cannot be recorded, and none is again.
  void keep(const GraphKey& key, Graph graph);
  // Drops all graphs after points or weights changed. It is cheap: graphs are freed when others are
  // kept.
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
