// The connection of a device with others, kept between jobs.
#pragma once

#include <memory>
#include <string>

#include "cuda/device/libraries/collective.h"

namespace spokelab::gpu {

class CollectiveKeeper {
 public:
  // All ranks call it at the same time. Null on all ranks if they cannot be connected; why() says
  // why.
  std::shared_ptr<Collective> of(Ranks& ranks, const Progress& progress);
  const std::string& why() const { return why_; }

 private:
  std::shared_ptr<Collective> collective_;
  std::string members_, why_;
};

}  // namespace spokelab::gpu
