// What earlier jobs let one expect of the next one: stages scaled by their work, kept in a file, and
// progress that follows time.
#include <QtTest>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/nufft/tune/wisdom.h"
#include "engine/profile/results/results.h"
#include "engine/recon/job/job_clock.h"
#include "engine/recon/job/job_history.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_job_forecast {

using namespace spokelab;

namespace {

JobWork someWork() {
  JobWork work;
  work.kind = "a machine, sense";
  work.samples = 1e5;
  work.pixels = work.mapPixels = 65536;
  work.coils = 8;
  work.iterations = 10;
  return work;
}

JobAccount someAccount() {
  JobAccount account;
  account[JobStage::startUp] = 0.2;
  account[JobStage::read] = 0.1;
  account[JobStage::maps] = 0.4;
  account[JobStage::transforms] = 1.1;
  account[JobStage::write] = 0.05;
  account.total = 2;
  return account;
}

SpanRecord spanOf(JobStage stage, double seconds) {
  return {.kind = SpanKind::job, .stage = int(stage), .seconds = seconds};
}
void book(JobClock& clock, JobStage stage, double seconds) {
  clock.ended(spanOf(stage, seconds));
}

std::shared_ptr<const Scan> smallScan(int matrix) {
  SimulateOptions o;
  o.trajectory.matrix = {matrix, matrix, 1};
  o.coils = 4;
  return simulate(o, {});
}

}  // namespace

class TestJobForecast : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::filesystem::path file() const { return folder_->filePath("wisdom.json.jobs").toStdString(); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void nothingIsKnownAtFirst() {
    const JobHistory history(file());
    QCOMPARE(history.forecast(someWork()).total, 0.0);
    QVERIFY(forecastText(history.forecast(someWork())).empty());
    JobHistory nowhere(std::filesystem::path{});
    nowhere.keep(someWork(), someAccount());
    QCOMPARE(nowhere.forecast(someWork()).total, 0.0);
  }

  void theSameJobTakesAsLong() {
    JobHistory(file()).keep(someWork(), someAccount());
    const JobAccount expected = JobHistory(file()).forecast(someWork());
    for (std::size_t s = 0; s < jobStageCount; ++s)
      QVERIFY(std::abs(expected.seconds[s] - someAccount().seconds[s]) < 1e-9);
    QVERIFY(std::abs(expected.total - someAccount().accounted()) < 1e-9);
    QCOMPARE(forecastText(expected),
             std::string(
                 "about 1.85 s: start-up 200 ms, read 100 ms, maps 400 ms, transforms 1.1 s, write 50 ms"));
  }

  void stagesGrowWithTheirWork() {
    JobHistory(file()).keep(someWork(), someAccount());
    JobWork larger = someWork();
    larger.samples *= 3;
    JobAccount expected = JobHistory(file()).forecast(larger);
    QVERIFY(std::abs(expected[JobStage::read] - 0.3) < 1e-9);
    QVERIFY(std::abs(expected[JobStage::maps] - 0.4) < 1e-9);
    QVERIFY(std::abs(expected[JobStage::startUp] - 0.2) < 1e-9);
    larger = someWork();
    larger.iterations = 21;  // twice as many passes, with the right side
    expected = JobHistory(file()).forecast(larger);
    QVERIFY(std::abs(expected[JobStage::transforms] - 2.2) < 1e-9);
    QVERIFY(std::abs(expected[JobStage::write] - 0.05) < 1e-9);
  }

  void theMostSimilarJobCounts() {
    JobHistory history(file());
    JobWork large = someWork();
    large.samples *= 64;
    JobAccount slow = someAccount();
    slow[JobStage::read] = 1;  // much less than 64 times
    history.keep(large, slow);
    history.keep(someWork(), someAccount());
    large.samples *= 2;
    QVERIFY(std::abs(JobHistory(file()).forecast(large)[JobStage::read] - 2) < 1e-9);
    JobWork other = someWork();
    other.kind = "another machine";
    QCOMPARE(history.forecast(other).total, 0.0);
  }

  // What one part of the program learns about a job joins what another one does.
  void stagesAreLearntOneByOne() {
    JobAccount inside = someAccount(), outside;
    inside[JobStage::read] = inside[JobStage::write] = 0;
    outside[JobStage::read] = 0.7;
    JobHistory(file()).keep(someWork(), inside);
    JobHistory(file()).keep(someWork(), outside);
    JobAccount expected = JobHistory(file()).forecast(someWork());
    QVERIFY(std::abs(expected[JobStage::read] - 0.7) < 1e-9);
    QVERIFY(std::abs(expected[JobStage::maps] - 0.4) < 1e-9);
    outside[JobStage::read] = 0.1;
    JobHistory(file()).keep(someWork(), outside);
    expected = JobHistory(file()).forecast(someWork());
    QVERIFY(std::abs(expected[JobStage::read] - 0.4) < 1e-9);  // the mean of both
  }

