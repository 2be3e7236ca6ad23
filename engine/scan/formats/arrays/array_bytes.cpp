#include "engine/scan/formats/arrays/array_bytes.h"

#include <algorithm>

#include "engine/core/array.h"

namespace spokelab {

void StreamedBytes::read(char* data, std::size_t bytes, std::int64_t offset, const Progress& progress) {
  constexpr std::int64_t passedAtOnce = 1 << 20;
  Buffer<char> passed;
  while (at_ < offset) {
    passed.resize(std::size_t(std::min(passedAtOnce, offset - at_)));
    next(passed.data(), passed.size(), progress);
    at_ += std::int64_t(passed.size());
  }
  next(data, bytes, progress);
  at_ += std::int64_t(bytes);
}

}  // namespace spokelab
