#include "cuda/nufft/plan/call_graphs.h"

#include <algorithm>

namespace spokelab::gpu {

CallGraphs::Call* CallGraphs::known(const GraphKey& key) {
  const auto same = [&](const Call& call) { return call.key == key; };
  const auto at = std::find_if(calls_.begin(), calls_.end(), same);
  return at == calls_.end() ? nullptr : &*at;
}

const Graph* CallGraphs::find(const GraphKey& key) {
  if (!canRecord_) return nullptr;
  Call* call = known(key);
  if (!call) {
    // The call that was seen first the longest ago goes, with its graph.
    if (calls_.size() == maxCalls) calls_.erase(calls_.begin());
    calls_.push_back({key, 0, {}});
    call = &calls_.back();
  }
  ++call->seen;
  return call->graph ? &call->graph : nullptr;
}

bool CallGraphs::isDue(const GraphKey& key) const {
  const auto due = [&](const Call& call) { return call.key == key && call.seen > callsBefore; };
  return canRecord_ && std::any_of(calls_.begin(), calls_.end(), due);
}

void CallGraphs::forget() {
  for (Call& call : calls_)
    if (call.graph) stale_.push_back(std::move(call.graph));
  calls_.clear();
}

void CallGraphs::keep(const GraphKey& key, Graph graph) {
  stale_.clear();  // here, not in forget(), which must be cheap
  canRecord_ = bool(graph);
  if (Call* const call = known(key)) call->graph = std::move(graph);
  if (!canRecord_) forget();
}

}  // namespace spokelab::gpu
