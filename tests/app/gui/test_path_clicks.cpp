// Sweeps in the window over all paths and directions: a click on a plan of any path reconstructs
// with exactly that path; the numbers are the command line's.
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/nufft/tune/sweep/candidate_path.h"
#include "tests/app/gui/command_line_run.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/time_chart.h"

namespace test_path_clicks {

using namespace spokelab;
using nlohmann::json;

namespace {

ReconOptions senseOptions() {
  ReconOptions options;
  options.nufft.threads = 1;
  options.nufft.accuracy = 1e-3;
  options.iterative.method = ReconMethod::sense;
  options.iterative.solver.iterations = 3;
  return options;
}

const std::vector<Candidate>& sweep(Workbench& bench) {
  bench.window.features().explorer->sweep();
  [&] {
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
  }();
  return bench.window.views().charts->data().candidates;
}

// The fastest of a path, as the chart of times shows it; -1: none.
int fastestOf(const ProfileData& data, const std::string& path) {
  int best = -1;
  for (const int i : fastestForEachAlpha(data)) {
    const Candidate& c = data.candidates[std::size_t(i)];
    if (pathOf(c).name == path && (best < 0 || c.cost() < data.candidates[std::size_t(best)].cost()))
      best = i;
  }
  return best;
}

void click(Workbench& bench, Chart& chart, int candidate) {
  chart.replot(QCustomPlot::rpImmediateRefresh);
  const QPoint at = chart.positionOf(candidate);
  QVERIFY(!at.isNull());
  QTest::mouseDClick(&chart, Qt::LeftButton, {}, at);
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

}  // namespace

class TestPathClicks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aDoubleClickOnAnyPathReconstructsWithIt() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder, senseOptions());
    sweep(bench);
    ChartPanel& charts = *bench.window.views().charts;
    QTRY_VERIFY_WITH_TIMEOUT(charts.timeChart()->data().best >= 0, patience);
    keepPicture(bench.window, "paths-small");
    for (const auto& [path, normal] :
         {std::pair(std::string("toeplitz"), NormalMethod::toeplitz),
          std::pair(std::string("toeplitz-shifted"), NormalMethod::toeplitzShifted),
          std::pair(std::string("nufft"), NormalMethod::gridded)}) {
      const int wanted = fastestOf(charts.data(), path);
      QVERIFY2(wanted >= 0, path.c_str());
      const Candidate plan = charts.data().candidates[std::size_t(wanted)];
      const int before = bench.results().rowCount();
      click(bench, *charts.timeChart(), wanted);
      QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() > before && !bench.session.jobs().busy(), patience);
      const HistoryEntry* shown = bench.results().find(bench.results().shown());
      QVERIFY(shown);
      const Reconstruction& result = *shown->result;
      QCOMPARE(result.options.iterative.method, ReconMethod::sense);
      QCOMPARE(result.plan.options.normal, normal);
      if (normal == NormalMethod::toeplitz)
        QCOMPARE(result.plan.options.toeplitzAlpha, plan.options.toeplitzAlpha);
      if (normal == NormalMethod::gridded) {
        QCOMPARE(result.plan.options.alpha, plan.options.alpha);
        QCOMPARE(result.plan.options.width, plan.options.width);
      }
      QCOMPARE(charts.data().selected, wanted);
      // Beside the image of the most accurate plan, by the same method.
      const HistoryEntry* reference = bench.results().find(bench.results().reference());
      QVERIFY(reference && reference->id != shown->id);
      QCOMPARE(reference->result->options.iterative.method, ReconMethod::sense);
      QVERIFY(bench.window.views().comparing());
      bench.window.features().compare->setComparing(false);
    }
  }

  void eachDirectionHasItsStagesAndOneImage_data() {
    QTest::addColumn<Direction>("direction");
    for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
      QTest::newRow(std::string(directionName(d)).c_str()) << d;
  }
  void eachDirectionHasItsStagesAndOneImage() {
    QFETCH(const Direction, direction);
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.threads = 1;
    options.tuning.direction = direction;
    options.tuning.trials = 1;  // times are not what is compared
    openSmall(bench, folder, options);
    ChartPanel& charts = *bench.window.views().charts;
    int live = 0, named = 0;
    connect(&charts, &ChartPanel::refreshed, this, [&](const ProfileData& data) {
      if (data.best >= 0 || data.candidates.empty()) return;
      ++live;
      named += data.workload && data.workload->direction == direction ? 1 : 0;
    });
    sweep(bench);
    QTRY_VERIFY_WITH_TIMEOUT(charts.timeChart()->data().best >= 0, patience);
    QVERIFY(live > 0);
    QCOMPARE(named, live);  // while it ran, too
    charts.disconnect(this);
    QVERIFY(charts.data().workload && charts.data().workload->direction == direction);
    QVERIFY(charts.timeChart()
                ->titleOf(charts.timeChart()->xAxis)
                .contains(QString::fromUtf8(directionName(direction))));
    bool toeplitz = false;
    for (const Candidate& c : charts.data().candidates) {
      if (!c.timed()) continue;
      const bool grid = pathOf(c).isGrid();
      toeplitz = toeplitz || !grid;
      QCOMPARE(c.timings[Stage::interpolate] > 0, grid && direction != Direction::adjoint);
      QCOMPARE(c.timings[Stage::spread] > 0, grid && direction != Direction::forward);
      QVERIFY(c.timings.fft() > 0 && c.measuredError);
    }
    QCOMPARE(toeplitz, direction == Direction::normal);
    keepPicture(bench.window, (std::string("direction-") + std::string(directionName(direction))).c_str());

    // A click is answered with an image; where it is not what was timed, the result says so.
    const int wanted = fastestOf(charts.data(), direction == Direction::normal ? "toeplitz" : "nufft");
    const int before = bench.results().rowCount();
    click(bench, *charts.timeChart(), wanted);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() > before, patience);
    const Reconstruction& result = *bench.results().find(bench.results().shown())->result;
    QVERIFY(result.image);
    const std::string notes = [&] {
      std::string all;
      for (const std::string& note : result.notes) all += note + "\n";
      return all;
    }();
    QCOMPARE(notes.find("makes samples, no image") != std::string::npos, direction == Direction::forward);
    QCOMPARE(notes.find("made by SENSE") != std::string::npos, direction == Direction::normal);
    QCOMPARE(result.options.iterative.method == ReconMethod::sense, direction == Direction::normal);
  }

  void theNumbersAreTheCommandLines() {
    const QTemporaryDir folder;
    Workbench bench;
    const ReconOptions options = senseOptions();
    openSmall(bench, folder, options);
    const std::vector<Candidate> swept = sweep(bench);
    const QString file = folder.filePath(QStringLiteral("sweep.json"));
    QCOMPARE(
        run({"sweep", smallScan(folder), "--method", "sense", "--iterations", "3", "--threads", "1",
             "--accuracy", "1e-3", "--whole-widths", "--measure-error", "--backend", "cpu", "--json", file}),
        0);
    const json commanded = parsed(file).at("sweep").at("candidates");
    QCOMPARE(commanded.size(), swept.size());
    std::map<std::string, int> count;
    for (std::size_t i = 0; i < swept.size(); ++i) {
      const Candidate& c = swept[i];
      const json& other = commanded[i];
      const CandidatePath path = pathOf(c);
      ++count[path.name];
      QCOMPARE(other.at("path").get<std::string>(), path.name);
      if (path.isGrid()) {  // else they are the right side's, chosen by cost
        QCOMPARE(other.at("options").at("alpha").get<double>(), c.options.alpha);
        QCOMPARE(other.at("options").at("width").get<double>(), c.options.width);
      }
      QCOMPARE(other.at("options").at("toeplitzAlpha").get<double>(), c.options.toeplitzAlpha);
      if (!c.timed()) continue;
      // Sources of kernel values that are as fast as each other differ in the last digits of single
      // precision. The grid of a convolution's right side makes its point spread function, too.
      const auto agree = [&](double a, double b) {
        return path.isGrid() ? std::abs(a - b) <= 1e-4 * b : a <= senseOptions().nufft.accuracy;
      };
      QVERIFY(agree(other.at("predictedNormalError").get<double>(), c.predictedNormalError));
      QVERIFY(agree(other.at("measuredError").get<double>(), *c.measuredError));
    }
    QVERIFY(count["nufft"] > 10 && count["toeplitz"] > 2 && count["toeplitz-shifted"] == 1);
  }
};

SPOKELAB_WINDOW_TEST(TestPathClicks)

}  // namespace test_path_clicks

#include "test_path_clicks.moc"
