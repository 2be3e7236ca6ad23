#include "cuda/recon/operators/device_rank_space.h"

namespace spokelab::gpu {

void DeviceRankSpace::sumOverRanks(cfloat* values, std::int64_t n) {
  if (!connected_) collective_ = keeper_->of(ranks(), progress());
  connected_ = true;
  if (!collective_) return sumOnHosts(values, n);
  collective_->sum(reinterpret_cast<float*>(values), 2 * n, ranks(),
                   static_cast<cudaStream_t>(execution().stream), progress());
}

void DeviceRankSpace::sumOnHosts(cfloat* values, std::int64_t n) {
  Buffer<cfloat> host(static_cast<std::size_t>(n));
  download(values, host.data(), n);
  ranks().sum(reinterpret_cast<float*>(host.data()), std::size_t(2 * n), progress());
  ranks().broadcast(host.data(), host.size() * sizeof(cfloat), progress());
  upload(host.data(), values, n);
}

}  // namespace spokelab::gpu
