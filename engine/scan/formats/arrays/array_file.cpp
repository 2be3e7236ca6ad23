#include "engine/scan/formats/arrays/array_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/output/job_files.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/formats/arrays/hdf5_datasets.h"
#include "engine/scan/formats/file_kind.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "files are read in the machine's byte order");

constexpr std::int64_t pieceBytes = 2 << 20;  // read in some ms
constexpr std::size_t maxHeaderBytes = 1 << 20;
const char* const copyAgain = "Copy the file again, or write it again with the program that made it";

class PlainBytes final : public ArrayBytes {
 public:
  PlainBytes(const fs::path& file, const std::string& problem)
      : fd_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)), problem_(problem) {
    if (fd_ < 0)
      throw Error(problem_, std::strerror(errno), "Check the name and the permissions of the file");
  }
  ~PlainBytes() override { ::close(fd_); }
  PlainBytes(const PlainBytes&) = delete;
  PlainBytes& operator=(const PlainBytes&) = delete;

  bool inAnyOrder() const override { return true; }
  void read(char* data, std::size_t bytes, std::int64_t offset, const Progress& progress) override {
    progress.checkpoint();
    if (readSome(data, bytes, offset) != bytes)
      throw Error(problem_, "the file became shorter while it was read", copyAgain);
  }
  // Fewer where the file ends.
  std::size_t readSome(char* data, std::size_t bytes, std::int64_t offset) const {
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t got = ::pread(fd_, data + done, bytes - done, offset + off_t(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw Error(problem_, std::strerror(errno), copyAgain);
      if (got == 0) break;
      done += std::size_t(got);
    }
    return done;
  }

 private:
  int fd_;
  std::string problem_;
};

class MemoryBytes final : public ArrayBytes {
 public:
  explicit MemoryBytes(std::shared_ptr<const MemoryArray> array) : array_(std::move(array)) {}
  bool inAnyOrder() const override { return true; }
  void read(char* data, std::size_t bytes, std::int64_t offset, const Progress& progress) override {
    progress.checkpoint();
    std::memcpy(data, reinterpret_cast<const char*>(array_->values.data()) + offset, bytes);
  }

 private:
  std::shared_ptr<const MemoryArray> array_;
};

void swapBytes(char* data, std::int64_t count, int bytes) {
  for (std::int64_t i = 0; i < count; ++i) std::reverse(data + i * bytes, data + (i + 1) * bytes);
}

// IEEE 754's 16-bit numbers: sign, 5 bits of exponent, 10 of fraction.
double halfValue(std::uint16_t bits) {
  constexpr int fractionBits = 10, bias = 15, special = 31;
  const int exponent = (bits >> fractionBits) & special, fraction = bits & ((1 << fractionBits) - 1);
  double value = 0;
  if (exponent == special)
    value =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(double(fraction), 1 - bias - fractionBits);
  else
    value = std::ldexp(double(fraction + (1 << fractionBits)), exponent - bias - fractionBits);
  return bits >> 15 ? -value : value;
}
void convertHalf(const char* raw, std::int64_t count, cdouble* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, raw + i * std::int64_t(sizeof bits), sizeof bits);
    out[i] = cdouble(halfValue(bits), 0);
  }
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
    case ElementType::float16:
      return convertHalf(raw, count, out);
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

// An axis of the file, fastest first, and its stride in the outermost-first order.
struct Step {
  std::int64_t size = 1, by = 1;
};

// Empty where the file has that order.
std::vector<Step> stepsOf(const ArrayHeader& h) {
  std::vector<Step> steps;
  if (h.firstAxisFastest == h.firstAxisInnermost) return steps;
  std::int64_t by = 1;
  for (const std::size_t axis : outermostFirst(h)) steps.push_back({h.shape[axis], 1});
  for (std::size_t i = steps.size(); i-- > 0; by *= steps[i].size) steps[i].by = by;
  return steps;
}

