// Changes of a sound scan's conventions: other units, columns, axes, directions, headers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/engine/scan/variant_file.h"

namespace spokelab::test {

// A scan, its sound acquisitions, and their header, which a test may change.
struct Variant {
  const Scan& scan;
  std::vector<TestAcquisition> all;
  TestSpace encoded, recon;
  std::string limits;

  explicit Variant(const Scan& s) : scan(s), all(acquisitionsOf(s)), encoded(spaceOf(s)), recon(encoded) {
    for (TestAcquisition& a : all) {
      const Geometry& g = s.geometry;
      for (std::size_t d = 0; d < 3; ++d) {
        a.head.read_dir[d] = float(g.readDirection[d]);
        a.head.phase_dir[d] = float(g.phaseDirection[d]);
        a.head.slice_dir[d] = float(g.sliceDirection[d]);
      }
    }
  }
  int dims() const { return scan.dims(); }
  void scaleAxes(const std::function<double(std::size_t)>& factor) {
    for (TestAcquisition& a : all)
      for (std::size_t i = 0; i < a.trajectory.size(); ++i)
        a.trajectory[i] = float(double(a.trajectory[i]) * factor(i % std::size_t(dims())));
  }
  // value(acquisition, sample)
  void addColumn(const std::function<double(const TestAcquisition&, std::size_t)>& value) {
    for (TestAcquisition& a : all) {
      std::vector<float> wider;
      const std::size_t columns = a.head.trajectory_dimensions;
      for (std::size_t i = 0; i < a.head.number_of_samples; ++i) {
        wider.insert(wider.end(), a.trajectory.begin() + std::ptrdiff_t(i * columns),
                     a.trajectory.begin() + std::ptrdiff_t((i + 1) * columns));
        wider.push_back(float(value(a, i)));
      }
      a.trajectory = std::move(wider);
      ++a.head.trajectory_dimensions;
    }
  }
};

using Change = std::function<void(Variant&)>;
enum class Answer { right, proposed };  // at once; or among the proposals

struct NamedChange {
  const char* name;
  Answer expected;
  Change change;
};

const std::vector<NamedChange>& changes();

}  // namespace spokelab::test
