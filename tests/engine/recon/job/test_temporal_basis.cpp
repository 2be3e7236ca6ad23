// Temporal bases: of decays by T2 they are orthonormal and as close as they say; files are read in
// either order of axes; what does not fit is refused by the job's plan.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "engine/core/error.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/job/temporal_basis.h"
#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_temporal_basis {

using namespace spokelab;

namespace {

constexpr int frames = 12;

std::vector<double> echoes() {
  std::vector<double> times;
  for (int t = 0; t < frames; ++t) times.push_back(0.01 * (t + 1));
  return times;
}

// 12 frames with echo times, or without.
std::shared_ptr<const Scan> echoScan(bool timed) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::goldenRadial2d;
  options.trajectory.matrix = {16, 16, 1};
  options.trajectory.shots = 5;
  if (timed)
    options.echoTimes = echoes();
  else
    options.frames = frames;
  return simulate(options, {});
}

void writeNpy(const QString& file, const std::vector<std::int64_t>& shape, std::vector<double> values) {
  std::ofstream out(file.toStdString(), std::ios::binary);
  out << npyHeaderText("<f8", shape);
  out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(double)));
}

// The numbers from 1 on, the last of them larger: its coefficients are independent.
void writeNpy(const QString& file, const std::vector<std::int64_t>& shape) {
  std::vector<double> values(1, 1);
  for (const std::int64_t n : shape) values.resize(values.size() * std::size_t(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i) + 1;
  values.back() += 100;
  writeNpy(file, shape, values);
}

ReconOptions subspaceOptions(const QString& basis = {}) {
  ReconOptions options;
  setOption(options, "method", "subspace");
  setOption(options, "basis", basis.toStdString());
  return options;
}

}  // namespace

