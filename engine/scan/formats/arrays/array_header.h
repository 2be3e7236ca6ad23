// Headers of arrays on disk, NumPy's .npy and BART's .hdr. Anyone may have written them: nothing in
// them is trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

enum class ElementType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  complex64,
  complex128
};
int elementBytes(ElementType type);
bool isComplex(ElementType type);
bool isFloating(ElementType type);  // real, not whole numbers
// True if floats may round the numbers: types of 8 bytes, and integers beyond 24 bits.
bool needsDouble(ElementType type);
std::string elementName(ElementType);  // "float32", "complex64"

struct ArrayHeader {
  // In the order in which the format's users count the axes (NumPy's, BART's or MATLAB's).
  std::vector<std::int64_t> shape;
  bool firstAxisFastest = false;    // in the file: BART, MATLAB, NumPy's fortran_order
  bool firstAxisInnermost = false;  // in meaning: BART, MATLAB; never NumPy, whatever its order
  bool bigEndian = false;
  ElementType type = ElementType::complex64;
  std::int64_t offset = 0;  // of the first element in the file

  std::int64_t elements() const;
  std::int64_t bytes() const { return elements() * elementBytes(type); }
  // Elements from one index of an axis to the next.
  std::vector<std::int64_t> strides() const;
};

// The first bytes of an .npy file. Throws Error (`problem` is its summary).
ArrayHeader parseNpyHeader(std::string_view bytes, const std::string& problem);
// The text of a .hdr file. Trailing sizes of 1 are dropped.
ArrayHeader parseCflHeader(std::string_view text, const std::string& problem);

// Throws Error where a size is negative or 0, or where there are more elements than can be.
void checkShape(const ArrayHeader& header, const std::string& problem);

// The bytes before the elements of an .npy file (version 1.0), slowest axis first; type as in
// "<c8". It is longer than any other program makes it, which is how isOwnNpyHeader() knows it
// again.
std::string npyHeaderText(const std::string& type, const std::vector<std::int64_t>& shape);
// True if the first bytes of a file (maxOwnNpyHeaderBytes suffice) are such a header.
bool isOwnNpyHeader(std::string_view bytes);
inline constexpr std::size_t maxOwnNpyHeaderBytes = 1024;
// The text of a .hdr file, fastest axis first.
std::string cflHeaderText(const std::vector<std::int64_t>& sizes, const std::string& creator);

// The shape with the outermost axis first.
std::vector<std::int64_t> rowMajorShape(const ArrayHeader& header);
// The numbers of the axes, outermost first.
std::vector<std::size_t> outermostFirst(const ArrayHeader& header);

}  // namespace spokelab
