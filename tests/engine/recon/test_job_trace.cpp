// The trace of a job: spans nest, and those of the job's stages add up to it. The JSON is what
// Perfetto's reader takes.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/core/measure/spans.h"
#include "engine/core/measure/trace_json.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"
#include "tests/trace_schema.h"

namespace test_job_trace {

using namespace spokelab;
using nlohmann::json;

namespace {

ReconOptions senseOptions() {
  ReconOptions options;
  options.iterative.method = ReconMethod::sense;
  options.iterative.solver.iterations = 6;
  return options;
}

// Spans of one track must lie inside each other or apart.
void verifyNested(const std::vector<const TraceSpan*>& spans) {
  std::vector<const TraceSpan*> open;
  for (const TraceSpan* span : spans) {
    QVERIFY(span->end >= span->begin);
    while (!open.empty() && open.back()->end <= span->begin) open.pop_back();
    if (!open.empty())
      QVERIFY2(span->end <= open.back()->end, (span->name + " reaches out of " + open.back()->name).c_str());
    open.push_back(span);
  }
}

// Seconds of the spans of the job that lie in no other one.
double outermost(const Trace& trace) {
  double sum = 0, end = trace.begin;
  for (const TraceSpan& span : trace.spans)
    if (span.kind == SpanKind::job && span.begin >= end) {
      sum += span.end - span.begin;
      end = span.end;
    }
  return sum;
}

// A plan that is given, whose work is cut for two threads.
ReconOptions onTwoThreads() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 5;
  options.nufft.threads = 2;
  options.nufft.spread = options.nufft.interpolate = Method::blocked;
  return options;
}

}  // namespace

