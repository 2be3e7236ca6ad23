// The version and commit of this build, which reports, wisdom and `--version` name.
#pragma once

namespace spokelab {

// The version, as in "1.0.0".
const char* version();

// The commit CMake saw when it last configured the build (12 hex digits), or "unknown" outside a
// clone.
const char* versionCommit();

// "1.0.0 (0123456789ab)".
const char* versionText();

}  // namespace spokelab
