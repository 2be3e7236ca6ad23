// The window sweeps a small scan and writes its charts. A sweep by the command line must give the
// same numbers, apart from times: on the CPU, and on a GPU if there is one. It needs no display:
// without OpenGL the volume view says why it is empty (QT_QPA_PLATFORM=offscreen).
#include <QSignalSpy>

#include <nlohmann/json.hpp>

#include "tests/app/gui/command_line_run.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"

namespace test_sweep_numbers {

using namespace spokelab;
using nlohmann::json;

namespace {

// The properties that must be equal in two candidates, as text that names them.
std::string identity(const json& candidate) {
  json options = candidate["options"];
  json same;
  for (const char* name : {"alpha", "width", "kernel", "spread", "interpolate"}) same[name] = options[name];
  return same.dump();
}

}  // namespace

class TestSweepNumbers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theWindowsSweepHasTheCommandLinesNumbers_data() {
    QTest::addColumn<QString>("backend");
    QTest::newRow("CPU") << "cpu";
    QTest::newRow("GPU") << "cuda";
  }
  void theWindowsSweepHasTheCommandLinesNumbers() {
    QFETCH(QString, backend);
    const QTemporaryDir folder;
    Workbench bench;
    if (backend == "cuda" && bench.session.backends().size() < 2)
      QSKIP(("No GPU: " + bench.backends.badges().back().text).c_str());
    const std::string name = backend.toStdString();
    ReconOptions options;
    options.backend = name;
    options.tuning.trials = 1;  // times are not what is compared
    openSmall(bench, folder, options);
    QCOMPARE(bench.results().newest()->result->plan.backend, name);
    bench.window.features().explorer->sweep();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), 3 * patience);  // of all plans
    const auto& swept = bench.window.views().charts->data().candidates;
    QVERIFY(swept.size() > 10);
    QSignalSpy saved(&bench.session, &Session::saved);
    const QString report = folder.filePath(QStringLiteral("report"));
    bench.window.features().report->write(*bench.results().newest(), report.toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    for (const char* file : {"report.json", "time-over-alpha.svg", "error.svg", "plan-map.svg"})
      QVERIFY2(QFileInfo(report + '/' + file).size() > 0, file);
    keepPicture(bench.window, "sweep-numbers");

    // The command line, over the grid of alpha and W of the window's second part.
    QStringList alphas, widths;
    for (const Candidate& c : swept) {
      QCOMPARE(c.backend, name);
      if (!c.timed() || c.options.width != std::floor(c.options.width)) continue;
      const QString alpha = QString::number(c.options.alpha, 'g', 17),
                    width = QString::number(c.options.width);
      if (!alphas.contains(alpha)) alphas << alpha;
      if (!widths.contains(width)) widths << width;
    }
    const QString file = folder.filePath(QStringLiteral("sweep.json"));
    QCOMPARE(run({"sweep", smallScan(folder), "--backend", backend, "--trials", "1", "--alphas",
                  alphas.join(','), "--widths", widths.join(','), "--json", file}),
             0);
    std::map<std::string, json> expected;
    const json commanded = parsed(file), windowed = parsed(report + "/report.json");
    for (const json& candidate : commanded.at("sweep").at("candidates"))
      expected[identity(candidate)] = candidate;
    QVERIFY2(expected.size() > 10, qPrintable(alphas.join(' ') + " x " + widths.join(' ')));
    int compared = 0;
    for (const json& candidate : windowed.at("sweep").at("candidates")) {
      const auto other = expected.find(identity(candidate));
      if (other == expected.end()) continue;
      QCOMPARE(candidate["grid"].dump(), other->second["grid"].dump());
      QCOMPARE(candidate["predicted"].dump(), other->second["predicted"].dump());
      ++compared;
    }
    QVERIFY2(compared > 10, qPrintable(QString::number(compared)));
    qInfo("%d of %zu plans compared, on %s", compared, swept.size(),
          bench.backends.badges()[name == "cuda" ? 1 : 0].text.c_str());
  }
};

static int runSweepNumbers(int argc, char** argv) {
  const char* const named = std::getenv("SPOKELAB_CUDA_MODULE");
#ifdef SPOKELAB_CUDA_MODULE
  return test::runWindowTest<TestSweepNumbers>(argc, argv, named ? named : SPOKELAB_CUDA_MODULE);
#else
  return test::runWindowTest<TestSweepNumbers>(argc, argv, named ? named : "none");
#endif
}

SPOKELAB_TEST_RUN(runSweepNumbers)

}  // namespace test_sweep_numbers

#include "test_sweep_numbers.moc"
