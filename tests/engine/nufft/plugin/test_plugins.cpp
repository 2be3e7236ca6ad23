// A plug-in computes as the interface says; one that crashes, hangs, gives wrong answers or is
// malformed ends with a reason, never the program.
#include <QtTest>

#include <cmath>
#include <fstream>

#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/plugin/plugin_folders.h"
#include "engine/nufft/plugin/plugin_nufft.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "tests/engine/nufft/contract.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/test_main.h"

namespace test_plugins {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double seconds = 1.5;  // that a step may take; all but one of the plug-ins take microseconds

template <class Function>
QString reasonOf(const Function& function) {
  try {
    function();
  } catch (const Error& e) {
    return QString::fromStdString(e.reason());
  }
  return "no error";
}

struct Case {
  NufftProblem problem;
  std::vector<double> points;
  TuneRequest request(double accuracy = 1e-5) const {
    TuneRequest r;
    r.problem = problem;
    r.points = points;
    r.options.accuracy = accuracy;
    return r;
  }
};

Case caseOf(int dims, Precision precision, int sign = -1, std::int64_t batch = 3) {
  Case c;
  c.problem.dims = dims;
  const Index3 sizes[] = {{17, 1, 1}, {12, 9, 1}, {6, 5, 8}};
  c.problem.size = sizes[dims - 1];
  c.problem.precision = precision;
  c.problem.sign = sign;
  c.problem.batch = batch;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-0.7, 0.7);
  c.points.resize(std::size_t(50 * dims));
  for (double& k : c.points) k = place(random);
  return c;
}

// The largest relative difference from the exact sums of both types, over the images of the batch.
template <class Real>
double errorOf(const Case& c) {
  const auto code = std::make_shared<const PluginCode>(pluginFile("exact-sum"));
  NufftOptions options;
  options.threads = 1;
  const auto plan = makePluginNufft<Real>(code, code->describe(pluginFile("exact-sum")), c.problem, options);
  plan->setPoints(c.points);
  const std::int64_t pixels = c.problem.pixels(), count = plan->points();
  std::mt19937 random(4);
  double worst = 0;
  const auto compare = [&](const std::vector<std::complex<Real>>& got, std::int64_t first,
                           const std::vector<cdouble>& exact) {
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      error += std::norm(cdouble(got[std::size_t(first) + i]) - exact[i]);
      norm += std::norm(exact[i]);
    }
    worst = std::max(worst, std::sqrt(error / norm));
  };
  const auto round = [](const std::vector<cdouble>& v) {
    std::vector<std::complex<Real>> r;
    for (const cdouble& x : v) r.push_back(std::complex<Real>(x));
    return r;
  };
  const auto images = round(normalData(random, c.problem.batch * pixels)),
             samples = round(normalData(random, c.problem.batch * count));
  std::vector<std::complex<Real>> toSamples(samples.size()), toImages(images.size());
  plan->forward(images.data(), toSamples.data());
  plan->adjoint(samples.data(), toImages.data());
  for (std::int64_t b = 0; b < c.problem.batch; ++b) {
    const std::vector<cdouble> image(images.begin() + b * pixels, images.begin() + (b + 1) * pixels);
    const std::vector<cdouble> sample(samples.begin() + b * count, samples.begin() + (b + 1) * count);
    compare(toSamples, b * count, nudftForward(c.problem, c.points, image));
    compare(toImages, b * pixels, nudftAdjoint(c.problem, c.points, sample));
  }
  return worst;
}