std::int64_t placeOf(const std::vector<Step>& steps, std::int64_t element) {
  std::int64_t place = 0;
  for (const Step& step : steps) {
    place += element % step.size * step.by;
    element /= step.size;
  }
  return place;
}

template <class Complex>
constexpr ElementType complexType =
    std::is_same_v<Complex, cfloat> ? ElementType::complex64 : ElementType::complex128;

}  // namespace

ArrayFile::ArrayFile(std::shared_ptr<const MemoryArray> array)
    : name_{array->name, ""}, problem_("Cannot read " + array->name), memory_(std::move(array)) {
  header_.type = ElementType::float64;
  header_.shape = memory_->shape;
  checkShape(header_, problem_);
  if (header_.elements() != std::int64_t(memory_->values.size()))
    throw Error(problem_, "its shape does not fit its numbers", copyAgain);
}

ArrayFile::ArrayFile(const fs::path& name, const std::vector<std::int64_t>& shape)
    : name_(parseArrayName(name)), problem_("Cannot read " + name.string()) {
  noteInput(name_.file);
  if (holdsSeveralArrays(name_.file) || !name_.variable.empty()) {
    openVariable();
    return;
  }
  const std::string extension = lowerCase(name_.file.extension().string());
  if (extension == ".cfl" || extension == ".hdr") {
    openPair(shape);
  } else {
    requireRegularFile(name_.file);
    const PlainBytes in(name_.file, problem_);
    std::string start(std::size_t(std::min<std::uintmax_t>(maxHeaderBytes, fs::file_size(name_.file))), '\0');
    start.resize(in.readSome(start.data(), start.size(), 0));
    header_ = parseNpyHeader(start, problem_);
  }
  if (!shape.empty() && header_.shape != shape)
    throw Error(problem_,
                "it is said to be " + shapeText(shape) + ", but its header says " + shapeText(header_.shape),
                "Leave \"shape\" out: only a .cfl without .hdr needs it");
  const double needed = double(header_.offset) + double(header_.bytes());
  const double there = double(fs::file_size(name_.file));
  if (there < needed)
    throw Error(problem_,
                "its header says " + shapeText(header_.shape) + " of " + elementName(header_.type) +
                    ", which take " + bytesText(needed) + ", but it has " + bytesText(there),
                copyAgain);
}

// BART's two files, by the name of either.
void ArrayFile::openPair(const std::vector<std::int64_t>& shape) {
  fs::path text = name_.file;
  name_.file.replace_extension(".cfl");
  text.replace_extension(".hdr");
  noteInput(name_.file);
  noteInput(text);
  if (!fs::exists(name_.file))
    throw Error(problem_, "there is no " + name_.file.filename().string() + " beside it",
                "BART's arrays are pairs of .hdr and .cfl: copy both");
  if (!fs::exists(text) && shape.empty())
    throw Error(
        problem_,
        "there is no " + text.filename().string() + " beside it, which says what shape its " +
            std::to_string(fs::file_size(name_.file) / sizeof(cfloat)) + " numbers have",
        "Copy it too, or write it: the line \"# Dimensions\" and under it the sizes, fastest first, such "
        "as \"1 samples shots coils\"");
  if (!fs::exists(text)) {
    header_.firstAxisFastest = header_.firstAxisInnermost = true;
    header_.shape = shape;
    checkShape(header_, problem_);
    return;
  }
  for (const fs::path& part : {text, name_.file}) requireRegularFile(part);
  header_ = parseCflHeader(readDocument(text, {}, maxHeaderBytes), problem_);
}

