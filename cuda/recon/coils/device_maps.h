// Coil maps in the device's memory, complex single precision. Downloads use a stream of the object
// and wait for it.
#pragma once

#include "cuda/device/buffer.h"
#include "cuda/device/stream.h"
#include "engine/recon/coils/backend_maps.h"

namespace spokelab::gpu {

// Most coils for which maps are made on the device: a warp holds the coil matrix of a pixel, one
// row a thread.
inline constexpr int maxMapCoils = 32;

class DeviceMaps final : public BackendMaps {
 public:
  explicit DeviceMaps(std::int64_t count) : maps_(count) {}
  cfloat* data() { return maps_.data(); }
  const cfloat* data() const override { return maps_.data(); }
  std::int64_t count() const override { return maps_.size(); }
  void downloadPart(cfloat* host, std::int64_t first, std::int64_t count) const override {
    copyToHost(host, maps_.data() + first, std::size_t(count) * sizeof(cfloat), stream_.get());
    synchronize(stream_.get());
  }

 private:
  Stream stream_;
  DeviceBuffer<cfloat> maps_;
};

}  // namespace spokelab::gpu
