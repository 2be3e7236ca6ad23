#include "engine/scan/formats/arrays/array_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::size_t maxAxes = 32;
constexpr std::int64_t maxElements = std::int64_t(1) << 50;
constexpr std::size_t npyPreambleBytes = 10;

// The size of our .npy header, padded to at least this number of bytes.
constexpr std::size_t markedBytes(std::size_t bytes) {
  constexpr std::size_t alignment = 64, mark = 3;  // NumPy adds one line of 64 blanks at most
  return ((bytes + alignment - 1) / alignment + mark) * alignment;
}

const char* const writeAgain = "Write the array again, for example with numpy.save or BART";

struct TypeInfo {
  ElementType type;
  int bytes;
  char kind;  // NumPy's letter
  const char* name;
};
constexpr std::array<TypeInfo, 13> types = {{
    {ElementType::int8, 1, 'i', "int8"},
    {ElementType::uint8, 1, 'u', "uint8"},
    {ElementType::int16, 2, 'i', "int16"},
    {ElementType::uint16, 2, 'u', "uint16"},
    {ElementType::int32, 4, 'i', "int32"},
    {ElementType::uint32, 4, 'u', "uint32"},
    {ElementType::int64, 8, 'i', "int64"},
    {ElementType::uint64, 8, 'u', "uint64"},
    {ElementType::float16, 2, 'f', "float16"},
    {ElementType::float32, 4, 'f', "float32"},
    {ElementType::float64, 8, 'f', "float64"},
    {ElementType::complex64, 8, 'c', "complex64"},
    {ElementType::complex128, 16, 'c', "complex128"},
}};

const TypeInfo& infoOf(ElementType type) {
  return types[std::size_t(type)];
}

[[noreturn]] void fail(const std::string& problem, const std::string& reason) {
  throw Error(problem, reason, writeAgain);
}

// The part of Python's dictionary that NumPy writes: quoted keys; text, True/False, number tuples.
class Dictionary {
 public:
  Dictionary(std::string_view text, const std::string& problem) : text_(text), problem_(problem) {}

  std::string text(const std::string& key) const {
    std::string_view rest = valueOf(key);
    if (rest.starts_with('['))
      throw Error(problem_, "its elements are records (a structured type), not numbers",
                  "Save complex numbers, or pairs of real and imaginary parts as a last axis of 2");
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      fail(problem_, "its " + key + " is not a text");
    const std::size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos) fail(problem_, "its " + key + " does not end");
    return std::string(rest.substr(1, end - 1));
  }
  bool boolean(const std::string& key) const {
    const std::string_view rest = valueOf(key);
    if (rest.starts_with("True")) return true;
    if (!rest.starts_with("False")) fail(problem_, "its " + key + " is neither True nor False");
    return false;
  }
  std::vector<std::int64_t> tuple(const std::string& key) const {
    std::string_view rest = valueOf(key);
    if (!rest.starts_with('(')) fail(problem_, "its " + key + " is not a tuple");
    std::vector<std::int64_t> numbers;
    rest.remove_prefix(1);
    for (;;) {
      rest = skipSpace(rest);
      if (rest.empty()) fail(problem_, "its " + key + " does not end");
      if (rest.front() == ')') return numbers;
      std::int64_t n = 0;
      const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), n);
      if (code != std::errc() || numbers.size() > maxAxes)
        fail(problem_, "its " + key + " cannot be understood");
      numbers.push_back(n);
      rest.remove_prefix(std::size_t(end - rest.data()));
      if (rest.starts_with('L')) rest.remove_prefix(1);  // Python 2
      rest = skipSpace(rest);
      if (rest.starts_with(',')) rest.remove_prefix(1);
    }
  }

 private:
  static std::string_view skipSpace(std::string_view s) {
    const std::size_t at = s.find_first_not_of(" \t\n\r");
    return at == std::string_view::npos ? std::string_view() : s.substr(at);
  }
  std::string_view valueOf(const std::string& key) const {
    for (const char quote : {'\'', '"'}) {
      const std::string quoted = quote + key + quote;
      const std::size_t at = text_.find(quoted);
      if (at == std::string_view::npos) continue;
      const std::string_view rest = skipSpace(text_.substr(at + quoted.size()));
      if (rest.starts_with(':')) return skipSpace(rest.substr(1));
    }
    fail(problem_, "its header names no " + key);
  }

  std::string_view text_;
  const std::string& problem_;
};

void setType(ArrayHeader& header, const std::string& text, const std::string& problem) {
  const char order = text.empty() ? '?' : text.front();
  if (order != '<' && order != '>' && order != '|' && order != '=')
    fail(problem, "its type " + text + " is unknown");
  header.bigEndian = order == '>';
  int bytes = 0;
  const char* const end = text.data() + text.size();
  const bool numbered = text.size() > 2 && std::from_chars(text.data() + 2, end, bytes).ptr == end;
  for (const TypeInfo& info : types)
    if (numbered && text[1] == info.kind && bytes == info.bytes) {
      header.type = info.type;
      return;
    }
  throw Error(problem,
              "its elements are of the type '" + text.substr(0, 32) + "', which holds no measured numbers",
              "Convert it to complex64 or float32");
}

}  // namespace

int elementBytes(ElementType type) {
  return infoOf(type).bytes;
}
bool isComplex(ElementType type) {
  return infoOf(type).kind == 'c';
}
bool isFloating(ElementType type) {
  return infoOf(type).kind == 'f';
}
bool needsDouble(ElementType type) {
  const TypeInfo& info = infoOf(type);
  const int bytes = isComplex(type) ? info.bytes / 2 : info.bytes;
  return bytes > int(sizeof(float)) || (info.kind != 'f' && info.kind != 'c' && bytes == int(sizeof(float)));
}
std::string elementName(ElementType type) {
  return infoOf(type).name;
}