class TestPlugins : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void bothTypesAreTheExactSums_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("sign");
    for (const int dims : {1, 2, 3})
      for (const int sign : {-1, 1}) QTest::addRow("%d-D, sign %d", dims, sign) << dims << sign;
  }

  void bothTypesAreTheExactSums() {
    QFETCH(int, dims);
    QFETCH(int, sign);
    QVERIFY(errorOf<float>(caseOf(dims, Precision::single, sign)) < 1e-6);
    QVERIFY(errorOf<double>(caseOf(dims, Precision::double64, sign)) < 1e-13);
  }

  void theNormalOperatorHasTheWeights() {
    const Case c = caseOf(2, Precision::double64, -1, 2);
    const auto code = std::make_shared<const PluginCode>(pluginFile("exact-sum"));
    const auto plan =
        makePluginNufft<double>(code, code->describe(pluginFile("exact-sum")), c.problem, NufftOptions{});
    plan->setPoints(c.points);
    std::vector<double> weights(std::size_t(plan->points()));
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = 0.5 + double(j % 7);
    plan->setWeights(weights);
    const std::int64_t pixels = c.problem.pixels();
    std::mt19937 random(5);
    std::vector<cdouble> image = normalData(random, 2 * pixels);
    const std::vector<cdouble> second(image.begin() + pixels, image.end());
    plan->normal(image.data(), image.data());
    std::vector<cdouble> samples = nudftForward(c.problem, c.points, second);
    for (std::size_t j = 0; j < weights.size(); ++j) samples[j] *= weights[j];
    const std::vector<cdouble> exact = nudftAdjoint(c.problem, c.points, samples);
    for (std::size_t i = 0; i < exact.size(); ++i)
      QVERIFY(std::abs(image[std::size_t(pixels) + i] - exact[i]) < 1e-9);
  }

  void noPointsGiveZeros() {
    const Case c = caseOf(2, Precision::double64);
    const auto code = std::make_shared<const PluginCode>(pluginFile("noise"));
    const auto plan =
        makePluginNufft<double>(code, code->describe(pluginFile("noise")), c.problem, NufftOptions{});
    plan->setPoints({});
    std::vector<cdouble> image(std::size_t(c.problem.batch * c.problem.pixels()), cdouble(1));
    plan->adjoint(nullptr, image.data());
    QVERIFY(std::all_of(image.begin(), image.end(), [](cdouble v) { return v == cdouble(0); }));
  }

  void aCoordinateThatIsNoNumberIsRefused() {
    Case c = caseOf(2, Precision::double64);
    c.points[7] = NAN;
    const auto code = std::make_shared<const PluginCode>(pluginFile("exact-sum"));
    const auto plan =
        makePluginNufft<double>(code, code->describe(pluginFile("exact-sum")), c.problem, NufftOptions{});
    QCOMPARE(reasonOf([&] { plan->setPoints(c.points); }), "a coordinate is not a finite number");
  }

  void itDescribesItself() {
    const PluginInfo info = probed("exact-sum");
    QCOMPARE(info.name, std::string("exact-sum"));
    QCOMPARE(info.version, std::string("1.0"));
    QCOMPARE(info.license, std::string("MIT"));
    QCOMPARE(info.title(), std::string("exact-sum 1.0"));
    NufftProblem problem;
    QVERIFY(info.supports(problem));
    QVERIFY(info.fingerprint().find("1.0") != std::string::npos);
  }

  // It was built with the header of version 1, which ends before the kinds of memory.
  void aPluginOfVersion1IsUsedAsBefore() {
    const PluginInfo info = probed("version-1");
    QVERIFY(info.takesHost() && !info.takesGpu());
    const Case c = caseOf(2, Precision::double64);
    QVERIFY(tryPlugin(info, c.request(), 0, 10, {}).measuredError <= c.request().options.accuracy);
  }

  void theFoldersAreLookedThrough() {
    QTemporaryDir folder;
    const auto copy = [&](const char* name) {
      std::filesystem::copy_file(
          pluginFile(name), std::filesystem::path(folder.path().toStdString()) / (std::string(name) + ".so"));
    };
    for (const char* name : {"exact-sum", "other-abi", "crashes-early", "bad-name"}) copy(name);
    std::ofstream(folder.filePath("text.so").toStdString()) << "no shared object";
    std::ofstream(folder.filePath("notes.txt").toStdString()) << "not looked at";
    std::ofstream(folder.filePath("mine.py").toStdString()) << "name = 'mine'";
    PluginPlaces places;
    // The second of two folders has a plug-in of the same name; a folder that is missing has none.
    places.folders = {folder.path().toStdString(), pluginFolder("exact-sum"), "/nowhere"};
    std::map<std::string, FoundPlugin> found;
    for (const FoundPlugin& f : findPlugins(places, seconds, {}))
      found[f.file.parent_path() == pluginFolder("exact-sum") ? "again" : f.file.filename().string()] = f;
    QCOMPARE(found.size(), std::size_t(7));
    QVERIFY(found["exact-sum.so"].info && found["exact-sum.so"].refused.empty());
    const auto refusal = [&](const char* name) { return QString::fromStdString(found[name].refused); };
    QVERIFY2(refusal("other-abi.so").contains("version 99 of the plug-in interface"),
             qPrintable(refusal("other-abi.so")));
    QCOMPARE(refusal("crashes-early.so"), "it crashed in the step 'describe' (Segmentation fault)");
    QVERIFY(refusal("bad-name.so").startsWith("its name is not"));
    QVERIFY2(refusal("text.so").startsWith("it cannot be loaded: "), qPrintable(refusal("text.so")));
    QVERIFY(refusal("mine.py").contains("Python"));
    QVERIFY(refusal("again").endsWith("has the same name, exact-sum, and precedes it"));
  }

  void theVariableNamesTheFolders() {
    using Folders = std::vector<std::filesystem::path>;
    qputenv("SPOKELAB_PLUGINS", "/a:/b");
    QCOMPARE(pluginFolders("/system"), (Folders{"/a", "/b"}));
    qputenv("SPOKELAB_PLUGINS", "none");
    QCOMPARE(pluginFolders("/system"), Folders());
    qunsetenv("SPOKELAB_PLUGINS");
    qputenv("XDG_DATA_HOME", "/data");
    QCOMPARE(pluginFolders("/system"), (Folders{"/data/spokelab/plugins", "/system"}));
    qunsetenv("XDG_DATA_HOME");
  }

  void aGoodOneIsAdmitted() {
    const Case c = caseOf(2, Precision::single);
    const PluginTrial trial = tryPlugin(probed("exact-sum"), c.request(), 0, 10, {});
    QCOMPARE(trial.accuracy, 1e-5);
    QVERIFY(trial.measuredError > 0 && trial.measuredError < 1e-6);
    QVERIFY(trial.executionSeconds > 0);
  }

  void aBadOneIsRefusedByName_data() {
    QTest::addColumn<QString>("reason");
    QTest::newRow("aborts") << "^it crashed in the step 'execute type 2' \\(Aborted\\)$";
    QTest::newRow("loops") << "^it did not answer within 1.5 s in the step 'set points'$";
    QTest::newRow("noise") << "^its error is [0-9.e+-]+ where 1.0e-05 was asked for$";
    QTest::newRow("says-no") << "^in the step 'plan': the moon is not full$";
    QTest::newRow("leaves") << "^it ended the process in the step 'plan'$";
    QTest::newRow("zero-batch")
        << "^the images of a batch differ by [0-9.e+-]+ from the same images one by one, where 1.0e-05 was "
           "asked for$";
  }

  void aBadOneIsRefusedByName() {
    QFETCH(QString, reason);
    const std::string name = QTest::currentDataTag();
    const Case c = caseOf(2, Precision::double64);
    const PluginInfo info = probed(name);
    const QString said = reasonOf([&] { tryPlugin(info, c.request(), 0, seconds, {}); });
    QVERIFY2(QRegularExpression(reason).match(said).hasMatch(), qPrintable(said));
  }

  void manySlowStepsHaveALimitTogether() {
    const Case c = caseOf(2, Precision::double64);
    const PluginInfo info = probed("slow");
    QCOMPARE(reasonOf([&] { tryPlugin(info, c.request(), 0, 2, {}); }),
             "its steps took longer than 6 s together");
  }

  void noneIsPlannedBeforeItWasTried() {
    TriedPlugin plugin(probed("aborts"));
    const Case c = caseOf(3, Precision::single);
    NufftOptions options;
    QVERIFY(reasonOf([&] { plugin.plan<float>(c.problem, options); }).startsWith("it crashed in the step"));
    TriedPlugin good(probed("exact-sum"));
    QCOMPARE(good.plan<float>(c.problem, options)->info().description.substr(0, 33),
             std::string("plug-in exact-sum 1.0 (exact-sum."));
  }

  void aFileThatHasChangedIsNotLoaded() {
    PluginInfo info = probed("exact-sum");
    ++info.contents;
    TriedPlugin plugin(info);
    QVERIFY(reasonOf([&] {
              plugin.plan<float>(caseOf(2, Precision::single).problem, NufftOptions{});
            }).contains("has changed"));
  }

  void aCancelEndsATrial() {
    std::stop_source stop;
    stop.request_stop();
    const Case c = caseOf(2, Precision::single);
    const PluginInfo info = probed("loops");
    QVERIFY_EXCEPTION_THROWN(tryPlugin(info, c.request(), 0, 3600, Progress(stop.get_token())), Cancelled);
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestPlugins)

}  // namespace test_plugins

#include "test_plugins.moc"