// The variable that is named, or the only one.
void ArrayFile::openVariable() {
  if (!holdsSeveralArrays(name_.file)) {
    const ArrayVariable v = hdf5Contents(name_.file, Progress()).variable(name_.variable);
    if (!v.name.empty()) {
      header_ = v.header;
      return;
    }
  }
  const std::vector<ArrayVariable> variables = arrayVariables(name_.file);
  const ArrayVariable* variable = nullptr;
  std::string others;
  int readable = 0;
  for (const ArrayVariable& v : variables) {
    if (!v.unreadable.empty() && v.name != name_.variable) continue;
    others += (others.empty() ? "" : ", ") + v.name;
    ++readable;
    if (v.name == name_.variable || name_.variable.empty()) variable = &v;
  }
  if (readable == 0) throw Error(problem_, "it holds no array of numbers", "Choose another file");
  if (!variable || (name_.variable.empty() && readable > 1))
    throw Error(problem_,
                name_.variable.empty() ? "it holds several arrays: " + others
                                       : "it holds no " + name_.variable + ", but " + others,
                "Name one of them: " + arrayName(name_.file.filename(), variables.front().name).string());
  if (!variable->unreadable.empty()) throw Error(problem_, variable->unreadable, copyAgain);
  name_.variable = variable->name;
  header_ = variable->header;
}

std::unique_ptr<ArrayBytes> ArrayFile::open() const {
  if (memory_) return std::make_unique<MemoryBytes>(memory_);
  if (name_.variable.empty()) return std::make_unique<PlainBytes>(name_.file, problem_);
  return openVariableBytes(name_.file, {name_.variable, header_, ""});
}

template <class Piece>
void ArrayFile::readPieces(const Progress& progress, const std::string& what, std::int64_t runLength,
                           const Wanted& wanted, int atOnce, const Piece& piece) const {
  const std::int64_t total = header_.elements(), size = elementBytes(header_.type);
  const std::int64_t run = wanted && runLength > 0 ? runLength : total;
  const std::unique_ptr<ArrayBytes> in = open();
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
  if (!in->inAnyOrder()) atOnce = 1;
  std::vector<Buffer<char>> buffers(std::size_t(std::max(atOnce, 1)));
  const auto handle = [&](std::size_t i, Buffer<char>& raw) {
    const std::int64_t count = pieces[i].count;
    raw.resize(std::size_t(count * size));
    in->read(raw.data(), raw.size(), header_.offset + pieces[i].first * size, progress);
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

template <class Complex>
void ArrayFile::readComplex(const Progress& progress, const std::string& what, const UseComplex<Complex>& use,
                            std::int64_t runLength, const Wanted& wanted) const {
  if (header_.type == complexType<Complex>) {
    readPieces(progress, what, runLength, wanted, 2 * hardwareThreads(),
               [&](std::int64_t first, const char* raw, std::int64_t count) {
                 use(first, reinterpret_cast<const Complex*>(raw), count);
               });
    return;
  }
  Buffer<Complex> values;
  read(
      progress, what,
      [&](std::int64_t first, const cdouble* in, std::int64_t count) {
        values.resize(std::size_t(count));
        std::transform(in, in + count, values.begin(), [](const cdouble& v) { return Complex(v); });
        use(first, values.data(), count);
      },
      runLength, wanted);
}
template void ArrayFile::readComplex(const Progress&, const std::string&, const UseComplex<cfloat>&,
                                     std::int64_t, const Wanted&) const;
template void ArrayFile::readComplex(const Progress&, const std::string&, const UseComplex<cdouble>&,
                                     std::int64_t, const Wanted&) const;

template <class Complex>
Buffer<Complex> ArrayFile::readAll(const Progress& progress, const std::string& what) const {
  requireMemory(double(header_.elements()) * sizeof(Complex), problem_, "it",
                "Use a machine with more memory");
  Buffer<Complex> all(std::size_t(header_.elements()));
  const std::vector<Step> steps = stepsOf(header_);
  readComplex<Complex>(progress, what, [&](std::int64_t first, const Complex* values, std::int64_t count) {
    if (steps.empty())
      std::copy_n(values, count, all.begin() + first);
    else
      for (std::int64_t n = 0; n < count; ++n) all[std::size_t(placeOf(steps, first + n))] = values[n];
  });
  return all;
}
template Buffer<cfloat> ArrayFile::readAll(const Progress&, const std::string&) const;
template Buffer<cdouble> ArrayFile::readAll(const Progress&, const std::string&) const;

}  // namespace spokelab
