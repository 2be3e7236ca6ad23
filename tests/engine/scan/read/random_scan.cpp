#include "tests/engine/scan/read/random_scan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace spokelab::test {
namespace {

// A number in -1 ... 1 that depends on all bits of `key` (splitmix64).
double noise(std::uint64_t key) {
  key += 0x9e3779b97f4a7c15ULL;
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9ULL;
  key = (key ^ (key >> 27)) * 0x94d049bb133111ebULL;
  key ^= key >> 31;
  return 2 * double(key >> 11) / double(std::uint64_t(1) << 53) - 1;
}

// Calls use(place of each axis by name) for every element, the last axis fastest.
template <class Use>
void forEachPlace(const std::vector<NamedSize>& axes, const Use& use) {
  std::map<std::string, std::int64_t> at;
  std::int64_t count = 1;
  for (const NamedSize& a : axes) count *= a.size;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    for (std::size_t a = axes.size(); a-- > 0;) {
      at[axes[a].name] = rest % axes[a].size;
      rest /= axes[a].size;
    }
    use(at);
  }
}

// Pixels of a plane of 6 x 6 and of all partitions: sum of y e^{2 pi i k.r/N}.
template <class Point, class Value>
std::vector<cdouble> imageOf(std::int64_t count, std::int64_t depth, std::int64_t matrix, const Point& point,
                             const Value& value) {
  constexpr int side = 6;
  std::vector<cdouble> image;
  for (std::int64_t z = 0; z < depth; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        cdouble sum = 0;
        for (std::int64_t j = 0; j < count; ++j) {
          const Vec3 k = point(j);
          const double cycles = (k[0] * (x - 2) + k[1] * (y - 3)) / double(matrix) +
                                (depth > 1 ? k[2] * double(z - depth / 2) / double(depth) : 0);
          sum += value(j) * std::polar(1.0, 2 * std::numbers::pi * cycles);
        }
        image.push_back(sum);
      }
  return image;
}

double relativeDifference(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double sum = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(sum / norm);
}

}  // namespace

RandomScan::RandomScan(std::mt19937& random) : seed_(random()) {
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  std::vector<std::string> kinds = {"time", "phase", "echo", "set"};
  std::shuffle(kinds.begin(), kinds.end(), random);
  for (int n = draw(0, 3) % 3; n > 0; --n) frames.push_back({kinds[std::size_t(n)], draw(2, 4)});
  coils = draw(1, 4);
  if (draw(0, 3) == 0)
    partitions = draw(2, 4);
  else if (draw(0, 1) == 0)
    slices = draw(2, 4);
  shots = draw(5, 9);
  samples = 2 * draw(5, 9);
  matrix = 2 * draw(6, 12);
  coverage = draw(0, 1) ? 1 : 0.75;
  if (!frames.empty() && draw(0, 3) == 0)
    ownTrajectories = frames[std::size_t(draw(0, int(frames.size()) - 1))].name;
}

std::int64_t RandomScan::frameCount() const {
  std::int64_t n = 1;
  for (const NamedSize& f : frames) n *= f.size;
  return n;
}

std::vector<NamedSize> RandomScan::axes() const {
  std::vector<NamedSize> all = frames;
  if (slices > 1) all.push_back({"slice", slices});
  if (coils > 1) all.push_back({"coil", coils});
  if (partitions > 1) all.push_back({"partition", partitions});
  all.push_back({"shot", shots});
  all.push_back({"sample", samples});
  return all;
}

std::vector<NamedSize> RandomScan::trajectoryAxes() const {
  std::vector<NamedSize> all;
  for (const NamedSize& f : frames)
    if (f.name == ownTrajectories) all.push_back(f);
  all.push_back({"shot", shots});
  all.push_back({"sample", samples});
  all.push_back({"column", 2});
  return all;
}

double RandomScan::point(std::int64_t own, std::int64_t shot, std::int64_t sample, int column) const {
  constexpr double golden = 0.6180339887498949;
  const double angle = std::numbers::pi * std::fmod(golden * double(shot + 17 * own), 1.0);
  const double k = coverage * double(matrix) / 2 * (2 * double(sample) / double(samples) - 1);
  return column == 0 ? k * std::cos(angle) : k * std::sin(angle);
}

