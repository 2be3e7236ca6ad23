#include "engine/core/jobs/rank_values.h"

#include <algorithm>

namespace spokelab {

void shareParts(Ranks& ranks, void* data, std::span<const RankPart> parts, const Progress& progress) {
  auto* const bytes = static_cast<std::byte*>(data);
  const int thisRank = ranks.rank(), size = ranks.size();
  const auto send = [&](int to) {
    const RankPart& part = parts[std::size_t(thisRank)];
    if (part.bytes > 0) ranks.send(bytes + part.first, part.bytes, to, progress);
  };
  const auto receive = [&](int from) {
    const RankPart& part = parts[std::size_t(from)];
    if (part.bytes > 0) ranks.receive(bytes + part.first, part.bytes, from, progress);
  };
  // In each turn all ranks that have a partner are busy; of a pair the lower one sends first.
  for (int turn = 0; turn < size; ++turn) {
    const int other = (turn - thisRank + size) % size;
    if (other == thisRank) continue;
    if (thisRank < other) send(other);
    receive(other);
    if (thisRank > other) send(other);
  }
}

double sumOfRanks(Ranks& ranks, double value, const Progress& progress) {
  ranks.sum(&value, 1, progress);
  ranks.broadcast(&value, sizeof value, progress);
  return value;
}

double largestOfRanks(Ranks& ranks, double value, const Progress& progress) {
  std::vector<double> values(std::size_t(ranks.size()), 0.0);
  values[std::size_t(ranks.rank())] = value;
  ranks.sum(values.data(), values.size(), progress);
  ranks.broadcast(values.data(), values.size() * sizeof(double), progress);
  return *std::max_element(values.begin(), values.end());
}

EvenPart evenPart(int rank, int ranks, std::int64_t count) {
  return {count * rank / ranks, count * (rank + 1) / ranks};
}

}  // namespace spokelab
