// Maps are read where they lie in the patient: any grid, voxel size and order of axes gives the values
// that interpolation in double precision gives, from NIfTI and ISMRMRD alike.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/core/error.h"
#include "engine/scan/check/map_on_grid.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/place/vectors.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

namespace test_map_on_grid {

using namespace spokelab;
using namespace spokelab::test;

namespace {

std::mt19937 dice(521);
double uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(dice);
}
std::int64_t whole(int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(dice);
}

Directions anyDirections() {
  Vec3 r{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) + 1e-3},
      p{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
  r = along({}, 1 / lengthOf(r), r);
  p = along(p, -dot(p, r), r);
  p = along({}, 1 / lengthOf(p), p);
  return {r, p, dice() % 2 ? cross(r, p) : along({}, -1, cross(r, p))};
}

Geometry anyGeometry(const Index3& size, double voxelLow, double voxelHigh, double off) {
  Geometry g;
  g.matrix = size;
  for (std::size_t d = 0; d < 3; ++d) g.fov[d] = uniform(voxelLow, voxelHigh) * double(size[d]);
  g.setDirections(anyDirections());
  g.slicePositions = {{uniform(-off, off), uniform(-off, off), uniform(-off, off)}};
  return g;
}

Image mapOf(const Geometry& g, int frames) {
  Image map = nominalImage(g.matrix, "map");
  map.geometry = g;
  map.geometry.nominal = false;
  map.frames = frames;
  for (std::int64_t i = 0; i < map.volume() * frames; ++i)
    map.data.push_back({float(uniform(-1, 1)), float(uniform(-1, 1))});
  return map;
}

// Where a pixel of a volume lies, LPS, mm.
Vec3 positionOf(const Geometry& g, const Vec3& index) {
  Vec3 at = g.slicePositions.front();
  const std::array<Vec3, 3> axes{g.readDirection, g.phaseDirection, g.sliceDirection};
  for (std::size_t d = 0; d < 3; ++d)
    at = along(at, (index[d] - double(g.matrix[d] / 2)) * g.voxel()[d], axes[d]);
  return at;
}

// The map at a point: pixel numbers by projection on its axes, the eight neighbours weighed, outside
// the nearest.
cdouble valueAt(const Image& map, int frame, const Vec3& at, bool phase) {
  const Geometry& g = map.geometry;
  const Vec3 from = minus(at, g.slicePositions.front());
  const std::array<Vec3, 3> axes{g.readDirection, g.phaseDirection, g.sliceDirection};
  std::array<std::int64_t, 3> low{}, high{};
  std::array<double, 3> part{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double n = dot(from, axes[d]) / g.voxel()[d] + double(g.matrix[d] / 2);
    const double held = std::min(std::max(n, 0.0), double(map.size[d] - 1));
    low[d] = std::int64_t(std::floor(held));
    high[d] = std::min(low[d] + 1, map.size[d] - 1);
    part[d] = held - double(low[d]);
  }
  cdouble sum = 0;
  for (int c = 0; c < 8; ++c) {
    double share = 1;
    std::array<std::int64_t, 3> n{};
    for (std::size_t d = 0; d < 3; ++d) {
      const bool upper = (c >> d) & 1;
      n[d] = upper ? high[d] : low[d];
      share *= upper ? part[d] : 1 - part[d];
    }
    const cdouble value = cdouble(
        map.data[std::size_t(frame * map.volume() + (n[2] * map.size[1] + n[1]) * map.size[0] + n[0])]);
    sum += share * (phase ? std::polar(1.0, value.real()) : value);
  }
  return phase ? cdouble(std::arg(sum)) : sum;
}

// The same map with its axes in another order, some of them backwards.
Image reordered(const Image& map, const std::array<std::size_t, 3>& order, const std::array<bool, 3>& back) {
  Image out = map;
  const std::array<Vec3, 3> axes{map.geometry.readDirection, map.geometry.phaseDirection,
                                 map.geometry.sliceDirection};
  Vec3 centre{};  // index in `map` of the pixel that is the middle one of `out`
  std::array<Vec3, 3> turned{};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t from = order[d];
    out.size[d] = out.geometry.matrix[d] = map.size[from];
    out.geometry.fov[d] = map.geometry.fov[from];
    turned[d] = along({}, back[d] ? -1 : 1, axes[from]);
    const std::int64_t middle = out.size[d] / 2;
    centre[from] = double(back[d] ? out.size[d] - 1 - middle : middle);
  }
  out.geometry.setDirections({turned[0], turned[1], turned[2]});
  out.geometry.slicePositions = {positionOf(map.geometry, centre)};
  std::size_t i = 0;
  for (int f = 0; f < map.frames; ++f)
    for (std::int64_t z = 0; z < out.size[2]; ++z)
      for (std::int64_t y = 0; y < out.size[1]; ++y)
        for (std::int64_t x = 0; x < out.size[0]; ++x) {
          const Index3 n{x, y, z};
          Index3 in{};
          for (std::size_t d = 0; d < 3; ++d) in[order[d]] = back[d] ? out.size[d] - 1 - n[d] : n[d];
          out.data[i++] =
              map.data[std::size_t(f * map.volume() + (in[2] * map.size[1] + in[1]) * map.size[0] + in[0])];
        }
  return out;
}

