#include "engine/scan/read/description/array_axes.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::array<const char*, roleCount> roleNames = {"frame", "slice",  "coil",   "partition",
                                                          "shot",  "sample", "column", "complex"};

// -1: an axis of size 1.
int roleOf(const std::string& name) {
  const auto meaning = frameMeaningOf(name);
  if (meaning && *meaning != FrameMeaning::slice) return int(Role::frame);
  const auto it = std::find(roleNames.begin(), roleNames.end(), name);
  return it == roleNames.end() ? -1 : int(it - roleNames.begin());
}

}  // namespace

RoleArray::RoleArray(const std::filesystem::path& file, const std::vector<std::int64_t>& shape,
                     const std::vector<std::string>& axes, const std::vector<std::string>& usual,
                     const std::string& problem)
    : RoleArray(ArrayFile(file, shape), axes, usual, problem) {
}

RoleArray::RoleArray(ArrayFile file, const std::vector<std::string>& axes,
                     const std::vector<std::string>& usual, const std::string& problem)
    : file_(std::move(file)) {
  const ArrayHeader& h = file_.header();
  const std::string name = file_.name().variable.empty()
                               ? file_.name().file.filename().string()
                               : arrayName(file_.name().file.filename(), file_.name().variable).string();
  std::vector<std::string> names = axes;
  if (names.empty()) {
    if (h.shape.size() > usual.size())
      throw Error(problem,
                  name + " has " + std::to_string(h.shape.size()) + " axes (" + shapeText(h.shape) + ")",
                  "Name them in the description");
    names.assign(usual.end() - std::ptrdiff_t(h.shape.size()), usual.end());
    if (h.firstAxisInnermost) std::reverse(names.begin(), names.end());
  }
  // Trailing sizes of 1 are not kept in .hdr, nor by MATLAB.
  if (names.size() > h.shape.size() && h.firstAxisInnermost) names.resize(h.shape.size());
  if (names.size() != h.shape.size())
    throw Error(problem,
                name + " has " + std::to_string(h.shape.size()) + " axes (" + shapeText(h.shape) +
                    "), the description names " + std::to_string(names.size()),
                "Name every axis");
  sizes_.value.fill(1);
  for (const std::size_t at : outermostFirst(h)) {
    Axis axis;
    axis.name = names[at];
    axis.size = h.shape[at];
    axis.role = roleOf(names[at]);
    if (axis.role < 0 && axis.size != 1)
      throw Error(problem,
                  "an axis of " + name + " is called one and has the size " + std::to_string(axis.size),
                  "Give it its name");
    axes_.push_back(axis);
  }
  // Among axes that share a role the outer one is the larger step, however they are stored.
  for (std::size_t i = axes_.size(); i-- > 0;) {
    if (axes_[i].role < 0) continue;
    std::int64_t& size = sizes_.value[std::size_t(axes_[i].role)];
    axes_[i].step = size;
    size *= axes_[i].size;
  }
  if (sizes_[Role::part] != 1 && sizes_[Role::part] != 2)
    throw Error(
        problem,
        "an axis of " + name + " is called complex and has the size " + std::to_string(sizes_[Role::part]),
        "Real and imaginary parts are 2: give the axis its name");
  if (sizes_[Role::part] == 2 && isComplex(h.type))
    throw Error(problem, "an axis of " + name + " is called complex, but its numbers are complex already",
                "Give the axis its name");
  if (h.firstAxisFastest != h.firstAxisInnermost) std::reverse(axes_.begin(), axes_.end());
}

std::vector<FrameAxis> RoleArray::frameAxes() const {
  std::vector<FrameAxis> found;
  for (const Axis& axis : axes_)
    if (axis.role == int(Role::frame) && axis.size > 1)
      found.push_back({*frameMeaningOf(axis.name), int(axis.size), {}});
  // Stored order; an axis with a larger step is an outer one.
  const ArrayHeader& h = file_.header();
  if (h.firstAxisFastest != h.firstAxisInnermost) std::reverse(found.begin(), found.end());
  return found;
}

std::string RoleArray::axesText() const {
  std::string text;
  for (const Axis& axis : axes_) text += (text.empty() ? "" : ", ") + axis.name;
  return text + " (slowest first)";
}

RoleIndex RoleArray::indexOf(std::int64_t element) const {
  RoleIndex index;
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const std::int64_t n = element % axes_[i].size;
    element /= axes_[i].size;
    if (axes_[i].role >= 0) index.value[std::size_t(axes_[i].role)] += n * axes_[i].step;
  }
  return index;
}

void RoleArray::forEach(const Progress& progress, const std::string& what,
                        const std::function<void(const RoleIndex&, const cdouble&)>& use) const {
  file_.read(progress, what, [&](std::int64_t first, const cdouble* values, std::int64_t count) {
    for (std::int64_t n = 0; n < count; ++n) use(indexOf(first + n), values[n]);
  });
}

template <class Complex>
void RoleArray::forEachRun(const Progress& progress, const std::string& what,
                           const std::function<bool(const RoleIndex&)>& wanted,
                           const UseRun<Complex>& use) const {
  std::size_t fastest = axes_.size();  // the fastest axis with more than one element
  while (fastest > 0 && axes_[fastest - 1].size == 1) --fastest;
  const std::int64_t length = fastest > 0 ? axes_[fastest - 1].size : 1;
  const Role role = fastest > 0 ? Role(axes_[fastest - 1].role) : Role::sample;
  const bool plain = role == Role::sample || role == Role::shot || role == Role::coil;

  // The wholes of the slowest axes, if these are frames or slices and no faster axis is.
  std::int64_t run = file_.header().elements();
  bool leading = true, mixed = false;
  for (const Axis& axis : axes_) {
    const bool selects = axis.role == int(Role::frame) || axis.role == int(Role::slice);
    leading = leading && (axis.size == 1 || selects);
    if (leading) run /= axis.size;
    mixed = mixed || (!leading && selects && axis.size > 1);
  }
  const ArrayFile::Wanted all;
  file_.readComplex<Complex>(
      progress, what,
      [&](std::int64_t first, const Complex* values, std::int64_t count) {
        for (std::int64_t n = 0; n < count;) {
          const std::int64_t rest = plain ? std::min(count - n, length - (first + n) % length) : 1;
          use(indexOf(first + n), role, values + n, rest);
          n += rest;
        }
      },
      run, mixed || run == file_.header().elements() ? all : ArrayFile::Wanted([&](std::int64_t r) {
        return wanted(indexOf(r * run));
      }));
}
template void RoleArray::forEachRun(const Progress&, const std::string&,
                                    const std::function<bool(const RoleIndex&)>&,
                                    const UseRun<cfloat>&) const;
template void RoleArray::forEachRun(const Progress&, const std::string&,
                                    const std::function<bool(const RoleIndex&)>&,
                                    const UseRun<cdouble>&) const;

}  // namespace spokelab
