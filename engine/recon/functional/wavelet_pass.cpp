#include "engine/recon/functional/wavelet_pass.h"

#include <algorithm>
#include <vector>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxLinesTogether =
    16;  // adjacent lines along x: passes along y and z then read whole cache lines

// Lines of equal length side by side: [place, line].
template <class Real>
struct WaveletLines {
  using Complex = std::complex<Real>;
  std::int64_t length, width;
  std::vector<Complex> in, out;

  WaveletLines(std::int64_t length_, std::int64_t width_)
      : length(length_), width(width_), in(std::size_t(length_ * width_)), out(in.size()) {}

  std::int64_t even() const { return length - length % 2; }
  std::int64_t details() const { return length - length / 2; }

  void add(double factor, const Complex* from, Complex* to) const {
    for (std::int64_t c = 0; c < width; ++c) to[c] += Real(factor) * from[c];
  }
  template <std::size_t taps>
  void run(const std::array<double, taps>& low, bool isInverse) {
    if (isInverse)
      inverse(low);
    else
      forward(low);
  }
  template <std::size_t taps>
  void forward(const std::array<double, taps>& low) {
    std::fill(out.begin(), out.end(), Complex(0));
    for (std::int64_t k = 0; k < length / 2; ++k)
      for (std::size_t t = 0; t < taps; ++t) {
        const double h = low[t];
        const double g = (t % 2 ? -1 : 1) * low[taps - 1 - t];
        const Complex* const from = in.data() + (2 * k + std::int64_t(t)) % even() * width;
        add(h, from, out.data() + k * width);
        add(g, from, out.data() + (details() + k) * width);
      }
    if (length % 2) add(1, in.data() + (length - 1) * width, out.data() + length / 2 * width);
  }
  template <std::size_t taps>
  void inverse(const std::array<double, taps>& low) {
    std::fill(out.begin(), out.end(), Complex(0));
    for (std::int64_t k = 0; k < length / 2; ++k)
      for (std::size_t t = 0; t < taps; ++t) {
        const double h = low[t];
        const double g = (t % 2 ? -1 : 1) * low[taps - 1 - t];
        Complex* const to = out.data() + (2 * k + std::int64_t(t)) % even() * width;
        add(h, in.data() + k * width, to);
        add(g, in.data() + (details() + k) * width, to);
      }
    if (length % 2) add(1, in.data() + length / 2 * width, out.data() + (length - 1) * width);
  }
};

}  // namespace

template <class Real>
void waveletPass(const HostSpace<Real>& space, const WaveletPass& pass, std::complex<Real>* values,
                 std::complex<Real>* /*room*/) {
  const std::array<std::int64_t, 3> stride{1, pass.size[0], pass.size[0] * pass.size[1]};
  const auto axis = std::size_t(pass.axis);
  const std::size_t slow = pass.axis == 2 ? 1 : 2, fast = pass.axis == 0 ? 1 : 0;
  const std::int64_t length = pass.box[axis];
  const std::int64_t linesTogether = pass.axis == 0 ? 1 : std::min(maxLinesTogether, pass.box[0]);
  const std::int64_t groups = (pass.box[fast] + linesTogether - 1) / linesTogether;
  parallelFor(groups * pass.box[slow], space.threads(), 4, [&](std::int64_t begin, std::int64_t end) {
    WaveletLines<Real> lines(length, linesTogether);
    for (std::int64_t g = begin; g < end; ++g) {
      const std::int64_t first = g % groups * linesTogether;
      lines.width = std::min(linesTogether, pass.box[fast] - first);
      std::complex<Real>* const start = values + first * stride[fast] + g / groups * stride[slow];
      const auto placeOf = [&](std::int64_t i, bool turned) {
        return start + (turned ? (i + pass.shift) % length : i) * stride[axis];
      };
      for (std::int64_t i = 0; i < length; ++i)
        std::copy_n(placeOf(i, !pass.inverse), lines.width, lines.in.data() + i * lines.width);
      if (pass.family == WaveletFamily::haar)
        lines.run(haarLowPass, pass.inverse);
      else
        lines.run(waveletLowPass, pass.inverse);
      for (std::int64_t i = 0; i < length; ++i)
        std::copy_n(lines.out.data() + i * lines.width, lines.width, placeOf(i, pass.inverse));
    }
  });
}

template void waveletPass(const HostSpace<float>&, const WaveletPass&, cfloat*, cfloat*);
template void waveletPass(const HostSpace<double>&, const WaveletPass&, cdouble*, cdouble*);

}  // namespace spokelab
