#include "engine/scan/formats/arrays/mat_worker.h"

#include <matio.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/child/child_process.h"
#include "engine/core/error.h"
#include "engine/scan/formats/arrays/array_name.h"
#include "engine/scan/formats/arrays/mat_dataset.h"
#include "engine/scan/formats/arrays/mat_inside.h"
#include "engine/scan/formats/arrays/mat_integrity.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"

namespace spokelab {
namespace {

const char* const saveWithoutObjects = "Save it again in MATLAB, without tables and objects";

using MatFile = std::unique_ptr<mat_t, int (*)(mat_t*)>;
using MatVariable = std::unique_ptr<matvar_t, void (*)(matvar_t*)>;

std::string problemOf(const std::string& file) {
  return "Cannot read " + file;
}

// MATLAB's newer files are HDF5 files.
MatFile openMat(const std::string& file) {
  {
    const Hdf5Lock lock;
    checkLinksOf(file);
  }
  MatFile mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY), Mat_Close);
  if (!mat) throw Error(problemOf(file), "it is not a MATLAB file, or a damaged one", saveWithoutObjects);
  return mat;
}

std::optional<ElementType> typeOf(const matvar_t& v) {
  if (v.isComplex) return v.class_type == MAT_C_SINGLE ? ElementType::complex64 : ElementType::complex128;
  switch (v.class_type) {
    case MAT_C_DOUBLE:
      return ElementType::float64;
    case MAT_C_SINGLE:
      return ElementType::float32;
    case MAT_C_INT8:
      return ElementType::int8;
    case MAT_C_UINT8:
      return ElementType::uint8;
    case MAT_C_INT16:
      return ElementType::int16;
    case MAT_C_UINT16:
      return ElementType::uint16;
    case MAT_C_INT32:
      return ElementType::int32;
    case MAT_C_UINT32:
      return ElementType::uint32;
    case MAT_C_INT64:
      return ElementType::int64;
    case MAT_C_UINT64:
      return ElementType::uint64;
    default:
      return std::nullopt;
  }
}

std::string kindOf(const matvar_t& v) {
  switch (v.class_type) {
    case MAT_C_CELL:
      return "a cell array without arrays of numbers";
    case MAT_C_STRUCT:
      return "a structure without arrays of numbers";
    case MAT_C_CHAR:
      return "text";
    case MAT_C_SPARSE:
      return "a sparse matrix: save its full() form";
    case MAT_C_EMPTY:
      return "of no class that MATLAB knows: save it in MATLAB itself, or as .npy";
    default:
      return "no array of numbers";
  }
}

bool isFloat(const matvar_t& v) {
  return v.class_type == MAT_C_DOUBLE || v.class_type == MAT_C_SINGLE;
}

std::string whyUnreadable(const matvar_t& v) {
  const std::optional<ElementType> type = typeOf(v);
  if (!type || (v.isComplex && !isFloat(v))) return "it is " + kindOf(v);
  if (v.rank < 1 || std::size_t(v.rank) > MatFrame::maxAxes || !v.dims) return "its sizes are damaged";
  for (int i = 0; i < v.rank; ++i) {
    constexpr std::size_t maxSize = std::size_t(1) << 50;
    if (v.dims[i] == 0) return "it is empty";
    if (v.dims[i] > maxSize) return "its sizes are damaged";
  }
  return "";
}

// Real and imaginary parts of values [first, first + count) as pairs.
template <class Real>
void interleave(const mat_complex_split_t& parts, std::size_t first, std::size_t count, Real* out) {
  const Real* re = static_cast<const Real*>(parts.Re) + first;
  const Real* im = static_cast<const Real*>(parts.Im) + first;
  for (std::size_t i = 0; i < count; ++i) {
    out[2 * i] = re[i];
    out[2 * i + 1] = im[i];
  }
}

void sendArray(FrameSender& sender, const std::string& name, const MatFrame& frame) {
  std::vector<char> bytes(sizeof frame + name.size());
  std::memcpy(bytes.data(), &frame, sizeof frame);
  std::copy(name.begin(), name.end(), bytes.begin() + sizeof frame);
  sender.send(ChildMessage::array, name.size(), bytes.data(), bytes.size());
}

void sendArray(FrameSender& sender, const std::string& name, const matvar_t& v) {
  MatFrame frame;
  frame.type = *typeOf(v);
  frame.axes = std::uint32_t(v.rank);
  std::copy_n(v.dims, v.rank, frame.shape.begin());
  sendArray(sender, name, frame);
}

// Numbers of a class that the library does not know, as programs other than MATLAB write them.
std::optional<MatFrame> otherClass(const std::string& file, const matvar_t& v) {
  return v.class_type == MAT_C_EMPTY && v.name ? matDataset(file, v.name) : std::optional<MatFrame>();
}

