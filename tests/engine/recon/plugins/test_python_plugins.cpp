// A plug-in in Python is one as any other: exact, refused by name, and no interpreter outlives it.
#include <QtTest>

#include <QProcess>

#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/plugins/trial.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/backend_plugin.h"
#include "tests/engine/nufft/contract.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/test_main.h"

namespace test_python_plugins {

using namespace spokelab;
using namespace spokelab::test;

namespace {

namespace fs = std::filesystem;

const fs::path host = fs::path(SPOKELAB_BINARY_DIR) / "libspokelab_python_plugins.so";
const fs::path example = fs::path(SPOKELAB_SOURCE_DIR) / "app/plugins/python/example_sum.py";
constexpr double seconds = 60;  // an interpreter takes a while to start on a busy machine

QString reasonOf(const std::function<void()>& function) {
  try {
    function();
  } catch (const Error& e) {
    return QString::fromStdString(e.reason());
  }
  return "no error";
}

class TestPythonPlugins : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  fs::path written(const char* name, const QByteArray& text) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
    return file.fileName().toStdString();
  }
  // With a head that is in order.
  PluginInfo plugin(const char* name, const QByteArray& plan) const {
    const fs::path file = written(name, "name = 'mine'\nversion = '2'\nlicense = 'MIT'\n" + plan);
    return probePlugin(file, host, seconds, {});
  }

  static TuneRequest request(int dims, std::vector<double>& points) {
    TuneRequest r;
    const Index3 sizes[] = {{17, 1, 1}, {12, 9, 1}, {6, 5, 8}};
    r.problem.dims = dims;
    r.problem.size = sizes[dims - 1];
    r.problem.precision = Precision::double64;
    r.problem.batch = 2;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-0.5, 0.5);
    points.resize(std::size_t(40 * dims));
    for (double& k : points) k = place(random);
    r.points = points;
    r.options.accuracy = 1e-10;
    return r;
  }

 private Q_SLOTS:
  void initTestCase() {
    QProcess python;
    python.start("python3", {"-c", "import numpy"});
    if (!python.waitForFinished(60000) || python.exitCode() != 0) QSKIP("there is no python3 with numpy");
  }

  void theExampleIsExact_data() {
    QTest::addColumn<int>("dims");
    for (const int dims : {1, 2, 3}) QTest::addRow("%d-D", dims) << dims;
  }

  void theExampleIsExact() {
    QFETCH(int, dims);
    const PluginInfo info = probePlugin(example, host, seconds, {});
    QCOMPARE(info.title(), std::string("python-sum 1.0"));
    std::vector<double> points;
    TuneRequest r = request(dims, points);
    const PluginTrial trial = tryPlugin(info, r, 0, seconds, {});
    QVERIFY(trial.measuredError < 1e-13);
    r.problem.precision = Precision::single;
    r.options.accuracy = 1e-5;
    QVERIFY(tryPlugin(info, r, 0, seconds, {}).measuredError < 1e-6);
  }

  void itIsTunedAndPlanned() {
    const auto cpu = makeCpuBackend();
    const auto own = makePluginBackend(probePlugin(example, host, seconds, {}));
    std::vector<NufftBackend*> all{cpu.get(), own.get()};
    std::vector<double> points;
    const TuneRequest r = request(2, points);
    const TuneResult result = tune(all, r, nullptr, {});
    const auto found = std::find_if(result.candidates.begin(), result.candidates.end(),
                                    [](const Candidate& c) { return c.backend == "python-sum"; });
    QVERIFY(found != result.candidates.end());
    QVERIFY2(found->timed() && found->refused.empty(), found->refused.c_str());
    // Two plans of one interpreter do not disturb each other.
    const auto first = own->plan<double>(r.problem, r.options),
               second = own->plan<double>(r.problem, r.options);
    first->setPoints(points);
    second->setPoints(std::span(points).first(20));
    std::mt19937 random(5);
    const std::vector<cdouble> image = normalData(random, r.problem.batch * r.problem.pixels());
    std::vector<cdouble> samples(80), few(20);
    first->forward(image.data(), samples.data());
    second->forward(image.data(), few.data());
    for (std::size_t j = 0; j < 10; ++j) QVERIFY(std::abs(samples[j] - few[j]) < 1e-10);
  }

  void whatGoesWrongIsSaid() {
    QCOMPARE(
        reasonOf([&] { probePlugin(written("broken.py", "import nothing_like_this"), host, seconds, {}); }),
        "ModuleNotFoundError: No module named 'nothing_like_this'");
    QVERIFY(reasonOf([&] {
              probePlugin(written("nameless.py", "version = '1'"), host, seconds, {});
            }).contains("it has no 'name'"));
    std::vector<double> points;
    const TuneRequest r = request(2, points);
    const auto tried = [&](const char* name, const QByteArray& body) {
      const PluginInfo info = plugin(name, "class Plan:\n  def __init__(self, **k):\n    " + body + "\n");
      return reasonOf([&] { tryPlugin(info, r, 0, 3, {}); });
    };
    QCOMPARE(tried("no.py", "raise NotImplementedError('not on Mondays')"),
             "in the step 'plan': not on Mondays");
    QCOMPARE(tried("dies.py", "import os; os._exit(1)"), "in the step 'plan': its interpreter has ended");
    const QString hung = tried("hangs.py", "import time; time.sleep(1000)");
    QCOMPARE(hung, "it did not answer within 3 s in the step 'plan'");
    const QString shape = tried("shape.py",
                                "pass\n  def set_points(self, points): pass\n"
                                "  def type2(self, images): return images[:, 0]");
    QVERIFY2(shape.contains("type2 returned the shape (1, 12) where (1, 40) was asked for"),
             qPrintable(shape));
  }

  // The interpreter of a child that was killed ends, whatever it does.
  void noInterpreterIsLeftBehind() {
    const PluginInfo info =
        plugin("stays.py", "class Plan:\n  def __init__(self, **k):\n    while True: pass\n");
    std::vector<double> points;
    const TuneRequest r = request(2, points);
    reasonOf([&] { tryPlugin(info, r, 0, 2, {}); });
    const auto running = [&] {
      QProcess ps;
      ps.start("ps", {"-eo", "args"});
      ps.waitForFinished();
      return ps.readAll().contains(info.file.c_str());
    };
    QTRY_VERIFY_WITH_TIMEOUT(!running(), 10000);
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestPythonPlugins)

}  // namespace test_python_plugins

#include "test_python_plugins.moc"
