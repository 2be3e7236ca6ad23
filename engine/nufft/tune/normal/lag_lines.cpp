#include "engine/nufft/tune/normal/lag_lines.h"

#include <algorithm>

namespace spokelab {
namespace {

std::vector<std::size_t> dimsAcross(const NufftProblem& problem, int dim) {
  std::vector<std::size_t> others;
  for (int d = 0; d < problem.dims; ++d)
    if (d != dim) others.push_back(std::size_t(d));
  return others;
}

std::vector<LagLine> allLines(const NufftProblem& problem, const std::vector<std::size_t>& others) {
  std::vector<LagLine> lines{LagLine{}};
  for (const std::size_t d : others) {
    const std::int64_t n = problem.size[d];
    std::vector<LagLine> more;
    for (const LagLine& line : lines)
      for (std::int64_t l = 1 - n; l < n; ++l) {
        more.push_back(line);
        more.back().lag[d] = double(l);
        more.back().share *= double(n - std::abs(l)) / double(n * n);
      }
    lines = std::move(more);
  }
  return lines;
}

// Lags [from, to] of one dimension and their negatives, drawn as one stratum. Samples near a grid
// or on parallel planes are coherent at lag 0, radial samples around it. A uniform draw over all
// pairs would miss these few lags.
struct Zone {
  std::int64_t from = 0, to = 0;
  double share = 0;  // of all pairs of pixels
};

std::vector<Zone> zonesOf(std::int64_t n) {
  constexpr std::int64_t nearPart = 8;
  std::vector<Zone> zones = {{0, 0}};
  const std::int64_t near = std::max<std::int64_t>(1, n / nearPart);
  if (n > 1) zones.push_back({1, std::min(near, n - 1)});
  if (n > near + 1) zones.push_back({near + 1, n - 1});
  for (Zone& zone : zones)
    for (std::int64_t l = zone.from; l <= zone.to; ++l)
      zone.share += (l > 0 ? 2 : 1) * double(n - l) / double(n * n);
  return zones;
}

// Draws a lag of the zone with the frequency of its pairs of pixels.
std::int64_t lagIn(const Zone& zone, std::int64_t n, std::mt19937& random) {
  std::uniform_int_distribution<std::int64_t> lag(zone.from, zone.to), pixel(0, n - zone.from - 1);
  std::int64_t l = lag(random);
  while (pixel(random) >= n - l) l = lag(random);
  return random() & 1U ? l : -l;
}

std::vector<LagLine> someLines(const NufftProblem& problem, const std::vector<std::size_t>& others,
                               std::int64_t count, std::mt19937& random) {
  std::vector<std::vector<Zone>> kinds{{}};  // a zone for each of the dimensions
  for (const std::size_t d : others) {
    std::vector<std::vector<Zone>> more;
    for (const std::vector<Zone>& kind : kinds)
      for (const Zone& zone : zonesOf(problem.size[d])) {
        more.push_back(kind);
        more.back().push_back(zone);
      }
    kinds = std::move(more);
  }
  std::vector<LagLine> lines;
  for (const std::vector<Zone>& kind : kinds) {
    double share = 1;
    std::int64_t possible = 1;
    for (const Zone& zone : kind) {
      share *= zone.share;
      possible *= zone.to > 0 ? 2 * (zone.to - zone.from + 1) : 1;
    }
    const std::int64_t drawn =
        std::min(possible, std::max<std::int64_t>(1, count / std::int64_t(kinds.size())));
    for (std::int64_t i = 0; i < drawn; ++i) {
      LagLine line;
      line.share = share / double(drawn);
      for (std::size_t o = 0; o < others.size(); ++o)
        line.lag[others[o]] = double(lagIn(kind[o], problem.size[others[o]], random));
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace

std::vector<LagLine> linesAcross(const NufftProblem& problem, int dim, std::int64_t count,
                                 std::mt19937& random) {
  const std::vector<std::size_t> others = dimsAcross(problem, dim);
  std::int64_t lineCount = 1;
  for (const std::size_t d : others) lineCount *= 2 * problem.size[d] - 1;
  return lineCount <= count ? allLines(problem, others) : someLines(problem, others, count, random);
}

}  // namespace spokelab
