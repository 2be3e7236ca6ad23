#include "cuda/nufft/toeplitz/toeplitz_fused.h"

#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

int FusedToeplitz::length(int minLength) {
  for (const int l : fusedLengths)
    if (l >= minLength) return l;
  return 0;
}

bool FusedToeplitz::serves(int dims, const std::array<int, 3>& image, const std::array<int, 3>& minLength) {
  // A length far over the smallest would cost more than passes of our own save.
  constexpr double maxWaste = 1.3;
  double waste = 1;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    if (image[d] < 2 || length(minLength[d]) == 0) return false;
    waste *= double(length(minLength[d])) / (minLength[d] + 1.0);
  }
  return dims >= 2 && waste <= maxWaste * maxWaste;
}

FusedToeplitz::FusedToeplitz(int dims, const std::array<int, 3>& image, const std::array<int, 3>& length,
                             std::int64_t batch, cudaStream_t stream)
    : dims_(dims), image_(image), length_(length) {
  const std::int64_t rows = batch * image_[1] * image_[2];
  lines_.resize(rows * length_[0]);
  if (dims_ == 3) planes_.resize(batch * image_[2] * length_[1] * length_[0]);
  turns_ = lineTurns<float>(length_, stream);
}

void FusedToeplitz::apply(const float2* in, const float2* factor, float2* out, const float* transfer,
                          std::int64_t count, int* notFinite, StageClock& clock, cudaStream_t stream) {
  const std::int64_t nx = image_[0], ny = image_[1], nz = image_[2], lx = length_[0], ly = length_[1];
  const float2 *turnX = turns_.data(), *turnY = turnX + lx, *turnZ = turnY + ly;
  const auto bytes = [](std::int64_t values) { return double(values) * sizeof(float2); };
  const std::int64_t row = lx, plane = ly * lx, imageRows = ny * nz, rows = count * imageRows;
  const auto along = [&](LinePass pass, std::size_t axis, const float2* from, float2* to, const float2* turn,
                         std::int64_t lines, std::int64_t inner, Lines::Side input, Lines::Side output) {
    Lines l{lines, inner, input, output, image_[axis], 0, axis == 0};
    LineFactors<float> factors{nullptr, nullptr, nullptr, notFinite};
    if (pass == LinePass::pad && axis == 0) factors.image = factor;
    launchLinePass<float>(pass, length_[axis], from, to, l, 1, turn, factors, transfer, stream);
  };
  clock.multiplyInFft();
  along(LinePass::pad, 0, in, lines_.data(), turnX, rows, imageRows, {imageRows * nx, nx},
        {imageRows * lx, lx});
  clock.mark(Stage::fft, bytes(rows * ((factor ? 2 : 1) * nx + lx)));
  if (dims_ == 2) {
    const Lines::Side columns{ny * row, 1, row};
    along(LinePass::fused, 1, lines_.data(), lines_.data(), turnY, count * lx, lx, columns, columns);
    clock.mark(Stage::fft, 2 * bytes(count * ny * lx) + double(lx * ly) * sizeof(float));
  } else {
    const Lines::Side image{ny * row, 1, row}, padded{plane, 1, row}, depth{nz * plane, 1, plane};
    along(LinePass::pad, 1, lines_.data(), planes_.data(), turnY, count * nz * lx, lx, image, padded);
    along(LinePass::fused, 2, planes_.data(), planes_.data(), turnZ, count * plane, plane, depth, depth);
    along(LinePass::crop, 1, planes_.data(), lines_.data(), turnY, count * nz * lx, lx, padded, image);
    clock.mark(Stage::fft, 2 * bytes(count * nz * lx * (ny + ly)) + 2 * bytes(count * nz * ly * lx) +
                               double(lx * ly * length_[2]) * sizeof(float));
  }
  along(LinePass::crop, 0, lines_.data(), out, turnX, rows, 1, {lx}, {nx});
  clock.mark(Stage::fft, bytes(rows * (nx + lx)));
}

std::int64_t FusedToeplitz::estimate(int dims, const std::array<int, 3>& image,
                                     const std::array<int, 3>& length, std::int64_t batch) {
  const std::int64_t lines = batch * image[1] * image[2] * length[0];
  const std::int64_t planes = dims == 3 ? batch * image[2] * length[1] * length[0] : 0;
  return (lines + planes) * std::int64_t(sizeof(float2));
}

}  // namespace spokelab::gpu
