// The vectors of SENSE whose coils several devices divide (engine/recon/operators/rank_space.h):
// sums go from device to device by NCCL, or through the hosts where it is missing.
#pragma once

#include <memory>
#include <string>

#include "cuda/device/libraries/collective_keeper.h"
#include "cuda/recon/operators/device_space.h"
#include "engine/recon/operators/rank_space.h"

namespace spokelab::gpu {

class DeviceRankSpace : public AgreeingSpace<DeviceSpace> {
 public:
  // keeper: has the connection of the ranks' devices, and outlives the space.
  DeviceRankSpace(Ranks& ranks, CollectiveKeeper* keeper) : AgreeingSpace(ranks), keeper_(keeper) {}

  // Returns when the sum is there.
  void sumOverRanks(cfloat* values, std::int64_t n);
  // Why sums go through the hosts; empty: they do not.
  std::string detour() const { return connected_ && !collective_ ? keeper_->why() : ""; }

 private:
  void sumOnHosts(cfloat* values, std::int64_t n);

  CollectiveKeeper* keeper_;
  std::shared_ptr<Collective> collective_;
  bool connected_ = false;
};

}  // namespace spokelab::gpu