std::int64_t ArrayHeader::elements() const {
  std::int64_t n = 1;
  for (const std::int64_t s : shape) n *= s;
  return n;
}

std::vector<std::int64_t> ArrayHeader::strides() const {
  std::vector<std::int64_t> result(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = firstAxisFastest ? i : shape.size() - 1 - i;
    result[axis] = step;
    step *= shape[axis];
  }
  return result;
}

ArrayHeader parseNpyHeader(std::string_view bytes, const std::string& problem) {
  constexpr std::size_t magicBytes = 6, shortPreamble = 10, longPreamble = 12;
  if (bytes.size() < shortPreamble || !bytes.starts_with("\x93NUMPY")) fail(problem, "it is not a .npy file");
  const auto byte = [&](std::size_t i) { return std::size_t(static_cast<unsigned char>(bytes[i])); };
  const std::size_t version = byte(magicBytes);
  if (version < 1 || version > 3) fail(problem, ".npy version " + std::to_string(version) + " is unknown");
  std::size_t length = byte(8) + (byte(9) << 8), preamble = shortPreamble;
  if (version > 1) {
    if (bytes.size() < longPreamble) fail(problem, "its header is cut off");
    length += (byte(10) << 16) + (byte(11) << 24);
    preamble = longPreamble;
  }
  if (length > bytes.size() - preamble) fail(problem, "its header is cut off");
  const Dictionary dictionary(bytes.substr(preamble, length), problem);
  ArrayHeader header;
  setType(header, dictionary.text("descr"), problem);
  header.firstAxisFastest = dictionary.boolean("fortran_order");
  header.shape = dictionary.tuple("shape");
  header.offset = std::int64_t(preamble + length);
  checkShape(header, problem);
  return header;
}

ArrayHeader parseCflHeader(std::string_view text, const std::string& problem) {
  constexpr std::string_view title = "# Dimensions";
  ArrayHeader header;
  header.firstAxisFastest = header.firstAxisInnermost = true;
  std::size_t at = text.find(title);
  if (at == std::string_view::npos) fail(problem, "its .hdr has no line \"# Dimensions\"");
  at = text.find('\n', at);
  if (at == std::string_view::npos) fail(problem, "its .hdr ends before the dimensions");
  std::string_view line = text.substr(at + 1);
  line = line.substr(0, line.find('\n'));
  while (true) {
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos) break;
    line.remove_prefix(start);
    std::int64_t n = 0;
    const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), n);
    if (code != std::errc() || header.shape.size() >= maxAxes)
      fail(problem, "the dimensions in its .hdr are not numbers");
    header.shape.push_back(n);
    line.remove_prefix(std::size_t(end - line.data()));
  }
  if (header.shape.empty()) fail(problem, "its .hdr ends before the dimensions");
  checkShape(header, problem);
  while (header.shape.size() > 1 && header.shape.back() == 1) header.shape.pop_back();
  return header;
}

void checkShape(const ArrayHeader& header, const std::string& problem) {
  if (header.shape.size() > maxAxes) fail(problem, "it has " + std::to_string(header.shape.size()) + " axes");
  std::int64_t product = 1;
  for (const std::int64_t n : header.shape) {
    if (n < 0) fail(problem, "a size in its header is negative");
    if (n == 0) fail(problem, "it holds no elements (a size is 0)");
    if (n > maxElements / product) fail(problem, "its header promises more elements than any file holds");
    product *= n;
  }
}

std::vector<std::size_t> outermostFirst(const ArrayHeader& header) {
  std::vector<std::size_t> axes(header.shape.size());
  std::iota(axes.begin(), axes.end(), std::size_t(0));
  if (header.firstAxisInnermost) std::reverse(axes.begin(), axes.end());
  return axes;
}

// Magic, length, a Python dictionary padded to 64 bytes, and more blanks as a mark: the format
// allows any number of them.
std::string npyHeaderText(const std::string& type, const std::vector<std::int64_t>& shape) {
  std::string dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i) dictionary += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  dictionary += shape.size() == 1 ? ",), }" : "), }";  // a tuple of one has a comma in Python
  const std::size_t length = npyPreambleBytes + dictionary.size() + 1;
  dictionary.append(markedBytes(length) - length, ' ');
  dictionary += '\n';
  const std::size_t size = dictionary.size();
  std::string header = "\x93NUMPY";
  header += {char(1), char(0), char(size % 256), char(size / 256)};
  return header + dictionary;
}

bool isOwnNpyHeader(std::string_view bytes) {
  constexpr std::string_view magic("\x93NUMPY\x01\0", 8);
  if (!bytes.starts_with(magic) || bytes.size() < npyPreambleBytes) return false;
  const std::size_t total = npyPreambleBytes + std::uint8_t(bytes[magic.size()]) +
                            std::size_t(std::uint8_t(bytes[magic.size() + 1])) * 256;
  if (total > bytes.size()) return false;
  const std::size_t end = bytes.substr(0, total).find_last_not_of(" \n");
  return end != std::string_view::npos && bytes[end] == '}' && total == markedBytes(end + 2);
}

std::string cflHeaderText(const std::vector<std::int64_t>& sizes, const std::string& creator) {
  std::string header = "# Dimensions\n";
  for (const std::int64_t n : sizes) header += std::to_string(n) + " ";
  return header + "\n# Creator\n" + creator + "\n";
}

std::vector<std::int64_t> rowMajorShape(const ArrayHeader& header) {
  std::vector<std::int64_t> shape;
  for (const std::size_t axis : outermostFirst(header)) shape.push_back(header.shape[axis]);
  return shape;
}

}  // namespace spokelab