void sendUnreadable(FrameSender& sender, const std::string& name, const std::string& why) {
  sender.send(ChildMessage::ignored, name.size(), (name + why).data(), name.size() + why.size());
}

// The arrays of numbers in a container; none where there are more than `limit`, and `why` says so.
std::vector<MatInside> arraysIn(matvar_t& container, const std::string& name, std::size_t limit,
                                std::string& why) {
  try {
    std::vector<MatInside> inside = insideOf(container, name);
    std::erase_if(inside, [](const MatInside& array) { return !whyUnreadable(*array.variable).empty(); });
    if (inside.size() <= limit) return inside;
    why = "the arrays in structures and cells are more than " + std::to_string(maxArraysInside) +
          ": save the scan's arrays as variables";
  } catch (const Error& error) {
    why = error.reason() + ": save its arrays as variables";
  }
  return {};
}

// The array of this name: the variable or one inside it; null if it does not exist.
matvar_t* partOf(matvar_t* variable, const std::string& name) {
  if (!variable || !isMatContainer(*variable)) return variable;
  for (const MatInside& array : insideOf(*variable, outermostName(name)))
    if (array.name == name) return array.variable;
  return nullptr;
}

}  // namespace

void listMatVariables(ChildArguments& arguments, int socket, int) {
  std::string file;
  arguments.take(file);
  const MatFile mat = openMat(file);
  FrameSender sender(socket);
  std::size_t arraysInside = 0;
  for (std::size_t count = 0;; ++count) {
    const MatVariable v(Mat_VarReadNextInfo(mat.get()), Mat_VarFree);
    if (!v) break;
    if (count == maxVariables)
      throw Error(problemOf(file), "it holds more than " + std::to_string(maxVariables) + " variables",
                  "Save the scan's variables in a separate file");
    if (!v->name) continue;
    const std::string name = v->name;
    if (!isMatContainer(*v)) {
      const std::string why = whyUnreadable(*v);
      if (why.empty())
        sendArray(sender, name, *v);
      else if (const auto frame = otherClass(file, *v))
        sendArray(sender, name, *frame);
      else
        sendUnreadable(sender, name, why);
      continue;
    }
    std::string why = "it is " + kindOf(*v);
    const std::vector<MatInside> inside = arraysIn(*v, name, maxArraysInside - arraysInside, why);
    for (const MatInside& array : inside) sendArray(sender, array.name, *array.variable);
    if (inside.empty()) sendUnreadable(sender, name, why);
    arraysInside += inside.size();
  }
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

void sendMatVariable(ChildArguments& arguments, int socket, int) {
  constexpr std::size_t elementsAtOnce = 1 << 16;
  std::string file, name;
  arguments.take(file);
  arguments.take(name);
  checkMatElements(file, problemOf(file));
  const MatFile mat = openMat(file);
  MatVariable whole(Mat_VarReadInfo(mat.get(), name.c_str()), Mat_VarFree);
  if (!whole) whole.reset(Mat_VarReadInfo(mat.get(), outermostName(name).c_str()));
  matvar_t* const v = partOf(whole.get(), name);
  const auto fail = [&](const std::string& reason) {
    throw Error(problemOf(file), "its variable " + name + " " + reason, saveWithoutObjects);
  };
  if (!v) fail("is missing");
  const std::string why = whyUnreadable(*v);
  if (!why.empty() && otherClass(file, *v)) {
    FrameSender sender(socket);
    sendMatDataset(file, name, problemOf(file), sender);
    sender.send(ChildMessage::done, 0, nullptr, 0);
    sender.flush();
    return;
  }
  if (!why.empty()) fail("cannot be used: " + why);
  if (Mat_VarReadDataAll(mat.get(), v) != 0 || !v->data) fail("is damaged");
  std::size_t elements = 1;
  for (int i = 0; i < v->rank; ++i) elements *= v->dims[i];
  const auto size = std::size_t(elementBytes(*typeOf(*v)));
  const std::size_t part = v->isComplex ? size / 2 : size;
  if (v->data_size != int(part) || v->nbytes / part < elements) fail("is shorter than its sizes say");
  FrameSender sender(socket);
  std::vector<char> pairs;
  for (std::size_t at = 0; at < elements; at += elementsAtOnce) {
    const std::size_t count = std::min(elementsAtOnce, elements - at);
    const char* values = static_cast<const char*>(v->data) + at * size;
    if (v->isComplex) {
      pairs.resize(count * size);
      const auto& parts = *static_cast<const mat_complex_split_t*>(v->data);
      if (!parts.Re || !parts.Im) fail("lacks one of its parts");
      if (v->class_type == MAT_C_SINGLE)
        interleave(parts, at, count, reinterpret_cast<float*>(pairs.data()));
      else
        interleave(parts, at, count, reinterpret_cast<double*>(pairs.data()));
      values = pairs.data();
    }
    sender.send(ChildMessage::values, at * size, values, count * size);
  }
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

}  // namespace spokelab
