#include "engine/scan/read/sample_follower.h"

#include <utility>

namespace spokelab {
namespace {

thread_local SampleFollower* active = nullptr;

}  // namespace

SampleFollower* activeSampleFollower() noexcept {
  return active;
}

SampleFollowScope::SampleFollowScope(SampleFollower* follower) noexcept
    : before_(std::exchange(active, follower)) {
}

SampleFollowScope::~SampleFollowScope() {
  active = before_;
}

void tellSamplesChange() {
  if (active) active->changed();
}

}  // namespace spokelab
