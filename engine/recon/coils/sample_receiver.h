// A backend's receiver of samples while the rest of their file is read (prepare/samples_ahead.h).
#pragma once

#include <cstdint>
#include <memory>

#include "engine/scan/scan.h"

namespace spokelab {

// One thread calls it.
class SampleReceiver {
 public:
  virtual ~SampleReceiver() = default;
  // True if it takes the samples of this scan; it has made room then.
  virtual bool open(const std::shared_ptr<const Scan>& scan) = 0;
  // These samples of all coils of a slice of a frame have their values.
  virtual void receive(int frame, int slice, std::int64_t first, std::int64_t count) = 0;
  // No others follow.
  virtual void finish() = 0;
  // Drops the received samples: the scan was changed after they were sent.
  virtual void drop() = 0;
};

}  // namespace spokelab
