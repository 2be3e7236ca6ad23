// Coil maps in the device's memory.
#pragma once

#include "cuda/device/buffer.h"
#include "cuda/device/stream.h"
#include "engine/recon/coils/backend_maps.h"

namespace spokelab::gpu {

// A warp holds the matrix of a pixel, one row a thread.
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
