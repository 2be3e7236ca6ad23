// Arrays on disk for tests: bytes of .npy files, a folder that they lie in, and a small scan whose numbers
// they hold.
#pragma once

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/scan/simulate/simulate.h"

namespace spokelab::test {

// One slice of a phantom, measured by spokes.
inline std::shared_ptr<const Scan> smallRadial(int matrix, int shots, int coils) {
  SimulateOptions o;
  o.trajectory.matrix = {matrix, matrix, 1};
  o.trajectory.shots = shots;
  o.coils = coils;
  return simulate(o, Progress());
}

// [coil, shot, sample] of its only slice.
inline std::vector<cfloat> samplesOf(const Scan& scan) {
  return {scan.data(0, 0, 0), scan.data(0, 0, 0) + scan.coils * scan.trajectory(0).samples()};
}

inline std::string npyHeader(const std::string& type, const std::vector<std::int64_t>& shape,
                             bool fortran = false) {
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (";
  for (const std::int64_t n : shape) text += std::to_string(n) + ", ";
  text += "), }";
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + char(text.size() & 0xff) + char(text.size() >> 8) + text;
}

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

inline std::string reasonOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.summary().empty() ? "" : e.reason();
  }
  return "(no error)";
}

class ArrayFolder {
 protected:
  void renew() { folder_ = std::make_unique<QTemporaryDir>(); }
  std::filesystem::path path(const std::string& name) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  void writeNpy(const std::string& name, const std::vector<std::int64_t>& shape,
                const std::vector<cfloat>& v) const {
    write(name, npyHeader("<c8", shape) + bytesOf(v));
  }

 private:
  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace spokelab::test