  void damagedFilesAreBegunAnew() {
    for (const char* text : {"", "{", "[1, 2]", R"({"format": "spokelab-jobs", "version": 1})",
                             R"({"format": "spokelab-jobs", "jobs": [{"work": 3}]})"}) {
      std::ofstream(file()) << text;
      QCOMPARE(JobHistory(file()).forecast(someWork()).total, 0.0);
      JobHistory(file()).keep(someWork(), someAccount());
      QVERIFY(JobHistory(file()).forecast(someWork()).total > 1);
    }
    std::ofstream(file())
        << R"({"format": "spokelab-jobs", "version": 1, "jobs": [{"work": {"kind": "a machine, sense",
      "samples": 1e5, "pixels": 65536, "mapPixels": 65536, "coils": 8, "iterations": 10},
      "seconds": {"maps": -5, "read": 1e300, "write": 2}}]})";
    const JobAccount expected = JobHistory(file()).forecast(someWork());
    QCOMPARE(expected[JobStage::maps], 0.0);
    QCOMPARE(expected[JobStage::read], 0.0);
    QCOMPARE(expected[JobStage::write], 2.0);
  }

  void reconstructionsLearnAndExpect() {
    const auto cpu = makeCpuBackend();
    Wisdom wisdom(folder_->filePath("wisdom.json").toStdString());
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    const auto scan = smallScan(64);
    std::string said;
    const Progress progress({}, [&](double, const std::string& what) {
      if (what.starts_with("Expected")) said = what;
    });
    const Reconstruction first = reconstruct({cpu.get()}, *scan, options, &wisdom, progress);
    QCOMPARE(first.forecast.total, 0.0);
    QVERIFY(said.empty());
    const Reconstruction second = reconstruct({cpu.get()}, *scan, options, &wisdom, progress);
    QVERIFY(second.forecast[JobStage::maps] > 0 && second.forecast[JobStage::transforms] > 0);
    QCOMPARE(second.forecast[JobStage::tune], 0.0);  // that of the first was a search
    QVERIFY2(said.starts_with("Expected: about "), said.c_str());
    QVERIFY(std::abs(second.forecast[JobStage::maps] - first.account[JobStage::maps]) <
            1e-6 * first.account[JobStage::maps]);

    const nlohmann::json j = toJson(second);
    QVERIFY(j.at("account").at("predicted").at("seconds").contains("maps"));
    std::vector<std::string> unknown;
    const Reconstruction again = reconstructionFromJson(j, unknown);
    QCOMPARE(again.forecast[JobStage::maps], second.forecast[JobStage::maps]);
    QVERIFY(!toJson(first).at("account").contains("predicted"));

    const JobAccount larger = forecastJob({cpu.get()}, *smallScan(128), options, &wisdom),
                     same = forecastJob({cpu.get()}, *scan, options, &wisdom);
    QVERIFY(larger[JobStage::maps] > 3 * same[JobStage::maps]);
    QCOMPARE(forecastJob({cpu.get()}, *scan, {}, &wisdom).total, 0.0);  // gridding is another kind
    QCOMPARE(forecastJob({cpu.get()}, *scan, options, nullptr).total, 0.0);
  }

  void progressFollowsTime() {
    double shown = -1;
    const Progress outer({}, [&](double fraction, const std::string&) { shown = fraction; });
    JobAccount forecast;
    forecast[JobStage::maps] = 1000;
    forecast[JobStage::transforms] = 3000;
    forecast.total = 4000;
    JobClock clock(forecast, true, outer);
    clock.progress().report(0.9, "as the job thinks");
    QVERIFY(shown >= 0 && shown < 0.01);
    QVERIFY(clock.secondsLeft() > 3990);
    const SpanScope scope(&clock);
    tellSeconds(JobStage::maps, 400);  // over, at 0.4 of its forecast: so will be the rest
    QVERIFY(clock.secondsLeft() > 1190 && clock.secondsLeft() <= 1200);
    tellSeconds(JobStage::transforms, 1);
    QCOMPARE(clock.secondsLeft(), 0.0);
    clock.progress().report(0.1, "nearly done");
    QVERIFY(shown > 0.9 && shown < 1);
    clock.progress().report(1, "done");
    QCOMPARE(shown, 1.0);
  }

  // Ten jobs on a clock of the test: at every tenth of a job that is known, and from the third step on
  // of one that is not, the whole time that is told is within a factor of 1.5.
  void timeLeftCanBeBelieved_data() {
    QTest::addColumn<double>("slower");  // than the job before, as on a machine that is busy
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("iterations");
    QTest::addColumn<bool>("known");
    for (const double slower : {1.0, 1.9, 0.6}) {
      const std::string pace = numberText(slower, 2);
      QTest::addRow("one image, %s", pace.c_str()) << slower << 1 << 60 << true;
      QTest::addRow("frames, %s", pace.c_str()) << slower << 12 << 10 << true;
    }
    QTest::newRow("few iterations") << 1.4 << 1 << 4 << true;
    QTest::newRow("unknown") << 1.0 << 1 << 60 << false;
    QTest::newRow("unknown, few iterations") << 1.0 << 1 << 20 << false;
    QTest::newRow("unknown frames") << 1.0 << 20 << 10 << false;
  }
  void timeLeftCanBeBelieved() {
    QFETCH(double, slower);
    QFETCH(int, frames);
    QFETCH(int, iterations);
    QFETCH(bool, known);
    // Seconds of the job before: of the whole job, and of each frame.
    const double whiten = 2, tune = 3, maps = 8, iteration = 30.0 / iterations;
    JobAccount forecast;
    if (known) {
      forecast[JobStage::whiten] = whiten;
      forecast[JobStage::tune] = tune;
      forecast[JobStage::maps] = maps;
      forecast[JobStage::transforms] = 0.8 * iteration * iterations * frames;
      forecast[JobStage::iterations] = 0.2 * iteration * iterations * frames;
      forecast.total = forecast.accounted();
    }
    double time = 100, shown = 0;
    JobClock clock(forecast, frames == 1, Progress({}, [&](double f, const std::string&) { shown = f; }),
                   [&] { return time; });
    const Progress progress = clock.progress();
    std::vector<std::pair<double, double>> told;  // seconds passed, and of the whole job
    int steps = 0;
    const auto pass = [&](double seconds) {
      constexpr int looks = 20;
      for (int i = 0; i < looks; ++i) {
        time += slower * seconds / looks;
        if (known || steps > 2) told.emplace_back(time - 100, time - 100 + clock.secondsLeft());
      }
    };
    const auto over = [&](JobStage stage, double seconds) {
      pass(seconds);
      book(clock, stage, slower * seconds);
    };
    over(JobStage::whiten, whiten);
    progress.report(0.01, "");
    over(JobStage::tune, tune);
    progress.report(0.4, "");
    const Progress rest = progress.part(0.4, 1);
    for (int f = 0; f < frames; ++f) {
      const Progress frame = rest.part(double(f) / frames, double(f + 1) / frames);
      if (f == 0) over(JobStage::maps, maps);
      for (int i = 1; i <= iterations; ++i) {
        pass(iteration);
        ++steps;
        clock.stepped();
        frame.part(0.3, 1).report(double(i) / iterations, "");
      }
      book(clock, JobStage::transforms, 0.8 * slower * iteration * iterations);
      book(clock, JobStage::iterations, 0.2 * slower * iteration * iterations);
      clock.stepped();
    }
    const double whole = time - 100;
    int tenths = 0;
    for (int tenth = 1; tenth < 10; ++tenth) {
      const auto at = std::find_if(told.begin(), told.end(),
                                   [&](const auto& t) { return t.first >= whole * tenth / 10; });
      if (at == told.end() || at->first > whole * (tenth + 0.5) / 10) continue;
      ++tenths;
      constexpr double factor = 1.5;
      QVERIFY2(
          at->second < factor * whole && at->second > whole / factor,
          (std::to_string(tenth) + "/10: " + secondsText(at->second) + " of " + secondsText(whole)).c_str());
    }
    QVERIFY(tenths >= (known ? 9 : 4));
    progress.report(1, "");
    QCOMPARE(shown, 1.0);
  }

  void stagesOfSeveralImagesComeAgain() {
    JobAccount forecast;
    forecast[JobStage::maps] = 1000;
    forecast.total = 1000;
    JobClock clock(forecast, false, {});
    book(clock, JobStage::maps, 400);
    QVERIFY(clock.secondsLeft() > 590 && clock.secondsLeft() <= 600);
  }

  void withoutForecastProgressIsTheJobsOwn() {
    double shown = -1;
    const Progress outer({}, [&](double fraction, const std::string&) { shown = fraction; });
    JobClock clock({}, true, outer);
    clock.progress().report(0.25, "");
    QCOMPARE(shown, 0.25);
  }
};

SPOKELAB_TEST(TestJobForecast)

}  // namespace test_job_forecast

#include "test_job_forecast.moc"
