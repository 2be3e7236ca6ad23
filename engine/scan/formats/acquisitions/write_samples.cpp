#include "engine/scan/formats/acquisitions/write_samples.h"

#include <array>
#include <vector>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/images/cfl_pair.h"
#include "engine/scan/formats/images/npy_file.h"

namespace spokelab {
namespace {

// Shots and samples of each: one shot where their lengths differ.
struct Rows {
  std::int64_t shots = 1, samples = 0;
};

Rows rowsOf(const Scan& scan, const std::string& problem) {
  const Trajectory& t = scan.trajectory(0);
  for (int f = 1; f < scan.frames; ++f)
    if (scan.trajectory(f).samples() != t.samples())
      throw Error(problem, "its frames differ in their number of samples", "Write it as .h5");
  for (std::size_t s = 2; s < t.shotOffsets.size(); ++s)
    if (t.shotOffsets[s] != std::int64_t(s) * t.shotOffsets[1]) return {1, t.samples()};
  return {t.shots(), t.shotOffsets[1]};
}

void writeNpy(const Scan& scan, const Rows& rows, const std::filesystem::path& file,
              const Progress& progress) {
  std::vector<std::int64_t> shape = {scan.coils, rows.shots, rows.samples};
  if (scan.frames > 1 || scan.slices > 1) shape.insert(shape.begin(), {scan.frames, scan.slices});
  const auto count = std::size_t(rows.shots * rows.samples);
  const auto writeValues = [&](ByteSink& sink) {
    for (int f = 0; f < scan.frames; ++f)
      for (int z = 0; z < scan.slices; ++z)
        for (int c = 0; c < scan.coils; ++c) {
          progress.report(double(f) / scan.frames, "Writing " + file.filename().string());
          std::visit([&](const auto* values) { sink.write(values, count * sizeof *values); },
                     scan.values<double>(f, z, c));
        }
  };
  writeNpyFile(file, scan.isDouble() ? "<c16" : "<c8", shape, writeValues, progress, OutputKind::rawData);
}

void writeCfl(const Scan& scan, const Rows& rows, const std::filesystem::path& file,
              const Progress& progress) {
  constexpr std::size_t axes = 16, sampleAxis = 1, shotAxis = 2, coilAxis = 3, frameAxis = 10, sliceAxis = 13;
  std::vector<std::int64_t> sizes(axes, 1);
  sizes[sampleAxis] = rows.samples;
  sizes[shotAxis] = rows.shots;
  sizes[coilAxis] = scan.coils;
  sizes[frameAxis] = scan.frames;
  sizes[sliceAxis] = scan.slices;
  const auto bytes = std::size_t(rows.shots * rows.samples) * sizeof(cfloat);
  const auto writeValues = [&](ByteSink& sink) {
    for (int z = 0; z < scan.slices; ++z)
      for (int f = 0; f < scan.frames; ++f)
        for (int c = 0; c < scan.coils; ++c) {
          progress.report(double(z) / scan.slices, "Writing " + file.filename().string());
          sink.write(scan.data(f, z, c), bytes);
        }
  };
  writeCflPair(file, sizes, "Spokelab", writeValues, progress, OutputKind::rawData);
}

}  // namespace

std::string precisionLost(const Scan& scan, const std::filesystem::path& file) {
  if (!scan.isDouble() || file.extension() == ".npy") return {};
  return file.filename().string() + " holds single precision: 7 of 16 digits are kept; .npy keeps all";
}

void requireSamplesFormat(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  for (const char* known : {".npy", ".cfl", ".h5", ".mrd", ".hdf5"})
    if (extension == known) return;
  throw Error("Cannot write the samples to " + file.string(), "its extension names no format for samples",
              "Use .npy, .cfl or .h5");
}

void writeSamples(const Scan& scan, const std::filesystem::path& file, const Progress& progress) {
  requireSamplesFormat(file);
  const std::string problem = "Cannot write the samples to " + file.string();
  const std::string extension = file.extension().string();
  if (extension == ".npy")
    writeNpy(scan, rowsOf(scan, problem), file, progress);
  else if (extension == ".cfl")
    writeCfl(scan, rowsOf(scan, problem), file, progress);
  else
    writeScan(scan, file, progress);
}

}  // namespace spokelab
