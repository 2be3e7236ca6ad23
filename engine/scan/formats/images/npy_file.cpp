#include "engine/scan/formats/images/npy_file.h"

#include "engine/core/atomic_file.h"
#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

void writeNpyFile(const std::filesystem::path& file, const std::string& type,
                  const std::vector<std::int64_t>& shape, const std::function<void(ByteSink&)>& writeValues,
                  const Progress& progress, OutputKind kind) {
  AtomicFile atomic(file, kind);
  ByteSink sink(atomic.path(), file, false);
  const std::string header = npyHeaderText(type, shape);
  sink.write(header.data(), header.size());
  writeValues(sink);
  sink.close();
  atomic.commit(progress);
}

}  // namespace spokelab