class TestTemporalBasis : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QString fileOf(const char* name) const { return folder_.filePath(name); }

  static std::string reasonOf(const Scan& scan, const ReconOptions& options) {
    try {
      planJob(scan, options);
    } catch (const Error& error) {
      return error.reason();
    }
    return "no error";
  }

 private slots:
  void decaysHaveAnOrthonormalBasisAsCloseAsItSays() {
    double error = 0;
    const TemporalBasis basis = decayBasis(echoes(), {0.01, 2}, 0, 1e-2, error);
    QVERIFY(basis.coefficients >= 2 && basis.coefficients <= 5);
    QVERIFY(error <= 1e-2);
    const auto at = [&](int t, int k) { return basis.values[std::size_t(t * basis.coefficients + k)]; };
    for (int i = 0; i < basis.coefficients; ++i)
      for (int j = 0; j < basis.coefficients; ++j) {
        cdouble sum = 0;
        for (int t = 0; t < frames; ++t) sum += std::conj(at(t, i)) * at(t, j);
        QVERIFY(std::abs(sum - (i == j ? 1.0 : 0.0)) < 1e-9);
      }
    double worst = 0;
    for (const double t2 : {0.011, 0.02, 0.05, 0.13, 0.4, 1.9}) {
      double square = 0, left = 0;
      std::vector<double> decay;
      for (const double time : echoes()) decay.push_back(std::exp(-time / t2));
      for (const double v : decay) square += v * v;
      left = square;
      for (int k = 0; k < basis.coefficients; ++k) {
        double part = 0;
        for (int t = 0; t < frames; ++t) part += at(t, k).real() * decay[std::size_t(t)];
        left -= part * part;
      }
      worst = std::max(worst, std::sqrt(std::max(0.0, left) / square));
    }
    QVERIFY2(worst < 1.05e-2 && worst > 0, qPrintable(QString::number(worst)));
    double coarse = 0;
    QCOMPARE(decayBasis(echoes(), {0.01, 2}, 1, 0, coarse).coefficients, 1);
    QVERIFY(coarse > error);
  }

  void thePlanSaysWhatTheBasisIs() {
    const JobPlan plan = planJob(*echoScan(true), subspaceOptions());
    QCOMPARE(plan.basis.frames, frames);
    QVERIFY(plan.basis.origin.find("12 echo times (10 ... 120 ms)") != std::string::npos);
    QVERIFY(plan.imagesPerUnknown() == plan.basis.coefficients && plan.basis.coefficients < frames);
  }

  void filesAreReadWithFramesFirstOrLast() {
    const QString tall = fileOf("tall.npy"), wide = fileOf("wide.npy");
    writeNpy(tall, {frames, 3});
    writeNpy(wide, {3, frames});
    const auto scan = echoScan(false);
    const TemporalBasis a = planJob(*scan, subspaceOptions(tall)).basis,
                        b = planJob(*scan, subspaceOptions(wide)).basis;
    QCOMPARE(a.coefficients, 3);
    QCOMPARE(b.coefficients, 3);
    QCOMPARE(a.values[7], cdouble(8));               // frame 2, coefficient 1
    QCOMPARE(b.values[7], cdouble(frames + 2 + 1));  // [coefficient 1, frame 2]
    ReconOptions some = subspaceOptions(tall);
    some.frames = "4-9";
    setOption(some, "coefficients", "2");
    const TemporalBasis c = planJob(*scan, some).basis;
    QCOMPARE(c.frames, 6);
    QCOMPARE(c.values[0], cdouble(4 * 3 + 1));
  }

  void bartsAxesAreFramesThenCoefficients() {
    const QString file = fileOf("basis.cfl");
    std::ofstream(fileOf("basis.hdr").toStdString()) << "# Dimensions\n1 1 1 1 1 12 2 1\n";
    std::ofstream out(file.toStdString(), std::ios::binary);
    for (int i = 0; i < 2 * frames; ++i) {
      const float pair[] = {float(i), 0.5F};
      out.write(reinterpret_cast<const char*>(pair), sizeof pair);
    }
    out.close();
    const TemporalBasis basis = planJob(*echoScan(false), subspaceOptions(file)).basis;
    QCOMPARE(basis.coefficients, 2);
    QCOMPARE(basis.values[2 * 5 + 1], cdouble(frames + 5, 0.5));  // frame 5 of coefficient 1
  }

  void coefficientsThatAreNotIndependentAreRefusedByThePlan() {
    const auto scan = echoScan(false);
    const QString file = fileOf("dependent.npy");
    const auto reasonFor = [&](const auto& value, const char* coefficients = "auto") {
      std::vector<double> values;
      for (int t = 0; t < frames; ++t)
        for (int k = 0; k < 3; ++k) values.push_back(value(t, k));
      writeNpy(file, {frames, 3}, values);
      ReconOptions options = subspaceOptions(file);
      setOption(options, "coefficients", coefficients);
      return reasonOf(*scan, options);
    };
    const auto powers = [](int t, int k) { return std::pow(0.1 * (t + 1), k); };
    QCOMPARE(reasonFor(powers), std::string("no error"));
    // Independent, and of other lengths.
    QCOMPARE(reasonFor([&](int t, int k) { return std::pow(1e-6, k) * powers(t, k); }),
             std::string("no error"));
    const auto sum = [&](int t, int k) { return k < 2 ? powers(t, k) : powers(t, 0) - 2 * powers(t, 1); };
    QVERIFY(reasonFor(sum).find("3 coefficients of rank 2") != std::string::npos);
    QCOMPARE(reasonFor(sum, "2"), std::string("no error"));
    const auto sumInSingle = [&](int t, int k) { return double(float(sum(t, k) / 3)); };
    QVERIFY(reasonFor(sumInSingle).find("of rank 2") != std::string::npos);
    QVERIFY(reasonFor([&](int t, int k) {
              return k == 1 ? 0 : powers(t, k);
            }).find("coefficient 2 is 0 in all frames") != std::string::npos);
    QVERIFY(reasonFor([](int, int) { return 0; }).find("all 0") != std::string::npos);
    QVERIFY(reasonFor([&](int t, int k) {
              return t == 4 && k == 2 ? std::nan("") : powers(t, k);
            }).find("not a finite number") != std::string::npos);
    // They are independent over all frames, and not over the three that are asked for.
    ReconOptions some = subspaceOptions(file);
    some.frames = "3,7,9";
    const auto nearlyOne = [&](int t, int k) { return k == 1 && t % 2 == 1 ? 1 : powers(t, k); };
    QCOMPARE(reasonFor(nearlyOne), std::string("no error"));
    QVERIFY(reasonOf(*scan, some).find("3 coefficients of rank 2") != std::string::npos);
  }

  // Echoes in another order have the same decays.
  void echoTimesMayFall() {
    std::vector<double> falling = echoes();
    std::reverse(falling.begin(), falling.end());
    falling.front() = 30;  // s: far beyond the shortest T2
    double error = 0;
    for (const cdouble& v : decayBasis(falling, {0.01, 2}, 3, 0, error).values)
      QVERIFY(std::isfinite(v.real()) && std::abs(v) <= 1 + 1e-9);
  }

  void whatDoesNotFitIsRefusedByThePlan() {
    const auto scan = echoScan(false);
    QVERIFY(reasonOf(*scan, subspaceOptions()).find("does not say the echo times") != std::string::npos);
    ReconOptions times = subspaceOptions();
    setOption(times, "echo-times", "10:120:10");
    QCOMPARE(reasonOf(*scan, times), std::string("no error"));
    setOption(times, "echo-times", "10,20,30");
    QVERIFY(reasonOf(*scan, times).find("3 echo times for 12 frames") != std::string::npos);
    const QString other = fileOf("other.npy"), many = fileOf("many.npy");
    writeNpy(other, {7, 2});
    writeNpy(many, {frames, 20});
    QVERIFY(reasonOf(*scan, subspaceOptions(other)).find("none of its sizes") != std::string::npos);
    QVERIFY(reasonOf(*scan, subspaceOptions(many)).find("20 coefficients for 12 frames") !=
            std::string::npos);
    setOption(times, "echo-times", "10:120:10");
    setOption(times, "coefficients", "20");
    QVERIFY(reasonOf(*scan, times).find("20 coefficients are asked for") != std::string::npos);
    ReconOptions one = subspaceOptions(other);
    one.frames = "3";
    QVERIFY(reasonOf(*scan, one).find("there is one") != std::string::npos);
    ReconOptions variation = subspaceOptions();
    setOption(variation, "regularization", "tv");
    QCOMPARE(reasonOf(*echoScan(true), variation), std::string("no error"));
    setOption(variation, "solver", "lsmr");
    QVERIFY(reasonOf(*echoScan(true), variation).find("has no solver lsmr") != std::string::npos);
    QVERIFY(reasonOf(*scan, subspaceOptions(fileOf("missing.npy"))) != "no error");
  }
};

SPOKELAB_TEST(TestTemporalBasis)

}  // namespace test_temporal_basis

#include "test_temporal_basis.moc"
