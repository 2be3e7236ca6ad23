#include "engine/scan/read/correct/sequence_girf.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <unsupported/Eigen/FFT>

#include "engine/core/memory/memory_check.h"
#include "engine/scan/formats/pulseq/pulseq_waveform.h"

namespace spokelab {
namespace {

// [cell edge]: integral of the gradients from the sequence's start, 1/m.
std::vector<Vec3> integralsOf(const PulseqSequence& sequence, double raster, std::size_t cells,
                              const Progress& progress) {
  std::vector<Vec3> edges(cells + 1, Vec3{});
  BlockGradients gradients(sequence);
  Vec3 before{};
  double start = 0;
  std::size_t edge = 0;
  const auto fill = [&](double end) {
    for (; edge < edges.size() && double(edge) * raster < end; ++edge) {
      const Vec3 own = gradients.integral(double(edge) * raster - start);
      for (std::size_t d = 0; d < 3; ++d) edges[edge][d] = before[d] + own[d];
    }
  };
  for (const PulseqBlock& block : sequence.blocks) {
    progress.checkpoint();
    gradients.begin(block);
    fill(start + block.duration);
    const Vec3 whole = gradients.integral(block.duration);
    for (std::size_t d = 0; d < 3; ++d) before[d] += whole[d];
    start += block.duration;
  }
  for (; edge < edges.size(); ++edge) edges[edge] = before;
  return edges;
}

// The response without the gradient itself, at the frequencies of a transform of `size` cells.
std::vector<std::array<cdouble, 3>> changeOf(const Girf& girf, std::size_t size, double raster) {
  std::vector<std::array<cdouble, 3>> change(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double whole = i < size / 2 ? double(i) : double(i) - double(size);
    change[i] = girf.gradientAt(whole / (double(size) * raster));
    for (cdouble& h : change[i]) h -= 1.0;
  }
  return change;
}

}  // namespace

GradientDeviation girfDeviation(const PulseqSequence& sequence, const Girf& girf, const std::string& problem,
                                const Progress& progress) {
  const double raster = sequence.gradientRaster;
  const auto cells = std::size_t(std::ceil(sequence.duration() / raster)) + 1;
  requireMemory(2.0 * double(cells) * sizeof(Vec3), problem, "the gradients of the whole sequence",
                "Use a machine with more memory, or girf=none");
  const std::vector<Vec3> asked = integralsOf(sequence, raster, cells, progress);
  // The response lasts as long as its frequencies' spacing says: the margin of a stretch of cells.
  constexpr std::size_t maxMargin = 1 << 16, minStretch = 1 << 12;
  const double spacing =
      (girf.frequencies.back() - girf.frequencies.front()) / double(girf.frequencies.size() - 1);
  const auto margin = std::size_t(std::min(double(maxMargin), std::ceil(1 / (spacing * raster))));
  std::size_t size = minStretch;
  while (size < 4 * margin) size *= 2;
  const std::size_t stretch = size - 2 * margin;
  const std::vector<std::array<cdouble, 3>> change = changeOf(girf, size, raster);
  auto moved = std::make_shared<std::vector<Vec3>>(cells + 1, Vec3{});
  Eigen::FFT<double> fft;
  std::vector<cdouble> played(size), spectrum, response;
  for (std::size_t first = 0; first < cells; first += stretch) {
    progress.report(double(first) / double(cells), "Applying the impulse response");
    for (std::size_t d = 0; d < 3; ++d) {
      bool silent = true;
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t cell = first + i;  // ahead by the margin
        played[i] = 0;
        if (cell < margin || cell - margin >= cells) continue;
        played[i] = asked[cell - margin + 1][d] - asked[cell - margin][d];
        silent = silent && played[i] == 0.0;
      }
      if (silent) continue;
      fft.fwd(spectrum, played);
      for (std::size_t i = 0; i < size; ++i) spectrum[i] *= change[i][d];
      fft.inv(response, spectrum);
      for (std::size_t i = 0; i < stretch && first + i < cells; ++i)
        (*moved)[first + i + 1][d] = response[margin + i].real();
    }
  }
  for (std::size_t i = 1; i < moved->size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) (*moved)[i][d] += (*moved)[i - 1][d];
  return [moved, raster](double seconds) {
    const double at = std::clamp(seconds / raster, 0.0, double(moved->size() - 1));
    const std::size_t i = std::min(std::size_t(at), moved->size() - 2);
    const double share = at - double(i);
    Vec3 way;
    for (std::size_t d = 0; d < 3; ++d) way[d] = (1 - share) * (*moved)[i][d] + share * (*moved)[i + 1][d];
    return way;
  };
}

}  // namespace spokelab
