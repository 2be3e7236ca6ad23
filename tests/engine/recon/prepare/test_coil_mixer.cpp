// Coils that a backend mixes in its own memory: the same scan as the host's, in single precision and of what
// the backend takes; SENSE and gridding take the samples from there.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "engine/recon/coils/coil_gridder.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/nufft/forwarding_nufft.h"
#include "tests/engine/recon/forwarding_backend.h"
#include "tests/test_main.h"

namespace test_coil_mixer {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// A backend's, whose memory is the host's; copies are `factor` times what they should be.
class PlainMixer final : public CoilMixer {
 public:
  explicit PlainMixer(float factor = 1, bool takes = true) : factor_(factor), takes_(takes) {}
  bool ready() const override { return isReady; }
  bool takes(std::int64_t, std::int64_t) override { return takes_; }
  std::vector<cdouble> covariance(std::span<const cfloat* const> coils, std::int64_t samples,
                                  const Progress&) override {
    ++covariances;
    const std::size_t n = coils.size();
    std::vector<cdouble> total(n * n, 0.0);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        for (std::int64_t j = 0; j < samples; ++j)
          total[a * n + b] += cdouble(coils[a][j]) * std::conj(cdouble(coils[b][j]));
    return total;
  }
  void mix(std::span<const cdouble> matrix, int rows, std::span<const cfloat* const> coils,
           std::int64_t samples, cfloat* out, const Progress&) override {
    const std::size_t n = coils.size();
    for (std::size_t r = 0; r < std::size_t(rows); ++r)
      for (std::int64_t j = 0; j < samples; ++j) {
        cdouble sum = 0;
        for (std::size_t c = 0; c < n; ++c) sum += matrix[r * n + c] * cdouble(coils[c][j]);
        out[std::int64_t(r) * samples + j] = cfloat(sum);
      }
    std::vector<cfloat>& copy = copies_[out];
    for (std::int64_t i = 0; i < rows * samples; ++i) copy.push_back(factor_ * out[i]);
  }
  bool send(std::span<const cfloat* const> coils, std::int64_t samples) override {
    if (!takes_) return false;
    if (onSend) onSend();
    ++sent;
    copies_[coils.front()].assign(coils.front(), coils.front() + std::int64_t(coils.size()) * samples);
    for (cfloat& v : copies_[coils.front()]) v *= factor_;
    mostAtOnce = std::max(mostAtOnce, copies_.size());
    return true;
  }
  void forget(const cfloat* host) override { copies_.erase(host); }
  std::size_t heldNow() const { return copies_.size(); }
  const cfloat* copyOf(const cfloat* host) const override {
    for (const auto& [begin, copy] : copies_)
      if (host >= begin && host < begin + copy.size()) return copy.data() + (host - begin);
    return nullptr;
  }

  void sendPoints(std::span<const double> points) override {
    ++pointsSent;
    points_.assign(points.begin(), points.end());
    sentFrom_ = points.data();
  }
  const double* copyOfPoints(const double* host) const override {
    return host == sentFrom_ ? points_.data() : nullptr;
  }
  void forgetPoints() override {
    ++pointsForgotten;
    sentFrom_ = nullptr;
  }

  std::function<void()> onSend;
  int covariances = 0;
  int pointsSent = 0, pointsForgotten = 0;
  bool isReady = true;
  int sent = 0;
  std::size_t mostAtOnce = 0;  // copies that were sent

 private:
  float factor_;
  bool takes_;
  std::map<const cfloat*, std::vector<cfloat>> copies_;
  std::vector<double> points_;
  const double* sentFrom_ = nullptr;
};

std::shared_ptr<const Scan> noisyScan() {
  SimulateOptions o;
  o.trajectory.matrix = {48, 48, 1};
  o.trajectory.samplesPerShot = 96;
  o.coils = 8;
  o.noise = 0.1;
  o.noiseCorrelation = 0.5;
  return simulate(o, {});
}

ReconOptions prepared() {
  ReconOptions options;
  options.prewhitening = Prewhitening::on;
  options.virtualCoils = 5;
  return options;
}

// A plan of the CPU that combines the coils itself, by the root of the sum of squares alone.
class GriddingPlan final : public ForwardingNufft, public CoilGridder<float> {
 public:
  using ForwardingNufft::ForwardingNufft;
  CoilGridder<float>* coilGridder() override { return this; }
  bool setCombination(Combination how, int, std::int64_t) override {
    return how == Combination::rootSumSquares;
  }
  void setGriddingWeights(std::span<const double> weights) override {
    weights_.assign(weights.begin(), weights.end());
  }
  void gridCoils(std::span<const cfloat* const> coils, const CoilMixer* mixer, cfloat* out,
                 const Progress&) override {
    const auto pixels = std::size_t(problem().pixels()), batch = std::size_t(problem().batch);
    std::vector<cfloat> samples(batch * weights_.size()), images(batch * pixels);
    std::fill_n(out, pixels, cfloat(0));
    for (const cfloat* const coil : coils) {
      const cfloat* const there = mixer ? mixer->copyOf(coil) : nullptr;
      taken += there != nullptr;
      for (std::size_t j = 0; j < weights_.size(); ++j)
        samples[j] = (there ? there : coil)[j] * float(weights_[j]);
      plan_->adjoint(samples.data(), images.data());
      for (std::size_t i = 0; i < pixels; ++i) out[i] += std::norm(images[i]);
    }
    for (std::size_t i = 0; i < pixels; ++i) out[i] = std::sqrt(out[i].real());
  }
  void gridSets(std::span<const cfloat* const>, std::span<cfloat* const>, const Progress&) override {}