class TestJobTrace : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

  Trace traced(const Scan& scan, const ReconOptions& options, Reconstruction* result = nullptr) {
    TraceRecorder recorder;
    const SpanScope scope(&recorder);
    Reconstruction done = reconstruct({cpu_.get()}, scan, options, nullptr, {});
    Trace trace = recorder.take();
    if (result) *result = std::move(done);
    return trace;
  }

 private slots:
  void spansOfASenseJobAddUpToIt() {
    const auto demo = builtInScan(demoName);
    // Others may take the processor between two stages: the best of some runs counts.
    double missing = 1;
    for (int attempt = 0; attempt < 3 && missing > 0.02; ++attempt) {
      const Trace trace = traced(*demo, senseOptions());
      missing = 1 - outermost(trace) / (trace.end - trace.begin);
      QVERIFY(missing > -1e-9);
    }
    QVERIFY2(missing <= 0.02, QByteArray::number(missing));
  }

  void iterationsHoldTheStagesOfTheirTransforms() {
    Reconstruction result;
    const Trace trace = traced(*builtInScan(demoName), senseOptions(), &result);
    QCOMPARE(trace.dropped, std::int64_t(0));
    std::map<int, std::vector<const TraceSpan*>> tracks;
    std::map<std::string, int> count;
    for (const TraceSpan& span : trace.spans) {
      QVERIFY(span.begin >= trace.begin && span.end <= trace.end);
      tracks[span.track].push_back(&span);
      ++count[std::string(spanKindName(span.kind)) + ' ' + span.name];
    }
    for (const auto& [track, spans] : tracks) verifyNested(spans);
    for (const char* name : {"job whiten", "job density", "job maps", "job tune", "job plan",
                             "job right side", "job iterations", "job combine"})
      QVERIFY2(count.contains(name), name);
    const int iterations = int(result.iterations.front().residuals.size());
    for (int i = 1; i <= iterations; ++i) QCOMPARE(count["iteration iteration " + std::to_string(i)], 1);
    // Every iteration applies the normal operator.
    for (const TraceSpan& iteration : trace.spans) {
      if (iteration.kind != SpanKind::iteration) continue;
      const double fft = std::accumulate(
          trace.spans.begin(), trace.spans.end(), 0.0, [&](double sum, const TraceSpan& span) {
            const bool inside = span.begin >= iteration.begin && span.end <= iteration.end &&
                                !span.name.starts_with("coil");  // they hold the stages
            return sum + (span.kind == SpanKind::transform && inside ? span.end - span.begin : 0);
          });
      QVERIFY2(fft > 0 && fft <= iteration.end - iteration.begin, iteration.name.c_str());
    }
    // Each iteration has all coils, and all its stages of transforms lie in one of them.
    for (const TraceSpan& iteration : trace.spans) {
      if (iteration.kind != SpanKind::iteration) continue;
      std::vector<const TraceSpan*> coils;
      for (const TraceSpan& span : trace.spans)
        if (span.name.starts_with("coil") && span.begin >= iteration.begin && span.end <= iteration.end)
          coils.push_back(&span);
      QVERIFY2(!coils.empty(), iteration.name.c_str());
      for (const TraceSpan& span : trace.spans) {
        if (span.name != "fft" || span.begin < iteration.begin || span.end > iteration.end) continue;
        QVERIFY(std::any_of(coils.begin(), coils.end(), [&](const TraceSpan* c) {
          return c->begin <= span.begin && span.end <= c->end;
        }));
      }
    }
    // Nothing of the search for a plan is taken for the image's.
    const auto tune = std::find_if(trace.spans.begin(), trace.spans.end(),
                                   [](const TraceSpan& span) { return span.name == "tune"; });
    for (const TraceSpan& span : trace.spans)
      if (&span != &*tune) QVERIFY(span.begin >= tune->end || span.end <= tune->begin);
  }

  void threadsHaveTracksOfTheirOwn() {
    const Trace trace = traced(*builtInScan(demoName), onTwoThreads());
    int work = 0;
    for (const TraceSpan& span : trace.spans) {
      QCOMPARE(span.kind == SpanKind::work, span.track > 0);
      work += span.kind == SpanKind::work;
    }
    QVERIFY(work > 0);
  }

  void nothingIsRecordedWithoutARecorder() {
    QVERIFY(!activeTrace());
    TraceRecorder recorder;
    {
      const SpanScope scope(&recorder);
      QCOMPARE(activeTrace(), &recorder);
      const SpanScope silent(SpanCut::all);
      tellSpan("none", SpanKind::job, 0, 1);
    }
    QVERIFY(!activeTrace());
    QVERIFY(recorder.take().spans.empty());
  }

  void workBeyondTheLimitIsCountedNotKept() {
    TraceRecorder recorder;
    for (std::size_t i = 0; i < TraceRecorder::maxSpans + 5; ++i)
      recorder.add("spread", SpanKind::work, double(i), double(i + 1), 1);
    recorder.add("write", SpanKind::job, 0, 1);
    const Trace trace = recorder.take();
    QCOMPARE(trace.spans.size(), TraceRecorder::maxSpans + 1);
    QCOMPARE(trace.dropped, std::int64_t(5));
  }

  // Hours of timing have millions of stages; plans and cases are all kept.
  void stagesBeyondTheirLimitAreCountedNotKept() {
    TraceRecorder recorder;
    for (std::size_t i = 0; i < 2 * TraceRecorder::maxSpans + 3; ++i)
      recorder.add("fft", SpanKind::transform, double(i), double(i + 1));
    recorder.add("spread", SpanKind::device, 0, 1, deviceTrack);
    recorder.add("α 2, W 4", SpanKind::job, 0, 1);
    const Trace trace = recorder.take();
    QCOMPARE(trace.spans.size(), 2 * TraceRecorder::maxSpans + 1);
    QCOMPARE(trace.dropped, std::int64_t(4));
  }

  void whatIsTimedRecordsNoPiecesOfWork() {
    const SpanScope timesOnly(SpanCut::work);
    const Trace trace = traced(*builtInScan(demoName), onTwoThreads());
    QVERIFY(!trace.spans.empty());
    for (const TraceSpan& span : trace.spans) QVERIFY(span.kind != SpanKind::work);
  }

  void devicesHaveNamedTracksAndThreadsThatLeadThem() {
    TraceRecorder recorder;
    recorder.nameTrack(deviceTrack + 1, "GPU 1: NVIDIA H100");
    recorder.nameTrack(rankTrack + 1, "job on GPU 1");
    {
      const SpanScope other(&recorder, rankTrack + 1);
      tellSpan("plan", SpanKind::job, 1, 2);
      recorder.add("fft", SpanKind::device, 1, 2, deviceTrack + 1);
    }
    QCOMPARE(ownTrack(), 0);
    const Trace trace = recorder.take();
    QCOMPARE(trace.spans.front().track, rankTrack + 1);
    QCOMPARE(trackName(trace, deviceTrack), std::string("GPU 0"));  // nobody named it
    const std::string document = traceToJson(trace, "job");
    for (const char* name : {"\"GPU 1: NVIDIA H100\"", "\"job on GPU 1\""})
      QVERIFY2(document.find(name) != std::string::npos, name);
  }

  // What Chrome's "Trace Event Format" asks of complete and metadata events.
  void theJsonIsATraceEventFile() {
    Trace trace;
    trace.begin = 100;
    trace.end = 100.5;
    trace.spans = {{"maps", SpanKind::job, 0, 100.1, 100.4},
                   {"fft", SpanKind::transform, 0, 100.1, 100.1000004},
                   {"spread", SpanKind::work, 2, 100.2, 100.3}};
    const json document = json::parse(traceToJson(trace,
                                                  "Reconstruct a\xff"
                                                  "b"));
    QCOMPARE(test::faultOfTrace(document), std::string());
    const json& events = document.at("traceEvents");
    std::map<int, std::string> threads;
    std::string processName;
    int complete = 0;
    for (const json& e : events) {
      const auto phase = e.at("ph").get<std::string>();
      if (phase == "M") {
        if (e.at("name") == "process_name") processName = e.at("args").at("name").get<std::string>();
        if (e.at("name") == "thread_name")
          threads[e.at("tid").get<int>()] = e.at("args").at("name").get<std::string>();
        continue;
      }
      ++complete;
    }
    QCOMPARE(complete, 4);
    QVERIFY(processName.starts_with("Spokelab: Reconstruct a"));
    QCOMPARE(threads[0], std::string("job"));
    QCOMPARE(threads[2], std::string("thread 1"));
    const auto named = [&](const char* name) {
      return *std::find_if(events.begin(), events.end(), [&](const json& e) { return e.at("name") == name; });
    };
    QCOMPARE(named("maps").at("ts").get<double>(), 100'000.0);  // microseconds
    QCOMPARE(named("maps").at("dur").get<double>(), 300'000.0);
    QCOMPARE(named("fft").at("dur").get<double>(), 0.4);
    QCOMPARE(document.at("displayTimeUnit").get<std::string>(), std::string("ms"));
  }
};

SPOKELAB_TEST(TestJobTrace)

}  // namespace test_job_trace

#include "test_job_trace.moc"
