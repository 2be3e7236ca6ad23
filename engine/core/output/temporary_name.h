// Names of half-written files. They say who writes, so that a killed writer's can be removed.
#pragma once

#include <filesystem>

namespace spokelab {

// ".NAME-MARK-PROCESS-COUNT.EXT" in `folder`, new at each call; MARK: host, boot, process space.
std::filesystem::path temporaryName(const std::filesystem::path& folder, const std::filesystem::path& name);

// Removes such files and folders of writers that have certainly ended: writers of an earlier boot
// of this host, or of a process that has ended. Files of other hosts or containers are kept. Never
// throws.
void removeAbandoned(const std::filesystem::path& folder);

}  // namespace spokelab
