#include "engine/recon/functional/jump_prox.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t pixelsTogether = 16;  // so that a block of all frames fits into the cache

// The steps of some neighbouring pixels; arrays are [frame, pixel].
template <class Real>
class JumpBlock {
 public:
  using Complex = std::complex<Real>;

  JumpBlock(const JumpProx& prox, Complex* values, Complex* dual, Complex* roots)
      : prox_(prox),
        values_(values),
        dual_(dual),
        roots_(roots),
        jumps_(prox.frames - 1),
        v_(sizeOf(prox.frames)),
        z_(sizeOf(jumps_)),
        u_(sizeOf(jumps_)),
        moves_(sizeOf(jumps_)) {}

  void run(std::int64_t first, std::int64_t width) {
    width_ = width;
    for (std::int64_t t = 0; t < prox_.frames; ++t)
      std::copy_n(values_ + t * prox_.pixels + first, width, v_.data() + t * width);
    for (std::int64_t t = 0; t < jumps_; ++t)
      std::copy_n(dual_ + t * prox_.pixels + first, width, z_.data() + t * width);
    std::copy(z_.begin(), z_.begin() + jumps_ * width, u_.begin());
    std::fill(momentum_.begin(), momentum_.end(), Real(1));
    for (int step = 0; step < prox_.maxSteps; ++step)
      if (!moves()) break;
    for (std::int64_t t = 0; t < jumps_; ++t)
      std::copy_n(z_.data() + t * width, width, dual_ + t * prox_.pixels + first);
    keep(first);
  }

 private:
  static std::size_t sizeOf(std::int64_t rows) { return std::size_t(rows * pixelsTogether); }
  Complex at(const std::vector<Complex>& rows, std::int64_t t, std::int64_t c) const {
    return t < 0 || t >= jumps_ ? Complex(0) : rows[std::size_t(t * width_ + c)];
  }

  // One step of all pixels; false: none moved any more.
  bool moves() {
    const Real bound = Real(prox_.threshold);
    std::array<Real, pixelsTogether> uphill{};
    Real farthest = 0;
    for (std::int64_t t = 0; t < jumps_; ++t)
      for (std::int64_t c = 0; c < width_; ++c) {
        const auto i = std::size_t(t * width_ + c);
        const Complex u = u_[i];
        Complex next = u + Real(0.25) * (v_[i + std::size_t(width_)] - v_[i] + at(u_, t - 1, c) -
                                         Real(2) * u + at(u_, t + 1, c));
        const Real length = std::sqrt(std::norm(next));
        if (length > bound) next *= bound / length;
        const Complex move = next - z_[i];
        farthest = std::max(farthest, std::norm(move));
        uphill[std::size_t(c)] +=
            (u.real() - next.real()) * move.real() + (u.imag() - next.imag()) * move.imag();
        moves_[i] = move;
      }
    std::array<Real, pixelsTogether> share{};
    for (std::int64_t c = 0; c < width_; ++c) {
      Real& momentum = momentum_[std::size_t(c)];
      if (uphill[std::size_t(c)] > 0) momentum = 1;
      const Real next = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
      share[std::size_t(c)] = (momentum - 1) / next;
      momentum = next;
    }
    for (std::int64_t t = 0; t < jumps_; ++t)
      for (std::int64_t c = 0; c < width_; ++c) {
        const auto i = std::size_t(t * width_ + c);
        z_[i] += moves_[i];
        u_[i] = z_[i] + share[std::size_t(c)] * moves_[i];
      }
    return std::sqrt(farthest) > Real(minJumpStep) * bound;
  }

  // x = v - D^H z
  void keep(std::int64_t first) {
    for (std::int64_t c = 0; c < width_; ++c) {
      Real lengths = 0;
      Complex before = 0;
      for (std::int64_t t = 0; t < prox_.frames; ++t) {
        const Complex x = v_[std::size_t(t * width_ + c)] - at(z_, t - 1, c) + at(z_, t, c);
        if (t > 0) lengths += std::sqrt(std::norm(x - before));
        values_[t * prox_.pixels + first + c] = before = x;
      }
      roots_[first + c] = std::sqrt(lengths);
    }
  }

  const JumpProx& prox_;
  Complex *values_, *dual_, *roots_;
  std::int64_t jumps_, width_ = 0;
  std::vector<Complex> v_, z_, u_, moves_;
  std::array<Real, pixelsTogether> momentum_{};
};

}  // namespace

template <class Real>
void jumpProx(const HostSpace<Real>& space, const JumpProx& prox, std::complex<Real>* values,
              std::complex<Real>* dual, std::complex<Real>* /*room*/, std::complex<Real>* roots) {
  parallelFor((prox.pixels + pixelsTogether - 1) / pixelsTogether, space.threads(), 8,
              [&](std::int64_t begin, std::int64_t end) {
                JumpBlock<Real> block(prox, values, dual, roots);
                for (std::int64_t first = begin * pixelsTogether;
                     first < std::min(prox.pixels, end * pixelsTogether); first += pixelsTogether)
                  block.run(first, std::min(pixelsTogether, prox.pixels - first));
              });
}

template void jumpProx(const HostSpace<float>&, const JumpProx&, cfloat*, cfloat*, cfloat*, cfloat*);
template void jumpProx(const HostSpace<double>&, const JumpProx&, cdouble*, cdouble*, cdouble*, cdouble*);

}  // namespace spokelab
