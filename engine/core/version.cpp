#include "engine/core/version.h"

#include "spokelab/version.h"

namespace spokelab {

const char* version() {
  return SPOKELAB_VERSION;
}

const char* versionCommit() {
  return SPOKELAB_COMMIT;
}

const char* versionText() {
  return SPOKELAB_VERSION " (" SPOKELAB_COMMIT ")";
}

}  // namespace spokelab
