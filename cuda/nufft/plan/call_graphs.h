// Records repeated calls of a plan: the third call with the same arrays is recorded as a Graph,
// later calls launch this graph. An iteration swaps few arrays, so a few graphs are kept.
#pragma once

#include <vector>

#include "cuda/device/graph.h"

namespace spokelab::gpu {

// Identifies a call by its function's name (a string literal) and its arrays.
struct GraphKey {
  const char* what = nullptr;
  const void *in = nullptr, *out = nullptr, *also = nullptr;
  bool operator==(const GraphKey&) const = default;
};

class CallGraphs {
 public:
  // Counts the call. Returns its graph, or null: then make the call, and record it if isDue().
  const Graph* find(const GraphKey& key);
  // True if a call that find() counted should be recorded now.
  bool isDue(const GraphKey& key) const;
  // Keeps a graph. An empty one means that this plan cannot be recorded: all graphs are dropped and
  // no call is due any more.
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
  bool canRecord_ = true;
};

}  // namespace spokelab::gpu
