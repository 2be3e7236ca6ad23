// FINUFFT's plug-in, where it was built: both types in all dimensions meet the accuracies asked for.
#include <QtTest>

#include "tests/engine/recon/plugins/plugin_accuracy.h"
#include "tests/test_main.h"

namespace test_finufft_plugin {

using namespace spokelab;
using namespace spokelab::test;

namespace {

const std::filesystem::path file = std::filesystem::path(SPOKELAB_BINARY_DIR) / "plugins" / "finufft.so";

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
    const PluginInfo info = probePlugin(file, file, trialSeconds, {});
    QCOMPARE(info.name, std::string("finufft"));
    NufftProblem problem;
    const Index3 sizes[] = {{101, 1, 1}, {30, 21, 1}, {12, 9, 14}};  // odd and even
    problem.dims = dims;
    problem.size = sizes[dims - 1];
    problem.precision = single ? Precision::single : Precision::double64;
    problem.sign = sign;
    verifyPluginAccuracy(info, problem, accuracy);
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestFinufftPlugin)

}  // namespace test_finufft_plugin

#include "test_finufft_plugin.moc"
