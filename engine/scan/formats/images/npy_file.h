// NumPy's .npy: a header, then values, row-major.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/output/job_files.h"
#include "engine/core/progress.h"
#include "engine/scan/formats/images/byte_sink.h"

namespace spokelab {

// `type`: of npyHeaderText. `writeValues` writes the values; the file appears whole or not at all.
// Throws Error, Cancelled.
void writeNpyFile(const std::filesystem::path& file, const std::string& type,
                  const std::vector<std::int64_t>& shape, const std::function<void(ByteSink&)>& writeValues,
                  const Progress& progress, OutputKind kind = OutputKind::result);

}  // namespace spokelab
