// NFFT3's plug-in, where it was built: both types in all dimensions meet the accuracies asked for,
// and what it lacks is refused with the reason.
#include <QtTest>

#include "engine/core/error.h"
#include "tests/engine/recon/plugins/plugin_accuracy.h"
#include "tests/test_main.h"

namespace test_nfft3_plugin {

using namespace spokelab;
using namespace spokelab::test;

namespace {

const std::filesystem::path file = std::filesystem::path(SPOKELAB_BINARY_DIR) / "plugins" / "nfft3.so";

class TestNfft3Plugin : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!std::filesystem::exists(file)) QSKIP("NFFT3 was not found when this was built");
  }

  void accuraciesAreMet_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("sign");
    QTest::addColumn<double>("accuracy");
    for (const int dims : {1, 2, 3})
      for (const int sign : {-1, 1})
        for (const double accuracy : {1e-2, 1e-4, 1e-8, 1e-12})
          QTest::addRow("%d-D, sign %d, %g", dims, sign, accuracy) << dims << sign << accuracy;
  }

  void accuraciesAreMet() {
    QFETCH(int, dims);
    QFETCH(int, sign);
    QFETCH(double, accuracy);
    const PluginInfo info = probePlugin(file, file, trialSeconds, {});
    QCOMPARE(info.name, std::string("nfft3"));
    NufftProblem problem;
    const Index3 sizes[] = {{102, 1, 1}, {30, 22, 1}, {12, 10, 14}};
    problem.dims = dims;
    problem.size = sizes[dims - 1];
    problem.precision = Precision::double64;
    problem.sign = sign;
    verifyPluginAccuracy(info, problem, accuracy);
  }

  void oddSizesAreRefusedWithTheReason() {
    const PluginInfo info = probePlugin(file, file, trialSeconds, {});
    TuneRequest request;
    request.problem.dims = 2;
    request.problem.size = {16, 15, 1};
    request.problem.precision = Precision::double64;
    QVERIFY(info.supports(request.problem));
    const std::vector<double> points{0.1, 0.2, -0.3, 0.4};
    request.points = points;
    std::string said;
    try {
      tryPlugin(info, request, 2, trialSeconds, {});
    } catch (const Error& e) {
      said = e.reason();
    }
    QVERIFY2(said.find("its sizes are even, not 15") != std::string::npos, said.c_str());
    request.problem.precision = Precision::single;
    QVERIFY(!info.supports(request.problem));
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestNfft3Plugin)

}  // namespace test_nfft3_plugin

#include "test_nfft3_plugin.moc"
