// The matrix that a description gives holds, a size of 1 as well.
#include <QtTest>

#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

class TestDescriptionMatrix : public QObject, ArrayFolder {
  Q_OBJECT

  // Four shots of 32 samples along the last axis of k, one plane each.
  std::shared_ptr<const Scan> open(const std::vector<std::int64_t>& matrix) const {
    return open(matrix, std::int64_t(matrix.size()), 0);
  }

  // stray: the last coordinate of one point; 0: none strays.
  std::shared_ptr<const Scan> open(const std::vector<std::int64_t>& matrix, std::int64_t dims, double stray,
                                   std::map<std::string, std::string> overrides = {},
                                   bool withUnit = true) const {
    constexpr std::int64_t shots = 4, samples = 32;
    std::vector<double> points;
    for (std::int64_t i = 0; i < shots * samples; ++i)
      for (std::int64_t d = 0; d < dims; ++d)
        points.push_back(d + 1 == dims   ? double(i % samples) - 16
                         : d + 2 == dims ? double(i / samples) - 2
                                         : 0.0);
    if (stray != 0) points.back() = stray;
    write("traj.npy", npyHeader("<f8", {shots, samples, dims}) + bytesOf(points));
    writeNpy("ksp.npy", {1, shots, samples}, std::vector<cfloat>(std::size_t(shots * samples), cfloat(1)));
    nlohmann::json j = {{"spokelab-scan", 1},
                        {"samples", {{"file", "ksp.npy"}, {"axes", {"coil", "shot", "sample"}}}},
                        {"trajectory", {{"file", "traj.npy"}, {"unit", "cycles/FOV"}}},
                        {"matrix", matrix}};
    if (matrix.size() == 3) j["trajectory"]["columns"] = {"kx", "ky", "kz"};
    if (!withUnit) j["trajectory"].erase("unit");
    write("scan.json", j.dump());
    ReadOptions options;
    options.overrides = std::move(overrides);
    return readScan(path("scan.json"), options, Progress());
  }

 private slots:
  void init() { renew(); }
  void sizesOfOneAreTaken() {
    QVERIFY((open({1, 32})->geometry.matrix == Index3{1, 32, 1}));
    QVERIFY((open({1, 2, 33})->geometry.matrix == Index3{1, 2, 33}));
    QVERIFY((open({32, 32})->geometry.matrix == Index3{32, 32, 1}));
  }

  // A third coordinate has no place in a matrix of two sizes, and one point far away makes no planes.
  void coordinatesBeyondTheMatrixAreRefused() {
    for (const double stray : {1e38, -1e38, 1e5, 16.0}) {
      QVERIFY_THROWS_EXCEPTION(Error, open({24, 24}, 3, stray));
      if (std::abs(stray) > 100) QVERIFY_THROWS_EXCEPTION(Error, open({32, 4, 32}, 3, stray));
    }
    QVERIFY_THROWS_EXCEPTION(Error, open({24, 24}, 3, 1e38, {{"third-dimension", "kz"}}));
    QVERIFY_THROWS_EXCEPTION(Error, open({24, 24}, 2, 1e38));
    try {
      open({24, 24}, 3, 1e38);
    } catch (const Error& e) {
      QVERIFY2(std::string(e.what()).find("24x24") != std::string::npos, e.what());
    }
  }

  // Twice as far as the matrix: a file's header is corrected, a description is not.
  void statedMatrixIsNotMultiplied() {
    QVERIFY_THROWS_EXCEPTION(Error, open({16, 16}, 2, 0, {}, false));
    QVERIFY((open({16, 16}, 2, 0, {{"matrix", "32x32"}})->geometry.matrix == Index3{32, 32, 1}));
  }
};

}  // namespace

SPOKELAB_TEST(TestDescriptionMatrix)
#include "test_description_matrix.moc"
