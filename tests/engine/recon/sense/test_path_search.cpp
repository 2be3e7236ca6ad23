// The tuner where a field acts: which paths it tries, what it says of their errors, and what a reconstruction does with
// its choice.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "engine/core/error.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/paths/path_search.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/kernels/off_resonance.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/sense/field_case.h"
#include "tests/instrumented.h"
#include "tests/test_main.h"

namespace test_path_search {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int n = 32;

std::set<TransformKind> kindsOf(const TuneResult& result) {
  std::set<TransformKind> kinds;
  for (const Candidate& c : result.candidates) kinds.insert(c.path.transform);
  return kinds;
}

std::shared_ptr<const Scan> spiralScan(double peakHz) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::spiral2d;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = 4;
  options.trajectory.dwellSeconds = 4e-5;
  options.coils = 3;
  options.offResonance = {FieldShape::head, peakHz};
  return simulate(options, {});
}

}  // namespace

class TestPathSearch : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  ReconOptions senseInField(double peakHz) {
    const std::string file = folder_.filePath("field.nii.gz").toStdString();
    WriteOptions how;
    how.part = ComplexPart::real;
    writeImage(fieldImage({FieldShape::head, peakHz}, {n, n, 1}), file, how, {});
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver = {6, 1e-3, 0, Regularization::tikhonov};
    options.iterative.fieldMap = file;
    return options;
  }

 private slots:
  void allPathsAreCandidatesAndTheFastestThatServesWins() {
    std::mt19937 random(3);
    FieldCase c = fieldCase(random, 15, 1e-3);
    c.request.nufft.mustTime = true;
    int seen = 0;
    const TuneResult result = search(c, nullptr, [&](const Candidate&) { ++seen; });
    QCOMPARE(kindsOf(result),
             (std::set<TransformKind>{TransformKind::segmented, TransformKind::segmentedToeplitz,
                                      TransformKind::gdft}));
    // A slow build leaves the search no time for all that it predicts to be slower.
    QVERIFY(seen >= (instrumented ? 1 : 3));
    QVERIFY(result.best >= 0);
    const Candidate& best = result.candidates[std::size_t(result.best)];
    for (const Candidate& other : result.candidates) {
      QVERIFY2(other.refused.empty(), other.refused.c_str());
      if (!other.timed()) continue;
      QVERIFY(other.cost() >= best.cost());
      QVERIFY(other.measuredError.has_value());
      QVERIFY(*other.measuredError <= 1.5e-3);
      if (isExact(other.path.transform)) {
        QVERIFY(*other.measuredError < 1e-5);
        continue;
      }
      QVERIFY(other.path.segments > 1);
      QVERIFY(other.options.alpha > 1 && other.options.width > 1);
      QCOMPARE(other.options.accuracy, 1e-3);
      QVERIFY(other.timings.fft() > 0);
      QCOMPARE(other.path.convolutions > 0, other.path.transform == TransformKind::segmentedToeplitz);
    }
    QVERIFY2(result.reason.find("Without the field the error would be 1.") != std::string::npos,
             result.reason.c_str());
    QVERIFY(describe(best).find("α") != std::string::npos || isExact(best.path.transform));
  }

  void whatWasFoundIsRemembered() {
    std::mt19937 random(5);
    FieldCase c = fieldCase(random, 12, 1e-2);
    Wisdom wisdom{std::filesystem::path()};
    const TuneResult first = search(c, &wisdom);
    QVERIFY(!first.fromWisdom);
    const TuneResult again = search(c, &wisdom);
    QVERIFY(again.fromWisdom);
    QVERIFY(again.seconds < (instrumented ? 5 : 0.05));
    const Candidate &a = first.candidates[std::size_t(first.best)], &b = again.candidates.front();
    QCOMPARE(a.path.transform, b.path.transform);
    QCOMPARE(a.options, b.options);
    QCOMPARE(b.path.segments, 0);  // found anew for each field
    // A field ten times as strong is another question.
    for (double& f : c.request.problem.field) f *= 10;
    QVERIFY(!search(c, &wisdom).fromWisdom);
  }

  void aWeakFieldIsLeftOut() {
    std::mt19937 random(6);
    FieldCase c = fieldCase(random, 1e-4, 1e-3);
    const TuneResult result = search(c);
    QCOMPARE(kindsOf(result), std::set<TransformKind>{TransformKind::nufft});
    QVERIFY(result.reason.find("too little to matter") != std::string::npos);
  }

  void aTransformAskedForIsTheOnlyOne() {
    std::mt19937 random(7);
    FieldCase c = fieldCase(random, 10, 1e-2);
    c.request.nufft.mustTime = true;
    for (const TransformKind kind : {TransformKind::segmented, TransformKind::segmentedToeplitz,
                                     TransformKind::gdft, TransformKind::gdftR2}) {
      c.request.problem.transform = kind;
      const TuneResult result = search(c);
      QCOMPARE(kindsOf(result), std::set<TransformKind>{kind});
      QVERIFY(result.best >= 0);
    }
    c.request.problem.transform = TransformKind::segmented;
    c.request.problem.segments = 2;  // far too few
    c.request.nufft.options.accuracy = 1e-4;
    const TuneResult few = search(c);  // as a person wants it, and its error is told
    QVERIFY(few.best >= 0 && *few.candidates[std::size_t(few.best)].measuredError > 1e-2);
    QVERIFY(needsPathSearch(c.request.problem));
    c.request.problem.transform = TransformKind::nufft;
    QVERIFY(!needsPathSearch(c.request.problem));
  }

  void anExhaustiveSearchTriesAllInterpolatorsAndForms() {
    std::mt19937 random(8);
    FieldCase c = fieldCase(random, 4, 2e-2);
    c.request.nufft.effort = TuneEffort::exhaustive;
    c.request.nufft.trials = 1;
    // The NUFFT's own choices are not the question here.
    c.request.nufft.options.alpha = 1.5;
    c.request.nufft.options.spread = c.request.nufft.options.interpolate = Method::blocked;
    c.request.nufft.options.kernel = KernelType::kaiserBessel;
    c.request.nufft.options.precomputation = Precomputation::polynomial;
    const TuneResult result = search(c);
    std::set<SegmentInterpolator> interpolators;
    std::set<NormalMethod> forms;
    for (const Candidate& p : result.candidates) {
      if (p.path.transform == TransformKind::segmented) interpolators.insert(p.path.interpolator);
      if (p.path.transform == TransformKind::segmentedToeplitz) forms.insert(p.options.normal);
      if (p.refused.empty()) QVERIFY(p.timed());
    }
    QVERIFY(interpolators.size() >= 2);
    QCOMPARE(forms, (std::set<NormalMethod>{NormalMethod::toeplitz, NormalMethod::toeplitzShifted}));
  }

  void anEstimateTimesNothing() {
    std::mt19937 random(9);
    FieldCase c = fieldCase(random, 10, 1e-2);
    c.request.nufft.effort = TuneEffort::estimate;
    const TuneResult result = search(c);
    QVERIFY(result.best >= 0);
    for (const Candidate& p : result.candidates) QVERIFY(!p.timed());
    QVERIFY(result.reason.find("nothing was timed") != std::string::npos);
  }

  void aSweepTimesEveryWayOverTheOversamplingRatio() {
    std::mt19937 random(12);
    FieldCase c = fieldCase(random, 8, 1e-3);
    c.request.nufft.trials = 1;
    const auto cpu = makeCpuBackend();
    TransformBackend* one = cpu.get();
    const TuneResult result =
        sweepPaths(std::span<TransformBackend* const>(&one, 1), c.ask(), {1.25, 1.5, 2}, {});
    std::set<double> segments, convolutions;
    std::set<double> gridded;
    int exact = 0, shifted = 0, intravoxel = 0, toeplitz = 0;
    for (const Candidate& p : result.candidates) {
      QVERIFY2(p.timed() && p.measuredError, p.refused.c_str());
      // Other models are as far off as their predictions say, and none of them wins.
      if (!knowsField(p.path.transform) || p.path.transform == TransformKind::gdftR2) {
        const double ratio = *p.measuredError / p.predictedError();
        QVERIFY2(ratio > 0.5 && ratio < 2, qPrintable(QString::number(ratio)));
        QVERIFY(p.predictedError() > 10 * 1e-3 && &p != &result.candidates[std::size_t(result.best)]);
      }
      if (p.path.transform == TransformKind::nufft) {
        gridded.insert(p.options.alpha);
        QCOMPARE(pathOf(p).name, std::string("nufft"));
        QVERIFY(describe(p).starts_with("without the field, "));
        continue;
      }
      if (p.path.transform == TransformKind::toeplitz) {
        ++toeplitz;
        continue;
      }
      if (p.path.transform == TransformKind::gdftR2) {
        ++intravoxel;
        continue;
      }
      if (p.path.transform == TransformKind::segmented) {
        segments.insert(p.options.alpha);
        QVERIFY(*p.measuredError <= 1.5e-3);
      } else if (p.path.transform == TransformKind::segmentedToeplitz) {
        if (p.options.normal == NormalMethod::toeplitz)
          convolutions.insert(p.options.toeplitzAlpha);
        else
          ++shifted;
      } else {
        ++exact;
      }
    }
    QCOMPARE(segments, (std::set<double>{1.25, 1.5, 2}));
    QVERIFY(convolutions.size() >= 2 && *convolutions.begin() >= 2);
    QCOMPARE(shifted, 1);
    QCOMPARE(exact, 1);
    QCOMPARE(gridded, segments);
    QVERIFY(toeplitz >= 2);
    QCOMPARE(intravoxel, 1);
    QVERIFY(result.best >= 0);
  }

  void pathsAreWrittenAndRead() {
    Candidate c;
    c.backend = "cpu";
    c.path = {TransformKind::segmentedToeplitz, SegmentInterpolator::minMax, 7, 12};
    c.options.alpha = 1.5;
    c.options.width = 4;
    const Candidate again = candidateOfJson(candidateToJson(c));
    QCOMPARE(again.path, c.path);
    QVERIFY(describe(again).starts_with("12 convolutions, 7 segments (min-max), "));
    c.path = {};
    QVERIFY(!candidateToJson(c).contains("fieldPath"));
    QCOMPARE(candidateOfJson(candidateToJson(c)).path, Path{});
    nlohmann::json j = candidateToJson(again);
    j["fieldPath"]["transform"] = "fourier";
    QVERIFY_EXCEPTION_THROWN(candidateOfJson(j), Error);
  }

  void aReconstructionUsesThePathThatWon() {
    const auto scan = spiralScan(100);
    const auto cpu = makeCpuBackend();
    ReconOptions options = senseInField(100);
    int seen = 0;
    const Reconstruction found =
        reconstruct({cpu.get()}, *scan, options, nullptr, {}, [&](const Candidate&) { ++seen; });
    QVERIFY(seen > 0);
    QVERIFY(found.tuning && found.tuning->best >= 0);
    const Candidate& best = found.tuning->candidates[std::size_t(found.tuning->best)];
    QVERIFY(isThroughField(best));
    options.iterative.transform = TransformKind::gdft;
    const Reconstruction exact = reconstruct({cpu.get()}, *scan, options, nullptr, {});
    QVERIFY2(relativeDifference(found.image->data, exact.image->data) < 5e-3,
             QByteArray::number(relativeDifference(found.image->data, exact.image->data)));
    for (const auto& [kind, text] : {std::pair{TransformKind::segmented, "segments"},
                                     std::pair{TransformKind::segmentedToeplitz, "convolutions"}}) {
      options.iterative.transform = kind;
      const Reconstruction named = reconstruct({cpu.get()}, *scan, options, nullptr, {});
      QVERIFY(relativeDifference(named.image->data, exact.image->data) < 5e-3);
      QVERIFY(named.iterations.front().transform.find(text) != std::string::npos);
    }
  }

  void aCancelledSearchSaysSo() {
    std::mt19937 random(10);
    FieldCase c = fieldCase(random, 20, 1e-3);
    std::stop_source stop;
    stop.request_stop();
    const auto cpu = makeCpuBackend();
    TransformBackend* one = cpu.get();
    const TuneResult result = searchPaths(std::span<TransformBackend* const>(&one, 1), c.ask(), nullptr,
                                          Progress(stop.get_token()));
    QVERIFY(result.cancelled);
  }
};

SPOKELAB_TEST(TestPathSearch)

}  // namespace test_path_search

#include "test_path_search.moc"
