// A backend whose first plan loads libraries, which later ones find loaded: who times plans has them loaded before, as
// the first plan would pay for all.
#pragma once

namespace spokelab {

class WarmBackend {
 public:
  virtual ~WarmBackend() = default;
  // Loads them where they are not. Never throws: where that fails, a plan gives the reason.
  virtual void warmUp() noexcept = 0;
};

}  // namespace spokelab
