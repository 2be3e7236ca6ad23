// Plain arrays on disk: NumPy .npy (versions 1 to 3) and BART's pair .cfl/.hdr. Read in file order, in pieces
// of a few MB, so that memory stays bounded and a cancel is seen at once.
// Formats: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html;
// https://mrirecon.github.io/bart (.hdr: text, "# Dimensions" and the sizes, first one fastest; .cfl: pairs of
// little-endian floats).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

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
  float32,
  float64,
  complex64,
  complex128
};
int elementBytes(ElementType type);
bool isComplex(ElementType type);
bool isFloating(ElementType type);     // real, not whole numbers
std::string elementName(ElementType);  // "float32", "complex64"

struct ArrayHeader {
  std::vector<std::int64_t> shape;  // as the format's users count the axes (NumPy's or BART's order)
  bool firstAxisFastest = false;    // BART, NumPy's fortran_order
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

class ArrayFile {
 public:
  // .npy, .cfl or .hdr (either of the pair). Throws Error where it is none, or too short for its header.
  explicit ArrayFile(const std::filesystem::path& file);

  const ArrayHeader& header() const { return header_; }
  const std::filesystem::path& data() const { return data_; }

  // Calls use(first, values, count) for elements [first, first + count) in file order. Pieces of elements that
  // `wanted` (empty: all) says no to are skipped without being read; it is asked for runs of `runLength`
  // elements (the wholes of the slower axes).
  using Use = std::function<void(std::int64_t first, const cdouble* values, std::int64_t count)>;
  using Wanted = std::function<bool(std::int64_t run)>;
  void read(const Progress& progress, const std::string& what, const Use& use, std::int64_t runLength = 0,
            const Wanted& wanted = {}) const;
  // As complex64; where the file holds that, pieces are read and handed over by several threads at once.
  using UseFloats = std::function<void(std::int64_t first, const cfloat* values, std::int64_t count)>;
  void readComplex(const Progress& progress, const std::string& what, const UseFloats& use,
                   std::int64_t runLength = 0, const Wanted& wanted = {}) const;
  // All elements, slowest axis first whatever the file's order (the shape of the result: rowMajorShape()).
  Buffer<cfloat> readAll(const Progress& progress, const std::string& what) const;

 private:
  template <class Piece>
  void readPieces(const Progress& progress, const std::string& what, std::int64_t runLength,
                  const Wanted& wanted, int atOnce, const Piece& piece) const;

  std::filesystem::path data_;
  std::string problem_;
  ArrayHeader header_;
};

// The shape with the slowest axis first.
std::vector<std::int64_t> rowMajorShape(const ArrayHeader& header);

// "4 x 4894"
std::string shapeText(const std::vector<std::int64_t>& shape);

}  // namespace spokelab
