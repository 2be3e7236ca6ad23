// An array whose axes have roles: the frame, slice, coil, shot, sample ... of each element.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/frame_axes.h"

namespace spokelab {

// frame: also time, echo, phase, average, set, segment. part: real and imaginary part, size 2.
enum class Role { frame, slice, coil, partition, shot, sample, column, part };
inline constexpr std::size_t roleCount = 8;

struct RoleIndex {
  std::array<std::int64_t, roleCount> value{};
  std::int64_t& operator[](Role r) { return value[std::size_t(r)]; }
  std::int64_t operator[](Role r) const { return value[std::size_t(r)]; }
};

class RoleArray {
 public:
  // axes: names in the file's order; if empty, the last names of `usual`, one for each axis of the
  // array (reversed for BART's and MATLAB's order). shape: see ArrayFile. Throws Error (`problem`).
  RoleArray(const std::filesystem::path& file, const std::vector<std::int64_t>& shape,
            const std::vector<std::string>& axes, const std::vector<std::string>& usual,
            const std::string& problem);

  // The same of an array that is open.
  RoleArray(ArrayFile file, const std::vector<std::string>& axes, const std::vector<std::string>& usual,
            const std::string& problem);

  std::int64_t size(Role r) const { return sizes_[r]; }
  const ArrayFile& file() const { return file_; }
  // The axes that make frames, outermost first, without values and without axes of size 1.
  std::vector<FrameAxis> frameAxes() const;
  std::string axesText() const;  // "coil, shot, sample"

  // Every element, in file order.
  void forEach(const Progress& progress, const std::string& what,
               const std::function<void(const RoleIndex&, const cdouble&)>& use) const;
  // Calls `use` with runs along the fastest axis, as complex64 or complex128; i is the index of
  // values[0]. Skips frames and slices that are the slowest axes and not `wanted`. Several threads
  // may call `use` at once.
  template <class Complex>
  using UseRun =
      std::function<void(const RoleIndex& i, Role fastest, const Complex* values, std::int64_t count)>;
  template <class Complex>
  void forEachRun(const Progress& progress, const std::string& what,
                  const std::function<bool(const RoleIndex&)>& wanted, const UseRun<Complex>& use) const;

 private:
  struct Axis {
    int role = -1;  // -1: size 1
    std::int64_t size = 1;
    std::int64_t step = 1;  // of the role's index: larger where another axis shares the role
    std::string name;
  };
  RoleIndex indexOf(std::int64_t element) const;

  ArrayFile file_;
  std::vector<Axis> axes_;  // slowest first
  RoleIndex sizes_;
};

}  // namespace spokelab