double largest(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
  double most = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, double(std::abs(a[i] - b[i])));
  return most;
}

std::array<std::size_t, 3> anyOrder() {
  std::array<std::size_t, 3> order{0, 1, 2};
  std::shuffle(order.begin(), order.end(), dice);
  return order;
}

}  // namespace

class TestMapOnGrid : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  Image throughFile(const Image& map, const char* name) const {
    const std::filesystem::path file = folder_.filePath(name).toStdString();
    writeImage(map, file, {}, {});
    return readImage(file, {});
  }

 private slots:
  // 400 draws: random affines on both sides, in memory and through both formats.
  void mapsWithRandomAffinesMatchInterpolationInDouble() {
    constexpr int usual = 400;
    const int draws = usual * campaignFactor();
    dice.seed(campaignSeed(521));
    constexpr double tolerance = 1e-5;
    int inFiles = 0, apart = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const Geometry g = anyGeometry({whole(1, 9), whole(1, 9), whole(2, 9)}, 1, 9, 20);
      const Image map = mapOf(g, int(whole(1, 3)));
      Geometry grid = anyGeometry({whole(1, 12), whole(1, 12), whole(1, 8)}, 1, 6, 10);
      const MapKind kind = dice() % 3 == 0 ? MapKind::phase : MapKind::value;
      std::vector<cfloat> expected;
      for (int f = 0; f < map.frames; ++f)
        for (std::int64_t z = 0; z < grid.matrix[2]; ++z)
          for (std::int64_t y = 0; y < grid.matrix[1]; ++y)
            for (std::int64_t x = 0; x < grid.matrix[0]; ++x)
              expected.push_back(cfloat(valueAt(map, f, positionOf(grid, {double(x), double(y), double(z)}),
                                                kind == MapKind::phase)));
      try {
        const MapOnGrid here = mapOnGrid(map, grid, grid.matrix, kind, "Cannot use the map", {});
        QVERIFY2(largest(here.values, expected) < tolerance, qPrintable(QString::number(draw)));
        const bool allOutside = here.origin.find("100") != std::string::npos;
        QVERIFY(allOutside || !here.question);
        const Image other = reordered(map, anyOrder(), {dice() % 2 == 0, dice() % 2 == 0, dice() % 2 == 0});
        QVERIFY(largest(mapOnGrid(other, grid, grid.matrix, kind, "", {}).values, expected) < tolerance);
        // Headers hold floats: places differ by some 1e-5 mm.
        constexpr double ofFloats = 2e-4;
        if (other.size[2] > 1 && draw % 4 == 0)
          for (const char* name : {"map.nii", "map.h5"}) {
            ++inFiles;
            QVERIFY2(largest(mapOnGrid(throughFile(other, name), grid, grid.matrix, kind, "", {}).values,
                             expected) < ofFloats,
                     name);
          }
      } catch (const Error& e) {
        ++apart;
        QVERIFY2(std::string(e.what()).find("does not overlap") != std::string::npos, e.what());
      }
    }
    qInfo("of %d maps: %d read from files as well, %d beside the image and refused", draws, inFiles, apart);
    countCases("maps with random affines", draws);
  }

  void anotherOrderOfAxesIsReadPixelByPixel() {
    const Geometry g = anyGeometry({6, 5, 4}, 2, 4, 10);
    const Image map = mapOf(g, 2);
    for (int trial = 0; trial < 48; ++trial) {
      const Image other = reordered(map, anyOrder(), {(trial & 1) != 0, (trial & 2) != 0, (trial & 4) != 0});
      for (const Image& stored : {other, throughFile(other, "map.nii.gz")}) {
        const MapOnGrid back = mapOnGrid(stored, g, g.matrix, MapKind::value, "", {});
        QVERIFY(std::equal(back.values.begin(), back.values.end(), map.data.begin(), map.data.end()));
      }
    }
  }

  void aSliceIsCutOutOfAVolume() {
    Geometry g = anyGeometry({6, 5, 4}, 2, 4, 10);
    const Image map = mapOf(g, 1);
    Geometry slice = g;  // the third one
    slice.matrix[2] = 1;
    slice.fov[2] = g.voxel()[2];
    slice.slicePositions = {positionOf(g, {double(6 / 2), double(5 / 2), 2})};
    const MapOnGrid back = mapOnGrid(map, slice, {6, 5, 1}, MapKind::value, "", {});
    QVERIFY(std::equal(back.values.begin(), back.values.end(), map.data.begin() + 60));
  }

  void mapsOfThreePlanesServeEachPlane() {
    Image map = nominalImage({4, 4, 2}, "planes");
    map.geometry.nominal = false;
    map.geometry.matrix[2] = 1;
    map.geometry.fov = {8, 8, 2};
    const Directions coronal{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    map.geometry.slicePositions = {{0, 0, 0}, {0, 0, 0}};
    map.geometry.sliceDirections = {{}, coronal};
    for (int i = 0; i < 32; ++i) map.data.push_back(float(i));
    Geometry grid = map.geometry;
    grid.sliceDirections.clear();
    grid.slicePositions.resize(1);
    grid.setDirections(coronal);
    const MapOnGrid back = mapOnGrid(map, grid, {4, 4, 1}, MapKind::value, "", {});
    QCOMPARE(back.values.front(), cfloat(16));
    QCOMPARE(back.values.back(), cfloat(31));
  }

  void whatLiesOutsideIsSaid() {
    Geometry g;
    g.matrix = {4, 4, 4};
    g.fov = {40, 40, 40};
    Image map = mapOf(g, 1);
    Geometry wide = g;
    wide.fov = {80, 40, 40};
    wide.matrix = {8, 4, 4};
    const MapOnGrid back = mapOnGrid(map, wide, wide.matrix, MapKind::value, "", {});
    QVERIFY2(back.origin.find("50 % of the image is outside") != std::string::npos ||
                 back.origin.find("50% of the image is outside") != std::string::npos,
             back.origin.c_str());
    QCOMPARE(back.values[0], map.data[0]);  // the nearest value
    wide.slicePositions = {{500, 0, 0}};
    QVERIFY_THROWS_EXCEPTION(Error, mapOnGrid(map, wide, wide.matrix, MapKind::value, "Cannot use", {}));
  }

  void phasesAreNeverInterpolatedAcrossTheirWrap() {
    Geometry g;
    g.matrix = {2, 1, 1};
    g.fov = {4, 2, 2};
    Image map = mapOf(g, 1);
    map.data.assign({cfloat(3.1f), cfloat(-3.1f)});
    Geometry middle = g;
    middle.matrix = {1, 1, 1};
    middle.fov = {2, 2, 2};
    middle.slicePositions = {{-1, 0, 0}};
    const MapOnGrid back = mapOnGrid(map, middle, middle.matrix, MapKind::phase, "", {});
    QVERIFY(std::abs(std::abs(back.values[0].real()) - float(std::acos(-1.0))) < 1e-5f);
  }

  void nothingIsGuessedWhereAPlaceIsUnknown() {
    Geometry g = anyGeometry({6, 5, 4}, 2, 4, 10);
    Image map = mapOf(g, 1);
    QVERIFY(liesInPatient(map, g, g.matrix));
    Geometry assumed = g;
    assumed.nominal = true;
    QVERIFY(liesInPatient(map, assumed, g.matrix));  // the same pixels
    const Image turned = reordered(map, {1, 0, 2}, {true, false, false});
    QVERIFY(liesInPatient(turned, assumed, g.matrix));
    QVERIFY(mapOnGrid(turned, assumed, g.matrix, MapKind::value, "", {}).question);
    assumed.slicePositions[0][0] += 1;
    QVERIFY(!liesInPatient(map, assumed, g.matrix));
    map.geometry.nominal = true;
    QVERIFY(!liesInPatient(map, g, g.matrix));
  }
};

SPOKELAB_TEST(TestMapOnGrid)

}  // namespace test_map_on_grid

#include "test_map_on_grid.moc"
