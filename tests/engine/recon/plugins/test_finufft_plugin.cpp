// FINUFFT's plug-in, where it was built: both types in all dimensions meet the accuracies asked for.
#include <QtTest>

#include "engine/nufft/tune/plugins/trial.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/test_main.h"

namespace test_finufft_plugin {

using namespace spokelab;

namespace {

const std::filesystem::path file = std::filesystem::path(SPOKELAB_BINARY_DIR) / "plugins" / "finufft.so";
constexpr double seconds = 60;

class TestFinufftPlugin : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!std::filesystem::exists(file)) QSKIP("FINUFFT was not found when this was built");
  }

  void accuraciesAreMet_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("sign");
    QTest::addColumn<bool>("single");
    QTest::addColumn<double>("accuracy");
    for (const int dims : {1, 2, 3})
      for (const int sign : {-1, 1})
        for (const double accuracy : {1e-2, 1e-4, 1e-8})
          for (const bool single : {true, false})
            if (!single || accuracy > 1e-5)
              QTest::addRow("%d-D, sign %d, %s, %g", dims, sign, single ? "single" : "double", accuracy)
                  << dims << sign << single << accuracy;
  }

  void accuraciesAreMet() {
    QFETCH(int, dims);
    QFETCH(int, sign);
    QFETCH(bool, single);
    QFETCH(double, accuracy);
    const PluginInfo info = probePlugin(file, file, seconds, {});
    QCOMPARE(info.name, std::string("finufft"));
    TuneRequest request;
    const Index3 sizes[] = {{101, 1, 1}, {30, 21, 1}, {12, 9, 14}};  // odd and even
    request.problem.dims = dims;
    request.problem.size = sizes[dims - 1];
    request.problem.precision = single ? Precision::single : Precision::double64;
    request.problem.sign = sign;
    request.problem.batch = 3;
    request.options.accuracy = accuracy;
    request.options.threads = 2;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-0.5, 0.5);
    std::vector<double> points(std::size_t(400 * dims));
    for (double& k : points) k = place(random);
    request.points = points;
    for (const double alpha : {0.0, 2.0}) {
      const PluginTrial trial = tryPlugin(info, request, alpha, seconds, {});  // throws where it is not met
      QVERIFY(trial.measuredError <= accuracy && trial.accuracy >= accuracy / 10.01);
    }
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestFinufftPlugin)

}  // namespace test_finufft_plugin

#include "test_finufft_plugin.moc"
