// Keeps samples of coils in a backend's memory, for SENSE and gridding. Samples that prepareScan()
// mixes in the backend remain there. Other samples are sent ahead while the host makes weights and
// maps, or while the backend works on the frame before. Points of the first frame that SENSE plans
// are sent ahead, too.
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

class CoilMixer {
 public:
  virtual ~CoilMixer() = default;

  // True if it can begin at once; else it loads a library first, which takes some ten milliseconds.
  virtual bool ready() const = 0;
  // True if this number of samples and coils fits, and sending them is worth its time.
  virtual bool takes(std::int64_t coils, std::int64_t samples) = 0;
  // Sum over the samples of y y^H, [coil, coil]. coils: [sample] each, in host memory. Throws
  // Error, Cancelled.
  virtual std::vector<cdouble> covariance(std::span<const cfloat* const> coils, std::int64_t samples,
                                          const Progress& progress) = 0;
  // out [row, sample], host memory, = M y; matrix: M [row, coil]. Throws Error, Cancelled.
  virtual void mix(std::span<const cdouble> matrix, int rows, std::span<const cfloat* const> coils,
                   std::int64_t samples, cfloat* out, const Progress& progress) = 0;
  // Begins to copy samples as they are, and returns: coils [sample] each, one after the other in
  // host memory, which stay until forget() or the end. False, and nothing is done: they are too few
  // to matter, or do not fit.
  virtual bool send(std::span<const cfloat* const> coils, std::int64_t samples) = 0;
  // Copies that send() made of coils whose first one is `host` are not needed any more.
  virtual void forget(const cfloat* host) = 0;
  // The copy of `host` in the backend's memory, or null. `host` points into values that mix() gave
  // or send() took. Waits until that coil has arrived.
  virtual const cfloat* copyOf(const cfloat* host) const = 0;
  // Begins to copy points [sample, dims] in cycles/FOV as they are, and returns. The points must
  // stay in host memory until forgetPoints() or the end. Few points, or too many for the memory,
  // are not copied.
  virtual void sendPoints(std::span<const double> /*points*/) {}
  // The points' copy in the backend's memory, once it has arrived; null: these points were not
  // sent.
  virtual const double* copyOfPoints(const double* /*host*/) const { return nullptr; }
  virtual void forgetPoints() {}
};

// Sends samples of slices of a frame ahead, as far as they fit. coils: consecutive numbers; empty:
// all. mixer: the backend's; null: does nothing.
void sendAhead(CoilMixer* mixer, const Scan& scan, int frame, std::span<const int> slices,
               std::span<const int> coils = {});
// Frees what was sent of these slices.
void forgetSent(CoilMixer* mixer, const Scan& scan, int frame, std::span<const int> slices,
                std::span<const int> coils = {});

}  // namespace spokelab
