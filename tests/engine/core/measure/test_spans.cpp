// Spans: who listens hears them, each account has a span once, and a span that nobody hears costs
// next to nothing.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/measure/trace.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/job/job_account.h"
#include "tests/instrumented.h"
#include "tests/test_main.h"

namespace test_spans {

using namespace spokelab;

namespace {

void work(double seconds = 2e-3) {
  const double end = now() + seconds;
  while (now() < end) {
  }
}

// The least seconds of a call, over many batches: others may have the processor in some of them.
template <class Call>
double leastSeconds(const Call& call) {
  constexpr int batches = 200, calls = 1000;
  double least = HUGE_VAL;
  for (int b = 0; b < batches; ++b) {
    const double begin = now();
    for (int i = 0; i < calls; ++i) call();
    least = std::min(least, (now() - begin) / calls);
  }
  return least;
}

std::vector<std::string> ranges;  // that a profiler has seen

}  // namespace

class TestSpans : public QObject {
  Q_OBJECT

 private slots:
  void aStageInsideAnotherOneIsCountedOnce() {
    JobAccount account;
    double whole = 0;
    {
      const AccountRecorder view(account);
      JobTimer outer(JobStage::whiten);
      work();
      {
        const JobTimer inner(JobStage::compress);
        work();
      }
      outer.contains(JobStage::transforms, 1e-4);
      outer.pauses(2e-4);
      whole = outer.end();
    }
    QVERIFY(account[JobStage::compress] >= 2e-3 && account[JobStage::whiten] >= 1.7e-3);
    QCOMPARE(account[JobStage::transforms], 1e-4);
    QVERIFY(std::abs(account.accounted() + 2e-4 - whole) < 1e-9);
  }

  void aSpanIsInTheInnermostAccount() {
    JobAccount outer, inner;
    StageTimings outerStages, innerStages;
    {
      const AccountRecorder outerView(outer);
      const StageRecorder outerTimes(outerStages);
      {
        const AccountRecorder innerView(inner);
        const StageRecorder innerTimes(innerStages);
        const JobTimer timer(JobStage::maps);
        const Span call("adjoint", SpanKind::call);
        StageTimer stage(Stage::fft);
        stage.moved(100);
        stage.multiplies();
        work();
      }
      const JobTimer timer(JobStage::write);
      work();
    }
    QVERIFY(inner[JobStage::maps] >= 2e-3 && inner[JobStage::write] == 0);
    QVERIFY(outer[JobStage::write] >= 2e-3 && outer[JobStage::maps] == 0);
    QVERIFY(innerStages[Stage::fft] >= 2e-3 && innerStages.total >= innerStages[Stage::fft]);
    QCOMPARE(innerStages.bytes[std::size_t(Stage::fft)], 100.0);
    QVERIFY(innerStages.multiplyInFft && !outerStages.multiplyInFft);
    QCOMPARE(outerStages.total, 0.0);
    QCOMPARE(outerStages.accounted(), 0.0);
  }

  void theOutermostCallIsTheTotal() {
    double seconds = 0;
    const StageTimings timings = timedStages([&] {
      const double begin = now();
      {
        const Span outer("normal", SpanKind::call);
        for (int i = 0; i < 2; ++i) {
          const Span inner("forward", SpanKind::call);
          work();
        }
      }
      seconds = now() - begin;
    });
    QVERIFY(timings.total >= 4e-3 && timings.total <= seconds);
  }

  void stagesOfAPlansMakingAreTracedAndNotBooked() {
    TraceRecorder recorder;
    StageTimings timings;
    {
      const SpanScope traced(&recorder);
      const StageRecorder view(timings);
      const SpanScope unbooked(SpanCut::stages);
      const StageTimer stage(Stage::spread);
    }
    QCOMPARE(timings.accounted(), 0.0);
    const Trace trace = recorder.take();
    QCOMPARE(trace.spans.size(), std::size_t(1));
    QCOMPARE(trace.spans.front().name, std::string("spread"));
  }

  void sumsOfThreadsAreBookedAndNotTraced() {
    TraceRecorder recorder;
    StageTimings timings, told;
    told[Stage::spread] = 3;
    told.parallel[std::size_t(Stage::spread)] = 2;
    {
      const SpanScope traced(&recorder);
      const StageRecorder view(timings);
      tellStages(told);
    }
    QCOMPARE(timings[Stage::spread], 3.0);
    QCOMPARE(timings.parallel[std::size_t(Stage::spread)], 2.0);
    QVERIFY(recorder.take().spans.empty());
  }

  void otherThreadsAreHeardWhereTheyAreTold() {
    TraceRecorder recorder;
    {
      const SpanScope traced(&recorder);
      std::thread([&] {
        { const Span unheard("unheard"); }
        const SpanScope also(&recorder, rankTrack + 1);
        const Span heard("heard");
      }).join();
    }
    const Trace trace = recorder.take();
    QCOMPARE(trace.spans.size(), std::size_t(1));
    QCOMPARE(trace.spans.front().name, std::string("heard"));
    QCOMPARE(trace.spans.front().track, rankTrack + 1);
  }

  void aProfilerSeesNestedRanges() {
    static constexpr SpanProfiler profiler{[](const char* name) { ranges.emplace_back(name); },
                                           [] { ranges.emplace_back("end"); }};
    setSpanProfiler(&profiler);
    {
      const JobTimer job(JobStage::plan);
      const Span range("set points", SpanKind::range);
    }
    setSpanProfiler(nullptr);
    { const Span unseen("unseen"); }
    QCOMPARE(ranges, (std::vector<std::string>{"plan", "set points", "end", "end"}));
  }

  void aSpanThatNobodyHearsCostsLittle() {
    constexpr double maxSeconds = instrumented ? 10e-6 : 0.2e-6;
    const double stage = leastSeconds([] { const StageTimer timer(Stage::fft); }),
                 call = leastSeconds([] { const Span span("adjoint", SpanKind::call); }),
                 job = leastSeconds([] { const JobTimer timer(JobStage::combine); });
    qInfo("nobody hears: stage %.1f ns, call %.1f ns, job %.1f ns", stage * 1e9, call * 1e9, job * 1e9);
    QVERIFY(stage < maxSeconds && call < maxSeconds && job < maxSeconds);
    // In a job that nobody traces: its account hears no stages of transforms.
    JobAccount account;
    const AccountRecorder view(account);
    const double inJob = leastSeconds([] { const StageTimer timer(Stage::fft); });
    StageTimings timings;
    const StageRecorder stages(timings);
    const double booked = leastSeconds([] { const StageTimer timer(Stage::fft); });
    qInfo("in a job: stage %.1f ns; in an account of stages: %.1f ns", inJob * 1e9, booked * 1e9);
    QVERIFY(inJob < maxSeconds);
    QVERIFY(timings[Stage::fft] > 0);
  }
};

SPOKELAB_CORE_TEST(TestSpans)

}  // namespace test_spans

#include "test_spans.moc"
