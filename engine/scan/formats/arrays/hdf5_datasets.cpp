#include "engine/scan/formats/arrays/hdf5_datasets.h"

#include <cstring>

#include "engine/core/child/child_process.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/child_bytes.h"
#include "engine/scan/formats/arrays/dataset_worker.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

std::string received(ChildProcess& child, std::uint64_t bytes, const Progress& progress) {
  std::string text(bytes, '\0');
  child.receive(text.data(), text.size(), progress);
  return text;
}

void receive(ChildProcess& child, const ChildFrame& frame, Hdf5Contents& contents, const Progress& progress) {
  const bool array = frame.kind == ChildMessage::array;
  const std::uint64_t before = array ? sizeof(DatasetFrame) : 0;
  if (frame.position > maxDatasetNameBytes || frame.bytes < before + frame.position ||
      frame.bytes > before + maxDatasetNameBytes + maxDatasetTextBytes)
    child.fail(unknownMessage);
  DatasetFrame head;
  if (array) child.receive(&head, sizeof head, progress);
  const std::string name = received(child, frame.position, progress);
  const std::string rest = received(child, frame.bytes - before - frame.position, progress);
  if (array || frame.kind == ChildMessage::ignored) {
    ArrayVariable& v = contents.arrays.emplace_back();
    v.name = name;
    v.unreadable = rest;
    if (head.axes > DatasetFrame::maxAxes) child.fail(unknownMessage);
    v.header.type = head.type;
    v.header.shape.assign(head.shape.begin(), head.shape.begin() + head.axes);
    if (array && v.header.shape.empty()) v.header.shape = {1};
    if (array) checkShape(v.header, "Cannot read " + name);
  } else if (frame.kind == ChildMessage::heads) {
    std::vector<double> values(rest.size() / sizeof(double));
    std::memcpy(values.data(), rest.data(), values.size() * sizeof(double));
    contents.numbers[name] = std::move(values);
  } else if (frame.kind == ChildMessage::header) {
    contents.texts[name] = rest;
  } else {
    child.fail(unknownMessage);
  }
}

}  // namespace

const ArrayVariable* Hdf5Contents::find(const std::string& name) const {
  for (const ArrayVariable& v : arrays)
    if (v.name == name && v.unreadable.empty()) return &v;
  return nullptr;
}

ArrayVariable Hdf5Contents::variable(const std::string& name) const {
  if (const ArrayVariable* const found = find(name)) return *found;
  if (!name.ends_with(joinedParts)) return {};
  const ArrayVariable* const real = find(name.substr(0, name.size() - joinedParts.size()));
  if (!real || isComplex(real->header.type) || real->header.shape.size() < 2) return {};
  ArrayVariable pairs = *real;
  pairs.name = name;
  std::vector<std::int64_t>& shape = pairs.header.shape;
  if (shape.front() != 2 && shape.back() != 2) return {};
  shape.erase(shape.front() == 2 ? shape.begin() : shape.end() - 1);
  pairs.header.type = needsDouble(real->header.type) ? ElementType::complex128 : ElementType::complex64;
  return pairs;
}

bool hasHdf5Extension(const fs::path& file) {
  const std::string extension = lowerCase(file.extension().string());
  return extension == ".h5" || extension == ".hdf5" || extension == ".mrd";
}

Hdf5Contents hdf5Contents(const fs::path& file, const Progress& progress) {
  ChildProcess child("Cannot read " + file.string(), copyDatasetAgain, limitsToUnpack(file), listHdf5Datasets,
                     argumentsFor(file, ""));
  Hdf5Contents contents;
  for (;;) {
    const ChildFrame frame = child.next(progress);
    if (frame.kind == ChildMessage::done) return contents;
    receive(child, frame, contents, progress);
  }
}

std::unique_ptr<ArrayBytes> openHdf5Dataset(const fs::path& file, const ArrayVariable& dataset) {
  return std::make_unique<ChildBytes>(file, dataset.name, copyDatasetAgain, sendHdf5Dataset);
}

}  // namespace spokelab
