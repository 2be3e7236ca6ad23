#include "engine/scan/formats/arrays/array_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "files are read in the machine's byte order");

constexpr std::int64_t pieceBytes = 2 << 20;  // read in some ms
constexpr std::size_t maxHeaderBytes = 1 << 20;
const char* const copyAgain = "Copy the file again, or write it again with the program that made it";

class Descriptor {
 public:
  Descriptor(const fs::path& file, const std::string& problem)
      : fd_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) throw Error(problem, std::strerror(errno), "Check the name and the permissions of the file");
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Up to `bytes` bytes from `offset` on; fewer only where the file ends.
std::size_t readAt(int fd, void* data, std::size_t bytes, std::int64_t offset, const std::string& problem) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(fd, static_cast<char*>(data) + done, bytes - done, offset + off_t(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(problem, std::strerror(errno), copyAgain);
    if (got == 0) break;
    done += std::size_t(got);
  }
  return done;
}

std::string lowerExtension(const fs::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

void swapBytes(char* data, std::int64_t count, int bytes) {
  for (std::int64_t i = 0; i < count; ++i) std::reverse(data + i * bytes, data + (i + 1) * bytes);
}

template <class T>
void convertReal(const char* raw, std::int64_t count, cdouble* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, raw + i * std::int64_t(sizeof(T)), sizeof(T));
    out[i] = cdouble(double(value), 0);
  }
}
template <class T>
void convertComplex(const char* raw, std::int64_t count, cdouble* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    T parts[2];
    std::memcpy(parts, raw + i * std::int64_t(sizeof parts), sizeof parts);
    out[i] = cdouble(double(parts[0]), double(parts[1]));
  }
}

void convert(ElementType type, const char* raw, std::int64_t count, cdouble* out) {
  switch (type) {
    case ElementType::int8:
      return convertReal<std::int8_t>(raw, count, out);
    case ElementType::uint8:
      return convertReal<std::uint8_t>(raw, count, out);
    case ElementType::int16:
      return convertReal<std::int16_t>(raw, count, out);
    case ElementType::uint16:
      return convertReal<std::uint16_t>(raw, count, out);
    case ElementType::int32:
      return convertReal<std::int32_t>(raw, count, out);
    case ElementType::uint32:
      return convertReal<std::uint32_t>(raw, count, out);
    case ElementType::int64:
      return convertReal<std::int64_t>(raw, count, out);
    case ElementType::uint64:
      return convertReal<std::uint64_t>(raw, count, out);
    case ElementType::float32:
      return convertReal<float>(raw, count, out);
    case ElementType::float64:
      return convertReal<double>(raw, count, out);
    case ElementType::complex64:
      return convertComplex<float>(raw, count, out);
    case ElementType::complex128:
      return convertComplex<double>(raw, count, out);
  }
}

}  // namespace

ArrayFile::ArrayFile(const fs::path& file) : data_(file), problem_("Cannot read " + file.string()) {
  const std::string extension = lowerExtension(file);
  if (extension == ".cfl" || extension == ".hdr") {
    fs::path text = file;
    data_.replace_extension(".cfl");
    text.replace_extension(".hdr");
    for (const fs::path& part : {text, data_})
      if (!fs::exists(part))
        throw Error(problem_, "there is no " + part.filename().string() + " beside it",
                    "BART's arrays are pairs of .hdr and .cfl: copy both");
    if (fs::file_size(text) > maxHeaderBytes)
      throw Error(problem_, "its .hdr is longer than any header", copyAgain);
    header_ = parseCflHeader(readFile(text), problem_);
  } else {
    const Descriptor in(file, problem_);
    std::string start(std::size_t(std::min<std::uintmax_t>(maxHeaderBytes, fs::file_size(file))), '\0');
    start.resize(readAt(in.get(), start.data(), start.size(), 0, problem_));
    header_ = parseNpyHeader(start, problem_);
  }
  const double needed = double(header_.offset) + double(header_.bytes());
  const double there = double(fs::file_size(data_));
  if (there < needed)
    throw Error(problem_,
                "its header says " + shapeText(header_.shape) + " of " + elementName(header_.type) +
                    ", which take " + bytesText(needed) + ", but it has " + bytesText(there),
                copyAgain);
}

