// BART's plug-in, where its command runs: both types in two and three dimensions err as a kernel of
// 3 cells does, and what it lacks is refused with the reason.
#include <QtTest>

#include "engine/core/error.h"
#include "engine/nufft/tune/plugins/trial.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/test_main.h"

namespace test_bart_plugin {

using namespace spokelab;

namespace {

const std::filesystem::path file = std::filesystem::path(SPOKELAB_BINARY_DIR) / "peers" / "bart.so";
constexpr double seconds = 60;

TuneRequest requestOf(const Index3& size, double accuracy, const std::vector<double>& points) {
  TuneRequest request;
  request.problem.dims = size[2] > 1 ? 3 : 2;
  request.problem.size = size;
  request.problem.precision = Precision::single;
  request.problem.batch = 2;
  request.options.accuracy = accuracy;
  request.options.threads = 1;
  request.points = points;
  return request;
}

std::string refusal(const PluginInfo& info, const TuneRequest& request) {
  try {
    tryPlugin(info, request, 0, seconds, {});
  } catch (const Error& e) {
    return e.reason();
  }
  return {};
}

}  // namespace

class TestBartPlugin : public QObject {
  Q_OBJECT
  std::optional<PluginInfo> info_;

 private Q_SLOTS:
  // Without the command the plug-in says so, and nothing else can be tried.
  void initTestCase() {
    QVERIFY(std::filesystem::exists(file));
    try {
      info_ = probePlugin(file, file, seconds, {});
    } catch (const Error& e) {
      QVERIFY2(e.reason().find("\"bart\" does not run here") != std::string::npos, e.what());
      QSKIP("BART is not installed");
    }
    QCOMPARE(info_->name, std::string("bart"));
  }

  void errsAsItsKernelDoes() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-0.5, 0.5);
    for (const Index3& size : {Index3{30, 22, 1}, Index3{12, 10, 14}})
      for (const int sign : {-1, 1}) {
        std::vector<double> points(size[2] > 1 ? 600 : 400);
        for (double& k : points) k = place(random);
        TuneRequest request = requestOf(size, 1e-2, points);
        request.problem.sign = sign;
        const double error = tryPlugin(*info_, request, 0, seconds, {}).measuredError;
        QVERIFY2(error > 1e-4 && error < 5e-3, qPrintable(QString::number(error)));
        // A finer accuracy is beyond a kernel of 3 cells.
        request.options.accuracy = 1e-4;
        QVERIFY(refusal(*info_, request).find("its error is") != std::string::npos);
      }
  }

  void oddSizesAreRefusedWithTheReason() {
    const std::vector<double> points{0.1, 0.2, -0.3, 0.4};
    QVERIFY(refusal(*info_, requestOf({16, 15, 1}, 1e-2, points)).find("even, not 15") != std::string::npos);
  }
};

SPOKELAB_CORE_TEST(TestBartPlugin)

}  // namespace test_bart_plugin

#include "test_bart_plugin.moc"