std::int64_t RandomScan::ownOf(std::int64_t frame) const {
  std::int64_t own = 0;
  for (std::size_t a = frames.size(); a-- > 0;) {
    if (frames[a].name == ownTrajectories) own = frame % frames[a].size;
    frame /= frames[a].size;
  }
  return own;
}

cdouble RandomScan::sample(std::int64_t frame, std::int64_t slice, std::int64_t coil, std::int64_t partition,
                           std::int64_t shot, std::int64_t sample) const {
  std::uint64_t key = seed_;
  for (const std::int64_t n : {frame, slice, coil, partition, shot, sample})
    key = key * 1000003 + std::uint64_t(n);
  // Multiples of 2^-12, so that floats and whole numbers hold them exactly.
  const auto rounded = [](double v) { return std::round(v * 4096) / 4096; };
  return {rounded(noise(2 * key)), rounded(noise(2 * key + 1))};
}

std::vector<cdouble> RandomScan::samplesIn(const std::vector<NamedSize>& order) const {
  std::vector<cdouble> values;
  forEachPlace(order, [&](std::map<std::string, std::int64_t>& at) {
    std::int64_t frame = 0;
    for (const NamedSize& f : frames) frame = frame * f.size + at[f.name];
    values.push_back(sample(frame, at["slice"], at["coil"], at["partition"], at["shot"], at["sample"]));
  });
  return values;
}

std::vector<double> RandomScan::pointsIn(const std::vector<NamedSize>& order, double scale) const {
  std::vector<double> values;
  forEachPlace(order, [&](std::map<std::string, std::int64_t>& at) {
    values.push_back(scale * point(at[ownTrajectories], at["shot"], at["sample"], int(at["column"])));
  });
  return values;
}

std::string RandomScan::difference(const Scan& scan) const {
  constexpr double tolerance = 1e-5;
  if (scan.frames != frameCount()) return "it has " + std::to_string(scan.frames) + " frames";
  if (scan.slices != slices) return "it has " + std::to_string(scan.slices) + " slices";
  if (scan.coils != coils) return "it has " + std::to_string(scan.coils) + " coils";
  if (scan.dims() != (partitions > 1 ? 3 : 2)) return "it has other dimensions";
  if (scan.geometry.matrix[0] != matrix || scan.geometry.matrix[1] != matrix) return "it has another matrix";
  for (int f = 0; f < scan.frames; ++f) {
    std::int64_t frame = 0;  // of this scan, by the names of the axes
    for (const NamedSize& axis : frames) {
      const auto found = scan.frameAxes.find(*frameMeaningOf(axis.name));
      if (!found || scan.frameAxes.axes[*found].size != axis.size) return "it has no axis " + axis.name;
      frame = frame * axis.size + scan.frameAxes.place(f, *found);
    }
    const Trajectory& t = scan.trajectory(f);
    const std::int64_t own = ownOf(frame), count = partitions * shots * samples;
    for (int z = 0; z < scan.slices; ++z)
      for (int c = 0; c < scan.coils; ++c) {
        const auto expected = imageOf(
            count, partitions, matrix,
            [&](std::int64_t j) {
              const std::int64_t s = j / samples % shots, i = j % samples;
              return Vec3{point(own, s, i, 0), point(own, s, i, 1),
                          double(j / samples / shots - partitions / 2)};
            },
            [&](std::int64_t j) {
              return sample(frame, z, c, j / samples / shots, j / samples % shots, j % samples);
            });
        const auto image = imageOf(
            t.samples(), partitions, matrix,
            [&](std::int64_t j) {
              const double* k = t.points.data() + j * t.dims;
              return Vec3{k[0], k[1], t.dims > 2 ? k[2] : 0};
            },
            [&](std::int64_t j) { return cdouble(scan.data(f, z, c)[j]); });
        if (!(relativeDifference(image, expected) < tolerance))
          return "the image of frame " + std::to_string(f) + ", slice " + std::to_string(z) + ", coil " +
                 std::to_string(c) + " differs";
      }
  }
  return "";
}

}  // namespace spokelab::test
