// The CPU's backend as another machine's: for tests of jobs on unequal ones.
#pragma once

#include <string>

#include "tests/engine/recon/forwarding_backend.h"

namespace spokelab::test {

// The CPU under another processor's name.
class OtherProcessor : public ForwardingBackend<Backend> {
 public:
  std::string fingerprint() const override { return "another processor"; }
};

}  // namespace spokelab::test
