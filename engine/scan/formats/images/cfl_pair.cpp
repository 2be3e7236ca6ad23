#include "engine/scan/formats/images/cfl_pair.h"

#include "engine/core/atomic_file.h"
#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

void writeCflPair(const std::filesystem::path& file, const std::vector<std::int64_t>& sizes,
                  const std::string& creator, const std::function<void(ByteSink&)>& writeValues,
                  const Progress& progress, OutputKind kind) {
  std::filesystem::path text = file, data = file;
  text.replace_extension(".hdr");
  data.replace_extension(".cfl");
  AtomicFile textFile(text, kind), dataFile(data, kind);
  const std::string header = cflHeaderText(sizes, creator);
  ByteSink head(textFile.path(), text, false);
  head.write(header.data(), header.size());
  head.close();
  ByteSink sink(dataFile.path(), data, false);
  writeValues(sink);
  sink.close();
  progress.report(1, "Wrote " + data.filename().string());  // the last chance to cancel
  dataFile.commit(progress);
  textFile.commit(progress);
}

}  // namespace spokelab
