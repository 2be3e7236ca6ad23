// A proximal map of the user's in place of a functional's ("plug and play", Venkatakrishnan,
// Bouman, Wohlberg 2013): a denoiser, or any
//   D(v) = argmin_x 1/2 |x - v|^2 + strength R(x)
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

// Images [image, z, y, x] of data whose largest gridded value is 1. A denoiser of images with
// Gaussian noise of standard deviation sigma in each complex value has the strength sigma^2.
struct DenoiserRequest {
  std::int64_t images = 1;
  int dims = 2;
  Index3 size{1, 1, 1};
  double strength = 0;
  int threads = 0;  // 0: all
};

class Denoiser {
 public:
  virtual ~Denoiser() = default;
  // In place; returns R of the result where it is known. Throws Error, where it fails or returns
  // numbers that are not finite; Cancelled.
  virtual std::optional<double> denoise(const DenoiserRequest& request, cfloat* images,
                                        const Progress& progress) = 0;
  // "median 1.0 (median.so)", once it has denoised.
  virtual std::string title() const = 0;
};

// Shares a denoiser. Nothing of it is inline: GCC 12 would take the pointer of options without a
// name for uninitialized.
class SharedDenoiser {
 public:
  SharedDenoiser();
  SharedDenoiser(std::shared_ptr<Denoiser> denoiser);
  SharedDenoiser(const SharedDenoiser& other);
  SharedDenoiser& operator=(const SharedDenoiser& other);
  ~SharedDenoiser();
  Denoiser* get() const;  // null: no denoiser

 private:
  std::shared_ptr<Denoiser> denoiser_;
};

// Throws Error where the name's ending is not .so, .py or .onnx, or the file does not exist.
void checkDenoiserFile(const std::string& file);

}  // namespace spokelab
