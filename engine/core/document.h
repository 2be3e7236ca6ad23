// Documents: texts that people and other programs hand us, JSON above all. Each is read with a
// limit on its size and parsed with a limit on its depth, so that none can fill the memory or the
// stack.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/core/progress.h"

namespace spokelab {

// Far above our own longest documents: a session of hundreds of sweeps has a few MB.
inline constexpr std::size_t maxDocumentBytes = std::size_t{64} << 20;
// Our own documents lie at most 10 deep.
inline constexpr int maxDocumentDepth = 64;

// The whole text of a file, a pipe or a device. Waits for a pipe's writer, and ends at once where
// the job is cancelled. Throws Error where it cannot be read or is longer than `maxBytes`.
std::string readDocument(const std::filesystem::path& path, const Progress& progress = {},
                         std::size_t maxBytes = maxDocumentBytes);

// Throws Error(problem, why, remedy) if the text is not JSON or is nested too deep.
nlohmann::json parseDocument(std::string_view text, const std::string& problem, const std::string& remedy);

// False where brackets are nested deeper than in any document of ours.
bool isShallow(std::string_view json);

}  // namespace spokelab
