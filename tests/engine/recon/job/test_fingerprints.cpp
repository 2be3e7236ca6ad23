// Fingerprints: extended phase graphs beside a sum over turned spins, matches of dictionary signals
// with themselves, and T1 and T2 of simulated tubes found again.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/job/fingerprints.h"
#include "engine/recon/job/job_plan.h"
#include "engine/scan/simulate/echo_train.h"
#include "engine/scan/simulate/fingerprint.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_fingerprints {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int excitations = 120, side = 40;

// Bloch's equations of spins that the gradient turns by all angles alike.
std::vector<double> spinSignal(const FingerprintSequence& s, double t1, double t2) {
  constexpr int spins = 512;
  const double e1 = std::exp(-s.repetition / t1), e2 = std::exp(-s.repetition / t2);
  std::vector<cdouble> across(spins, 0.0);
  std::vector<double> along(spins, 1 - 2 * std::exp(-s.inversion / t1)), signal;
  for (const double flip : s.flips) {
    double sum = 0;
    for (std::size_t i = 0; i < spins; ++i) {
      const double x = across[i].real(), z = along[i];
      across[i] = {std::cos(flip) * x + std::sin(flip) * z, across[i].imag()};
      along[i] = std::cos(flip) * z - std::sin(flip) * x;
      sum += across[i].real() / spins;
      across[i] *= std::polar(e2, 2 * std::numbers::pi * double(i) / spins);
      along[i] = 1 + (along[i] - 1) * e1;
    }
    signal.push_back(sum);
  }
  return signal;
}

std::shared_ptr<const Scan> tubes(double noise = 0) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::goldenRadial2d;
  options.trajectory.matrix = {side, side, 1};
  options.trajectory.samplesPerShot = 2 * side;
  options.trajectory.shots = 2;
  options.phantom = PhantomKind::tubes;
  options.fingerprint = excitations;
  options.coils = 4;
  options.noise = noise;
  return simulate(options, {});
}

// Of 25 pixels around a place in fields of view.
double medianIn(const Image& image, int frame, const Vec3& centre) {
  constexpr std::int64_t reach = 2;
  const auto x = std::int64_t(std::lround(centre[0] * side)) + side / 2,
             y = std::int64_t(std::lround(centre[1] * side)) + side / 2;
  std::vector<double> values;
  for (std::int64_t j = y - reach; j <= y + reach; ++j)
    for (std::int64_t i = x - reach; i <= x + reach; ++i)
      values.push_back(std::abs(image.frame(frame)[j * side + i]));
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

ReconOptions mrf() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 5;
  setOption(options, "method", "mrf");
  setOption(options, "t1-range", "300-3500");
  setOption(options, "t2-range", "20-1500");
  setOption(options, "coefficients", "5");
  setOption(options, "lambda", "1e-2");
  return options;
}

}  // namespace