  static inline int taken = 0;  // coils whose samples were there

 private:
  std::vector<double> weights_;
};

// The CPU with such a mixer.
class MixingBackend final : public ForwardingBackend<Backend> {
 public:
  explicit MixingBackend(std::shared_ptr<CoilMixer> mixer) : mixer_(std::move(mixer)) {}
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    if (p.precision == Precision::double64) return cpu_->makePlan(p, o);
    auto plan = cpu_->plan<float>(p, o);
    ++plans;
    if (!combines) return plan;
    return std::make_unique<GriddingPlan>(std::move(plan));
  }
  std::shared_ptr<CoilMixer> coilMixer() override { return mixer_; }

  bool combines = false;  // its plans are GriddingPlans
  int plans = 0;

 private:
  std::shared_ptr<CoilMixer> mixer_;
};

double apart(const Image& a, const Image& b, float factor) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    difference += std::norm(a.data[i] - factor * b.data[i]);
    whole += std::norm(factor * b.data[i]);
  }
  return std::sqrt(difference / whole);
}

}  // namespace

class TestCoilMixer : public QObject {
  Q_OBJECT

 private slots:
  void theScanIsTheHosts() {
    const auto scan = noisyScan();
    const auto mixer = std::make_shared<PlainMixer>();
    const ScanPreparation there = prepareScan(*scan, planJob(*scan, prepared()), {}, mixer),
                          here = prepareScan(*scan, planJob(*scan, prepared()), {});
    QCOMPARE(mixer->covariances, 1);
    QVERIFY(there.mixer == mixer && !here.mixer);
    QCOMPARE(there.scan->coils, 5);
    QCOMPARE(there.notes, here.notes);
    for (std::size_t i = 0; i < here.mixing.size(); ++i)
      QVERIFY(std::abs(there.mixing[i] - here.mixing[i]) < 1e-9);
    const std::int64_t samples = scan->trajectories[0].samples();
    double difference = 0, whole = 0;
    for (int c = 0; c < 5; ++c)
      for (std::int64_t j = 0; j < samples; ++j) {
        difference += std::norm(there.scan->data(0, 0, c)[j] - here.scan->data(0, 0, c)[j]);
        whole += std::norm(here.scan->data(0, 0, c)[j]);
      }
    QVERIFY(difference < 1e-10 * whole);
    QVERIFY(mixer->copyOf(there.scan->data(0, 0, 4) + samples - 1));
    QVERIFY(!mixer->copyOf(here.scan->data(0, 0, 4)));
  }

  void whatItDoesNotTakeIsTheHosts() {
    const auto scan = noisyScan();
    const auto refusing = std::make_shared<PlainMixer>(1.0F, false), taking = std::make_shared<PlainMixer>();
    QVERIFY(!prepareScan(*scan, planJob(*scan, prepared()), {}, refusing).mixer);
    QCOMPARE(refusing->covariances, 0);
    ReconOptions inDouble = prepared();
    inDouble.precision = Precision::double64;
    QVERIFY(!prepareScan(*scan, planJob(*scan, inDouble), {}, taking).mixer);
    QCOMPARE(taking->covariances, 0);
  }

  // Of samples three times as large the image is three times as large.
  void senseTakesTheSamplesFromThere() {
    const auto scan = noisyScan();
    ReconOptions options = prepared();
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.iterations = 4;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    options.iterative.transform = TransformKind::nufft;
    const auto alone = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
    for (const float factor : {1.0F, 3.0F}) {
      MixingBackend backend(std::make_shared<PlainMixer>(factor));
      const auto mixed = runJob(backend, *scan, options, nullptr, nullptr, {});
      const double error = apart(*mixed.image, *alone.image, factor);
      QVERIFY2(error < 1e-4, QByteArray::number(error));
    }
  }

