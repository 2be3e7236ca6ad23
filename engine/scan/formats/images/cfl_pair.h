// BART's pair of files: .hdr (text: sizes, fastest first) and .cfl (complex64).
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

// `file`: either half. The pair appears whole or not at all. Throws Error, Cancelled.
void writeCflPair(const std::filesystem::path& file, const std::vector<std::int64_t>& sizes,
                  const std::string& creator, const std::function<void(ByteSink&)>& writeValues,
                  const Progress& progress, OutputKind kind = OutputKind::result);

}  // namespace spokelab
