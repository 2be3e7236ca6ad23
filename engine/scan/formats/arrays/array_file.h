// Plain arrays on disk: NumPy .npy (versions 1 to 3), BART's pair .cfl/.hdr, and the variables of
// NumPy's .npz and MATLAB's .mat (array_name.h). Read in file order, in pieces of a few MB, so that
// memory stays bounded and a cancel is seen at once. Formats:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html;
// https://mrirecon.github.io/bart (.hdr: text, "# Dimensions" and the sizes, first one fastest;
// .cfl: pairs of little-endian floats).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/formats/arrays/array_bytes.h"
#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/formats/arrays/array_name.h"

namespace spokelab {

// Real numbers that a reader made, in the place of a file's: a trajectory that another format
// describes, for example.
struct MemoryArray {
  std::string name;                 // for messages
  std::vector<std::int64_t> shape;  // last axis fastest
  std::vector<double> values;
};

class ArrayFile {
 public:
  explicit ArrayFile(std::shared_ptr<const MemoryArray> array);
  // name: .npy, .cfl or .hdr (either of the pair), or file.npz:variable. shape: of a .cfl without
  // its .hdr. Throws Error if it is another kind, or too short for its header.
  explicit ArrayFile(const std::filesystem::path& name, const std::vector<std::int64_t>& shape = {});

  const ArrayHeader& header() const { return header_; }
  // The file, and its variable where it may hold several.
  const ArrayName& name() const { return name_; }

  // Calls use(first, values, count) for elements [first, first + count) in file order. `wanted`
  // (empty: all) selects runs: run i holds the `runLength` elements from i runLength on, one index
  // of the slower axes. Other runs are skipped without being read.
  using Use = std::function<void(std::int64_t first, const cdouble* values, std::int64_t count)>;
  using Wanted = std::function<bool(std::int64_t run)>;
  void read(const Progress& progress, const std::string& what, const Use& use, std::int64_t runLength = 0,
            const Wanted& wanted = {}) const;
  // Reads values as complex64 or complex128. If the file holds this type, several threads read and
  // hand over pieces at once.
  template <class Complex>
  using UseComplex = std::function<void(std::int64_t first, const Complex* values, std::int64_t count)>;
  template <class Complex>
  void readComplex(const Progress& progress, const std::string& what, const UseComplex<Complex>& use,
                   std::int64_t runLength = 0, const Wanted& wanted = {}) const;
  // All elements, outermost axis first, also where the file's order is another (the shape of the
  // result: rowMajorShape()).
  template <class Complex = cfloat>
  Buffer<Complex> readAll(const Progress& progress, const std::string& what) const;

 private:
  template <class Piece>
  void readPieces(const Progress& progress, const std::string& what, std::int64_t runLength,
                  const Wanted& wanted, int atOnce, const Piece& piece) const;

  void openVariable();
  void openPair(const std::vector<std::int64_t>& shape);
  std::unique_ptr<ArrayBytes> open() const;

  ArrayName name_;
  std::string problem_;
  ArrayHeader header_;
  std::shared_ptr<const MemoryArray> memory_;
};

}  // namespace spokelab
