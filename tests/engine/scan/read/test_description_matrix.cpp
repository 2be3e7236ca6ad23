// The matrix that a description gives holds, a size of 1 as well.
#include <QtTest>
#include <nlohmann/json.hpp>

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
    constexpr std::int64_t shots = 4, samples = 32;
    const auto dims = std::int64_t(matrix.size());
    std::vector<double> points;
    for (std::int64_t i = 0; i < shots * samples; ++i)
      for (std::int64_t d = 0; d < dims; ++d)
        points.push_back(d + 1 == dims   ? double(i % samples) - 16
                         : d + 2 == dims ? double(i / samples) - 2
                                         : 0.0);
    write("traj.npy", npyHeader("<f8", {shots, samples, dims}) + bytesOf(points));
    writeNpy("ksp.npy", {1, shots, samples}, std::vector<cfloat>(std::size_t(shots * samples), cfloat(1)));
    nlohmann::json j = {{"spokelab-scan", 1},
                        {"samples", {{"file", "ksp.npy"}, {"axes", {"coil", "shot", "sample"}}}},
                        {"trajectory", {{"file", "traj.npy"}, {"unit", "cycles/FOV"}}},
                        {"matrix", matrix}};
    if (dims == 3) j["trajectory"]["columns"] = {"kx", "ky", "kz"};
    write("scan.json", j.dump());
    return readScan(path("scan.json"), ReadOptions(), Progress());
  }

 private slots:
  void init() { renew(); }
  void sizesOfOneAreTaken() {
    QVERIFY((open({1, 32})->geometry.matrix == Index3{1, 32, 1}));
    QVERIFY((open({1, 2, 33})->geometry.matrix == Index3{1, 2, 33}));
    QVERIFY((open({32, 32})->geometry.matrix == Index3{32, 32, 1}));
  }
};

}  // namespace

SPOKELAB_TEST(TestDescriptionMatrix)
#include "test_description_matrix.moc"
