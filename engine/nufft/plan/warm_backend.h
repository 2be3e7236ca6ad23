// A backend whose first plan loads libraries. A tuner loads them before it times plans, because the
// first plan would pay for all.
#pragma once

namespace spokelab {

class WarmBackend {
 public:
  virtual ~WarmBackend() = default;
  // Loads them if they are not loaded. Does not throw: a plan gives the reason of a failure.
  virtual void warmUp() noexcept = 0;
};

}  // namespace spokelab
