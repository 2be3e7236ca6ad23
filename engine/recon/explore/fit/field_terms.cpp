#include "engine/recon/explore/fit/field_terms.h"

#include <cmath>

namespace spokelab {

double FieldTerm::at(const Vec3& r) const {
  double value = 1;
  for (std::size_t d = 0; d < 3; ++d) value *= std::pow(r[d], powers[d]);
  return value;
}

std::string FieldTerm::name() const {
  std::string text;
  for (std::size_t d = 0; d < 3; ++d)
    for (int i = 0; i < powers[d]; ++i) text += (text.empty() ? "" : " ") + std::string(axisNames[d]);
  return text.empty() ? "constant" : text;
}

std::vector<FieldTerm> fieldTerms(int order, int dims) {
  std::vector<FieldTerm> terms;
  for (int total = 0; total <= order; ++total)
    for (int x = total; x >= 0; --x)
      for (int y = total - x; y >= 0; --y) {
        const int z = total - x - y;
        if (dims == 3 || z == 0) terms.push_back({{x, y, z}});
      }
  return terms;
}

std::vector<Vec3> placesInFov(const Index3& matrix) {
  std::vector<Vec3> places;
  for (std::int64_t z = 0; z < matrix[2]; ++z)
    for (std::int64_t y = 0; y < matrix[1]; ++y)
      for (std::int64_t x = 0; x < matrix[0]; ++x)
        places.push_back({double(x - matrix[0] / 2) / double(matrix[0]),
                          double(y - matrix[1] / 2) / double(matrix[1]),
                          double(z - matrix[2] / 2) / double(matrix[2])});
  return places;
}

}  // namespace spokelab
