// A denoiser of the user's (options/denoiser.h) as the proximal map of a functional, on any space.
// It sees images divided by `scale`, whose largest gridded value is 1, on the host in single
// precision. The functional of the images x is scale R(x / scale), R the denoiser's. Its proximal
// map with the threshold t is scale D(x / scale), D with the strength t / scale.
#pragma once

#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/operators/vector_space.h"
#include "engine/recon/options/denoiser.h"

namespace spokelab {

// Throws Error where a number is not finite.
void requireFiniteImages(const cfloat* images, std::int64_t count, const std::string& title);

template <VectorSpace Space>
class Denoised {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;

  // request: without its strength.
  Denoised(Space& space, Denoiser& denoiser, const DenoiserRequest& request, double scale,
           const Progress& progress)
      : space_(space), denoiser_(denoiser), request_(request), scale_(scale), progress_(progress) {}

  std::int64_t unknowns() const { return request_.images * product(request_.size); }
  // True unless the denoiser has kept R's value to itself.
  bool knowsValue() const { return knowsValue_; }

  // Replaces x by its proximal map. Returns scale R(x / scale) of the result, 0 where it is
  // unknown. Throws Error, Cancelled.
  double prox(double threshold, Complex* images) {
    const std::int64_t n = unknowns();
    request_.strength = scale_ > 0 ? threshold / scale_ : 0;
    space_.scaledCopy(Real(scale_ > 0 ? 1 / scale_ : 1), images, images, n);
    host_.resize(std::size_t(n));
    if constexpr (std::is_same_v<Complex, cfloat>) {
      space_.download(images, host_.data(), n);
      denoise();
      space_.upload(host_.data(), images, n);
    } else {
      std::vector<Complex> values(static_cast<std::size_t>(n));
      space_.download(images, values.data(), n);
      std::copy(values.begin(), values.end(), host_.begin());
      denoise();
      std::copy(host_.begin(), host_.end(), values.begin());
      space_.upload(values.data(), images, n);
    }
    space_.scaledCopy(Real(scale_), images, images, n);
    return value_;
  }

 private:
  void denoise() {
    const std::optional<double> value = denoiser_.denoise(request_, host_.data(), progress_);
    requireFiniteImages(host_.data(), unknowns(), denoiser_.title());
    knowsValue_ = value.has_value();
    value_ = value ? scale_ * *value : 0;
  }

  Space& space_;
  Denoiser& denoiser_;
  DenoiserRequest request_;
  double scale_;
  const Progress& progress_;
  bool knowsValue_ = true;
  double value_ = 0;
  Buffer<cfloat> host_;
};

}  // namespace spokelab
