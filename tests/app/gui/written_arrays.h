// Plain arrays of a small scan, in files.
#pragma once

#include <QTemporaryDir>

#include <fstream>
#include <memory>
#include <string>

#include "engine/scan/simulate/simulate.h"

namespace spokelab {

inline void writeNpy(const QString& file, const std::string& type, const std::string& shape, const void* data,
                     std::size_t bytes) {
  std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  std::ofstream out(file.toStdString(), std::ios::binary);
  out << std::string("\x93NUMPY\x01\x00", 8) << char(text.size()) << char(0) << text;
  out.write(static_cast<const char*>(data), std::streamsize(bytes));
}

// The small scan as a physicist keeps it: samples [coil, shot, sample] in one file, points in the
// other.
inline std::shared_ptr<const Scan> writeArrays(const QTemporaryDir& folder) {
  SimulateOptions options;
  options.trajectory.matrix = {32, 32, 1};
  options.coils = 2;
  const auto scan = simulate(options, {});
  const Trajectory& t = scan->trajectory(0);
  const std::string points = std::to_string(t.shots()) + ", " + std::to_string(t.samples() / t.shots());
  writeNpy(folder.filePath(QStringLiteral("ksp.npy")), "<c8", "(2, " + points + ")", scan->samples[0].data(),
           scan->samples[0].size() * sizeof(cfloat));
  writeNpy(folder.filePath(QStringLiteral("traj.npy")), "<f8", "(" + points + ", 2)", t.points.data(),
           t.points.size() * sizeof(double));
  return scan;
}

}  // namespace spokelab