class TestFingerprints : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void phaseGraphsAreTheSumOverSpins() {
    const FingerprintSequence sequence = fingerprintSequence(excitations);
    QCOMPARE(sequence.flips.size(), std::size_t(excitations));
    for (const auto& [t1, t2] : {std::pair{0.9, 0.08}, std::pair{2.5, 1.5}, std::pair{0.3, 0.02}}) {
      const std::vector<double> graph = fingerprintSignal(sequence, t1, t2),
                                spins = spinSignal(sequence, t1, t2);
      for (std::size_t n = 0; n < graph.size(); ++n)
        QVERIFY2(std::abs(graph[n] - spins[n]) < 1e-5,
                 qPrintable(QString("%1: %2 %3").arg(n).arg(graph[n]).arg(spins[n])));
    }
  }

  void signalsOfTheDictionaryMatchThemselves() {
    FingerprintRequest request;
    request.sequence = fingerprintSequence(excitations);
    request.t1 = {0.2, 3};
    request.t2 = {0.02, 0.5};
    request.error = 5e-3;
    const auto dictionary = fingerprintDictionary(request);
    QVERIFY(dictionary->largestError <= 5e-3 && dictionary->coefficients > 2);
    QVERIFY(fingerprintDictionary(request) == dictionary);  // kept
    for (std::size_t a = 0; a < dictionary->t1.size(); a += 37) {
      const std::vector<double> signal =
          fingerprintSignal(request.sequence, dictionary->t1[a], dictionary->t2[a]);
      const cdouble proton(0.6, -0.8);
      std::vector<cdouble> coefficients(std::size_t(dictionary->coefficients));
      for (int k = 0; k < dictionary->coefficients; ++k)
        for (int t = 0; t < excitations; ++t)
          coefficients[std::size_t(k)] +=
              proton * dictionary->vectors[std::size_t(k * excitations + t)] * signal[std::size_t(t)];
      const FingerprintMatch found = dictionary->match(coefficients.data(), 1);
      QVERIFY(std::abs(found.t1 / dictionary->t1[a] - 1) < 1e-9);
      QVERIFY(std::abs(found.t2 / dictionary->t2[a] - 1) < 1e-9);
      QVERIFY(std::abs(found.signal - proton) < 1e-6);
    }
  }

  void tissuesOfTubesComeBack() {
    const auto scan = tubes();
    QCOMPARE(scan->frames, excitations);
    const Reconstruction result = run(*scan, mrf());
    QCOMPARE(result.image->frames, JobPlan::tissueMaps);
    const Phantom phantom = tubePhantom(2);
    const std::vector<double> t1 = shapeT1(phantom), t2 = shapeT2(phantom);
    for (std::size_t s = 0; s < phantom.shapes.size(); ++s) {
      const double foundT1 = medianIn(*result.image, 0, phantom.shapes[s].centre),
                   foundT2 = medianIn(*result.image, 1, phantom.shapes[s].centre),
                   signal = medianIn(*result.image, 2, phantom.shapes[s].centre);
      QVERIFY2(std::abs(foundT1 / (1e3 * t1[s]) - 1) < 0.06,
               qPrintable(QString("tube %1: T1 %2 for %3").arg(s).arg(foundT1).arg(1e3 * t1[s])));
      QVERIFY2(std::abs(foundT2 / (1e3 * t2[s]) - 1) < 0.13,
               qPrintable(QString("tube %1: T2 %2 for %3").arg(s).arg(foundT2).arg(1e3 * t2[s])));
      QVERIFY2(std::abs(signal - 1) < 0.1, qPrintable(QString("tube %1: %2").arg(s).arg(signal)));
    }
  }

  void coefficientsAreKeptWhereTheyAreAskedFor() {
    ReconOptions options = mrf();
    setOption(options, "subspace-images", "coefficients");
    setOption(options, "coefficients", "4");
    setOption(options, "iterations", "3");
    QCOMPARE(run(*tubes(), options).image->frames, 4);
  }

  void badFingerprintsAreRefusedBeforeAnythingRuns() {
    const auto scan = tubes();
    const auto reason = [&](const char* name, const char* value, const char* method = "mrf") {
      ReconOptions options = mrf();
      setOption(options, "method", method);
      setOption(options, name, value);
      try {
        planJob(*scan, options);
      } catch (const Error& error) {
        return error.reason();
      }
      return std::string();
    };
    QVERIFY(reason("lambda", "0").empty());
    QVERIFY(QString::fromStdString(reason("flip-angles", "10,20")).contains("2 flip angles"));
    QVERIFY(QString::fromStdString(reason("basis", "a.npy")).contains("fingerprints"));
    QVERIFY(!reason("frames", "0-9").empty());
    QVERIFY(!reason("subspace-images", "maps", "t2-shuffling").empty());
    QVERIFY(QString::fromStdString(reason("coefficients", "121")).contains("121 coefficients"));
  }

  // The usual train is of no other scan, unless its flip angles are given.
  void framesThatAreNoExcitationsAreRefusedBeforeAnythingRuns() {
    const auto simulated = [](FrameAxes axes) {
      SimulateOptions options;
      options.trajectory.pattern = Pattern::goldenRadial2d;
      options.trajectory.matrix = {16, 16, 1};
      options.trajectory.shots = 2;
      options.frames = 10;
      auto scan = std::make_shared<Scan>(*simulate(options, {}));
      scan->frameAxes = std::move(axes);
      return scan;
    };
    const auto axis = [](FrameMeaning meaning, double apart) {
      FrameAxis made{meaning, 10, {}};
      for (int t = 0; t < 10; ++t) made.values.push_back(t * apart);
      return FrameAxes::grid({made});
    };
    const auto reason = [](const Scan& scan, ReconOptions options) {
      setOption(options, "coefficients", "3");
      try {
        planJob(scan, options);
      } catch (const Error& error) {
        return QString::fromStdString(error.reason());
      }
      return QString();
    };
    const auto timeless = simulated(FrameAxes::grid({{FrameMeaning::time, 10, {}}})),
               still = simulated(axis(FrameMeaning::time, 0));
    const auto unnamed = simulated({}), echoes = simulated(axis(FrameMeaning::echo, 0.012)),
               slow = simulated(axis(FrameMeaning::time, 0.5)),
               train = simulated(axis(FrameMeaning::time, 0.0125));
    QVERIFY(reason(*unnamed, mrf()).contains("does not say that its frames are excitations"));
    QVERIFY(reason(*echoes, mrf()).contains("10 echoes"));
    QVERIFY(reason(*slow, mrf()).contains("500 ms apart"));
    QVERIFY(reason(*timeless, mrf()).contains("does not say when its frames were measured"));
    QVERIFY(reason(*still, mrf()).contains("0 ms apart"));
    QCOMPARE(reason(*train, mrf()), QString());
    // A header tells the one echo time.
    const auto oneEcho =
        simulated(FrameAxes::grid({train->frameAxes.axes.front(), {FrameMeaning::echo, 1, {0.002}}}));
    QCOMPARE(reason(*oneEcho, mrf()), QString());
    ReconOptions three = mrf();
    setOption(three, "coefficients", "3");
    QVERIFY(planJob(*train, three).basis.origin.find("flip angles of simulated") != std::string::npos);
    ReconOptions given = mrf();
    setOption(given, "flip-angles", "5:50:5");
    for (const auto& scan : {unnamed, echoes, slow, timeless, still})
      QCOMPARE(reason(*scan, given), QString());
    setOption(given, "coefficients", "3");
    QVERIFY(planJob(*slow, given).basis.origin.find("simulated") == std::string::npos);
    ReconOptions ownTime = mrf();
    setOption(ownTime, "repetition-time", "500");
    QCOMPARE(reason(*slow, ownTime), QString());
  }
};

SPOKELAB_TEST(TestFingerprints)

}  // namespace test_fingerprints

#include "test_fingerprints.moc"
