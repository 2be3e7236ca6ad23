// compare: the numbers of two image files, whole and in a region, and what it refuses.
#include <QtTest>

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/scan/check/region_metrics.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_compare {

using namespace spokelab;
using namespace spokelab::test;

class TestCompare : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  Image a_, b_;
  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }

 private slots:
  void initTestCase() {
    a_.size = b_.size = {16, 12, 3};
    for (std::int64_t i = 0; i < a_.volume(); ++i) {
      a_.data.push_back({float(i % 17), float(i % 5)});
      b_.data.push_back(a_.data.back() * cfloat(0, 2) + cfloat(float(i % 3), 0));
    }
    writeImage(a_, folder_.filePath("a.npy").toStdString(), {}, {});
    writeImage(b_, folder_.filePath("b.nii.gz").toStdString(), {}, {});
  }

  void aRegionHasTheNumbersOfTheEngine() {
    const CliResult r =
        run({"compare", "a.npy", "b.nii.gz", "--region", "2:9,3:8,1", "--ellipse", "--json", "-"});
    QVERIFY2(r.code == 0, r.err.constData());
    const auto j = nlohmann::json::parse(r.out.toStdString());
    const ImageRegion region{{2, 3, 1}, {9, 8, 1}, true, 2};
    const RegionComparison c = compareRegion(a_, b_, 0, region);
    QVERIFY(c.nrmse > 1e-3 && c.ssim < 0.9999);
    QVERIFY(std::abs(j["nrmse"].get<double>() - c.nrmse) < 1e-6);
    QVERIFY(std::abs(j["ssim"].get<double>() - c.ssim) < 1e-6);
    QCOMPARE(j["imageRegion"]["pixels"].get<std::int64_t>(), regionStatistics(a_, 0, region).count);
  }

  void theWholeImageAndOneAloneAreSaidInWords() {
    const CliResult both = run({"compare", "a.npy", "b.nii.gz"});
    QVERIFY2(both.code == 0, both.err.constData());
    QVERIFY(both.out.contains("NRMSE") && both.out.contains("SSIM") && both.out.contains("576"));
    const CliResult alone = run({"compare", "a.npy", "--region", "1,1,0"});
    QVERIFY2(alone.code == 0, alone.err.constData());
    QVERIFY(alone.out.contains("mean |m|") && !alone.out.contains("NRMSE"));
  }

  void magnitudesAreComparedWhereOneImageHoldsNothingElse() {
    Image magnitudes = b_;
    for (cfloat& v : magnitudes.data) v = 3 * std::abs(v);
    writeImage(magnitudes, folder_.filePath("m.npy").toStdString(), {}, {});
    const CliResult words = run({"compare", "b.nii.gz", "m.npy"});
    QVERIFY2(words.code == 0, words.err.constData());
    QVERIFY2(words.out.contains("magnitudes, since one of the images holds nothing else"), words.out);
    const CliResult r = run({"compare", "b.nii.gz", "m.npy", "--json", "-"});
    const auto j = nlohmann::json::parse(r.out.toStdString());
    QCOMPARE(QString::fromStdString(j["compared"].get<std::string>()), QStringLiteral("magnitudes"));
    QVERIFY(j["nrmse"].get<double>() < 1e-5);
    const CliResult complex = run({"compare", "a.npy", "b.nii.gz"});
    QVERIFY2(complex.out.contains("complex values"), complex.out);
  }

  // A slope along x in patient coordinates, on two grids: what both hold is the same.
  void aReferenceOnAnotherGridIsResampled() {
    const auto slope = [&](const Index3& size, double voxel, double centre, const char* name) {
      Image image = nominalImage(size, name);
      image.geometry.nominal = false;
      image.geometry.fov = {voxel * double(size[0]), voxel * double(size[1]), voxel * double(size[2])};
      image.geometry.slicePositions = {{centre, 0, 0}};
      for (std::int64_t i = 0; i < image.volume(); ++i)
        image.data.emplace_back(float(200 + centre + double(i % size[0] - size[0] / 2) * voxel), 0.F);
      writeImage(image, folder_.filePath(QString::fromUtf8(name)).toStdString(), {}, {});
    };
    slope({20, 20, 10}, 2, 0, "fine.nii.gz");
    slope({11, 11, 7}, 5, 4, "coarse.nii.gz");
    slope({20, 20, 10}, 2, 900, "away.nii.gz");
    const CliResult r = run({"compare", "fine.nii.gz", "coarse.nii.gz", "--json", "-"});
    QVERIFY2(r.code == 0, r.err.constData());
    const auto j = nlohmann::json::parse(r.out.toStdString());
    QVERIFY2(j["nrmse"].get<double>() < 1e-5, r.out.constData());
    const QString how = QString::fromStdString(j["resampled"].get<std::string>());
    QVERIFY2(how.contains("11 x 11 x 7 pixels of 5 x 5 x 5 mm") && how.contains("covers"), qPrintable(how));
    const CliResult away = run({"compare", "fine.nii.gz", "away.nii.gz"});
    QVERIFY(away.code != 0 && away.err.contains("do not overlap"));
    const CliResult pixels = run({"compare", "fine.nii.gz", "away.nii.gz", "--by-pixel", "--json", "-"});
    QVERIFY2(pixels.code == 0, pixels.err.constData());
    QVERIFY(!nlohmann::json::parse(pixels.out.toStdString()).contains("resampled"));
    QVERIFY(run({"compare", "fine.nii.gz", "coarse.nii.gz", "--by-pixel"}).code != 0);
  }

  void whatCannotBeIsRefused() {
    for (const char* region : {"a:b", "1:2,3", "9:2,1,1", "1,1,1,1", "90:99,1,1", ""}) {
      const CliResult r = run({"compare", "a.npy", "b.nii.gz", "--region", QString::fromLatin1(region)});
      if (QLatin1String(region) == QLatin1String("1:2,3") || !*region)
        QCOMPARE(r.code, 0);  // without z the middle slice; nothing: all
      else
        QVERIFY2(r.code != 0 && r.err.contains("Cannot"), region);
    }
    QVERIFY(run({"compare", "a.npy", "b.nii.gz", "--frame", "1"}).code != 0);
    QVERIFY(run({"compare", "missing.npy"}).code != 0);
  }
};

SPOKELAB_CORE_TEST(TestCompare)

}  // namespace test_compare

#include "test_compare.moc"