  // Where the plan combines the coils it takes the copies, else the samples that came back to the host.
  void griddingTakesTheSamplesFromThere() {
    const auto scan = noisyScan();
    ReconOptions options = prepared();
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    for (const Combination combination : {Combination::rootSumSquares, Combination::adaptive}) {
      options.combination = combination;
      const auto alone = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
      for (const bool combines : {false, true}) {
        const auto mixer = std::make_shared<PlainMixer>(3.0F);
        MixingBackend backend(mixer);
        backend.combines = combines;
        GriddingPlan::taken = 0;
        const auto mixed = runJob(backend, *scan, options, nullptr, nullptr, {});
        const bool there = combines && combination == Combination::rootSumSquares;
        QCOMPARE(mixer->covariances, 1);
        QCOMPARE(GriddingPlan::taken, there ? 5 : 0);
        const double error = apart(*mixed.image, *alone.image, there ? 3.0F : 1.0F);
        QVERIFY2(error < 1e-4, QByteArray::number(error));
      }
    }
  }

  // Those of a frame are on their way while the host prepares for it, once it has gridded those that coil maps need, and
  // while the frame before it is worked on; copies of earlier ones are gone.
  void samplesThatAreNotMixedAreSentAhead_data() {
    QTest::addColumn<bool>("sense");
    QTest::addColumn<int>("coils");
    QTest::addColumn<int>("before");  // plans that are made before they set out
    QTest::newRow("gridding") << false << 3 << 0;
    QTest::newRow("SENSE") << true << 3 << 1;
    QTest::newRow("SENSE of one coil, without maps") << true << 1 << 0;
  }
  void samplesThatAreNotMixedAreSentAhead() {
    QFETCH(bool, sense);
    QFETCH(int, coils);
    QFETCH(int, before);
    SimulateOptions o;
    o.trajectory.matrix = {32, 32, 1};
    o.coils = coils;
    o.frames = 4;
    const auto scan = simulate(o, {});
    QCOMPARE(scan->trajectories.size(), std::size_t(1));
    ReconOptions options;
    options.prewhitening = Prewhitening::off;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    if (sense) {
      options.iterative.method = ReconMethod::sense;
      options.iterative.transform = TransformKind::nufft;
      options.iterative.solver.iterations = 3;
    }
    const auto alone = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
    const auto mixer = std::make_shared<PlainMixer>(3.0F);
    MixingBackend backend(mixer);
    backend.combines = !sense;
    int made = -1;
    mixer->onSend = [&] {
      if (made < 0) made = backend.plans;
    };
    const auto sent = runJob(backend, *scan, options, nullptr, nullptr, {});
    QCOMPARE(mixer->sent, 4);
    QCOMPARE(made, before);
    QCOMPARE(mixer->mostAtOnce, std::size_t(2));
    QCOMPARE(mixer->heldNow(), std::size_t(0));
    // Points go ahead to the plan of SENSE, which takes them once.
    QCOMPARE(mixer->pointsSent, sense ? 1 : 0);
    QCOMPARE(mixer->pointsForgotten, sense ? 1 : 0);
    const double error = apart(*sent.image, *alone.image, 3.0F);
    QVERIFY2(error < 1e-4, QByteArray::number(error));
    options.precision = Precision::double64;
    QVERIFY(runJob(backend, *scan, options, nullptr, nullptr, {}).image);
    QCOMPARE(mixer->sent, 4);
    QCOMPARE(mixer->pointsSent, sense ? 1 : 0);
  }

  // SENSE needs such libraries for its coil maps as well, gridding for nothing else.
  void griddingOfLittleWaitsForNoLibrary() {
    const auto mixer = std::make_shared<PlainMixer>();
    mixer->isReady = false;
    MixingBackend backend(mixer);
    ReconOptions options = prepared();
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    QVERIFY(runJob(backend, *noisyScan(), options, nullptr, nullptr, {}).image);
    QCOMPARE(mixer->covariances, 0);
  }

  // The oracle of tests does all of its steps on the host.
  void exactSumsTakeNoMixer() {
    const auto mixer = std::make_shared<PlainMixer>();
    MixingBackend backend(mixer);
    ReconOptions options = prepared();
    options.exact = true;
    QVERIFY(runJob(backend, *noisyScan(), options, nullptr, nullptr, {}).image);
    QCOMPARE(mixer->covariances, 0);
  }
};

SPOKELAB_TEST(TestCoilMixer)

}  // namespace test_coil_mixer

#include "test_coil_mixer.moc"