template <class Piece>
void ArrayFile::readPieces(const Progress& progress, const std::string& what, std::int64_t runLength,
                           const Wanted& wanted, int atOnce, const Piece& piece) const {
  const std::int64_t total = header_.elements(), size = elementBytes(header_.type);
  const std::int64_t run = wanted && runLength > 0 ? runLength : total;
  const Descriptor in(data_, problem_);
  struct Extent {
    std::int64_t first = 0, count = 0;
  };
  std::vector<Extent> pieces;
  for (std::int64_t start = 0; start < total; start += run) {
    if (wanted && !wanted(start / run)) continue;
    const std::int64_t end = std::min(total, start + run);
    for (std::int64_t at = start; at < end; at += pieceBytes / size)
      pieces.push_back({at, std::min(end - at, pieceBytes / size)});
  }
  std::vector<Buffer<char>> buffers(std::size_t(std::max(atOnce, 1)));
  const auto handle = [&](std::size_t i, Buffer<char>& raw) {
    progress.checkpoint();
    const std::int64_t count = pieces[i].count;
    raw.resize(std::size_t(count * size));
    if (readAt(in.get(), raw.data(), raw.size(), header_.offset + pieces[i].first * size, problem_) !=
        raw.size())
      throw Error(problem_, "the file became shorter while it was read", copyAgain);
    if (header_.bigEndian)
      swapBytes(raw.data(), isComplex(header_.type) ? 2 * count : count,
                int(isComplex(header_.type) ? size / 2 : size));
    piece(pieces[i].first, raw.data(), count);
  };
  for (std::size_t i = 0; i < pieces.size(); i += buffers.size()) {
    progress.report(double(pieces[i].first) / double(total), what);
    const std::size_t batch = std::min(buffers.size(), pieces.size() - i);
    parallelTasks(std::int64_t(batch), atOnce,
                  [&](std::int64_t k) { handle(i + std::size_t(k), buffers[std::size_t(k)]); });
  }
}

void ArrayFile::read(const Progress& progress, const std::string& what, const Use& use,
                     std::int64_t runLength, const Wanted& wanted) const {
  Buffer<cdouble> values;
  readPieces(progress, what, runLength, wanted, 1,
             [&](std::int64_t first, const char* raw, std::int64_t count) {
               values.resize(std::size_t(count));
               convert(header_.type, raw, count, values.data());
               use(first, values.data(), count);
             });
}

void ArrayFile::readComplex(const Progress& progress, const std::string& what, const UseFloats& use,
                            std::int64_t runLength, const Wanted& wanted) const {
  if (header_.type == ElementType::complex64) {
    readPieces(progress, what, runLength, wanted, 2 * hardwareThreads(),
               [&](std::int64_t first, const char* raw, std::int64_t count) {
                 use(first, reinterpret_cast<const cfloat*>(raw), count);
               });
    return;
  }
  Buffer<cfloat> values;
  read(
      progress, what,
      [&](std::int64_t first, const cdouble* in, std::int64_t count) {
        values.resize(std::size_t(count));
        std::transform(in, in + count, values.begin(), [](const cdouble& v) { return cfloat(v); });
        use(first, values.data(), count);
      },
      runLength, wanted);
}

Buffer<cfloat> ArrayFile::readAll(const Progress& progress, const std::string& what) const {
  requireMemory(double(header_.elements()) * sizeof(cfloat), problem_, "it",
                "Use a machine with more memory");
  Buffer<cfloat> all(std::size_t(header_.elements()));
  readComplex(progress, what, [&](std::int64_t first, const cfloat* values, std::int64_t count) {
    std::copy_n(values, count, all.begin() + first);
  });
  return all;
}

}  // namespace spokelab
