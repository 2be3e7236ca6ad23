// Ranks that divide the coils of a volume find out together what belongs to all coils, each from its own: the numbers
// are those of one rank, to the last bit. Each sends its own samples ahead.
#include <QtTest>

#include <cmath>
#include <mutex>
#include <random>

#include "engine/core/jobs/thread_ranks.h"
#include "engine/recon/coils/coil_mixer.h"
#include "engine/recon/coils/espirit_maps.h"
#include "engine/recon/prepare/sample_scale.h"
#include "engine/recon/ranks/rank_reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/run/sense/coil_map_source.h"
#include "tests/engine/recon/ranks/other_processor.h"
#include "tests/engine/recon/ranks/rank_scans.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_coil_division {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Smooth images of coils, one of which is switched off.
CentreImages imagesOf(int coils, const Index3& size, int empty) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 1e-3F);
  CentreImages centre{size, Buffer<cfloat>(std::size_t(product(size) * coils))};
  for (int c = 0; c < coils; ++c)
    for (std::int64_t p = 0; p < product(size); ++p) {
      const double x = double(p % size[0]) / double(size[0]) - 0.5,
                   y = double(p / size[0] % size[1]) / double(size[1]) - 0.5, angle = 6.28 * c / coils;
      const double sense =
          std::exp(-3 * (std::pow(x - 0.4 * std::cos(angle), 2) + std::pow(y - 0.4 * std::sin(angle), 2)));
      const cfloat noise(normal(random), normal(random));
      centre.images[std::size_t(c * product(size) + p)] =
          c == empty ? cfloat(0)
                     : cfloat(std::polar(std::hypot(x, y) < 0.45 ? sense : 0.0, 2 * x * c)) + noise;
    }
  return centre;
}

CentreImages partOf(const CentreImages& all, const std::vector<int>& coils) {
  const auto pixels = std::ptrdiff_t(product(all.size));
  return {all.size, Buffer<cfloat>(all.images.begin() + coils.front() * pixels,
                                   all.images.begin() + (coils.back() + 1) * pixels)};
}

// Remembers which samples it was sent; their copies are three times as large.
class CountingMixer final : public CoilMixer {
 public:
  bool ready() const override { return true; }
  bool takes(std::int64_t, std::int64_t) override { return false; }
  std::vector<cdouble> covariance(std::span<const cfloat* const>, std::int64_t, const Progress&) override {
    return {};
  }
  void mix(std::span<const cdouble>, int, std::span<const cfloat* const>, std::int64_t, cfloat*,
           const Progress&) override {}
  bool send(std::span<const cfloat* const> coils, std::int64_t samples) override {
    sent.insert(sent.end(), coils.begin(), coils.end());
    for (const cfloat* const coil : coils) {
      std::vector<cfloat>& copy = copies_[coil];
      for (std::int64_t j = 0; j < samples; ++j) copy.push_back(3.0F * coil[j]);
    }
    return true;
  }
  void forget(const cfloat* host) override { forgotten.push_back(host); }
  const cfloat* copyOf(const cfloat* host) const override {
    const auto found = copies_.find(host);
    return found == copies_.end() ? nullptr : found->second.data();
  }

  std::vector<const cfloat*> sent, forgotten;

 private:
  std::map<const cfloat*, std::vector<cfloat>> copies_;
};

class SendingBackend final : public OtherProcessor {
 public:
  std::shared_ptr<CoilMixer> coilMixer() override { return mixer; }
  std::shared_ptr<CountingMixer> mixer = std::make_shared<CountingMixer>();
};

// Of all ranks.
std::vector<std::vector<int>> fourEach(int ranks) {
  std::vector<std::vector<int>> coils(static_cast<std::size_t>(ranks));
  for (int c = 0; c < 4 * ranks; ++c) coils[std::size_t(c / 4)].push_back(c);
  return coils;
}

}  // namespace

class TestCoilDivision : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void calibrationHasTheBitsOfOneRank_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("sets");
    QTest::newRow("two ranks, 2-D") << 2 << 2 << 1;
    QTest::newRow("three ranks, 2-D, two sets") << 3 << 2 << 2;
    QTest::newRow("two ranks, 3-D") << 2 << 3 << 1;
  }
  void calibrationHasTheBitsOfOneRank() {
    QFETCH(const int, ranks);
    QFETCH(const int, dims);
    QFETCH(const int, sets);
    const int coils = 4 * ranks, empty = 5;
    const Index3 size = dims == 3 ? Index3{24, 24, 24} : Index3{120, 96, 1};
    const CentreImages centre = imagesOf(coils, size, empty);
    CoilMapOptions options;
    options.calibration = dims == 3 ? 12 : 24;
    options.sets = sets;
    const Index3 matrix = dims == 3 ? Index3{32, 32, 32} : Index3{128, 128, 1};
    const EspiritPixels wanted = espiritPixels(centre, coils, matrix, dims, options, nullptr, {});
    QCOMPARE(wanted.emptyCoils, std::vector<int>{empty});
    std::mutex mutex;
    int compared = 0;
    runOnThreadRanks(std::vector<std::string>(std::size_t(ranks), "rank"),
                     [&](Ranks& r, const Progress& progress) {
                       const CoilDivision division{&r, fourEach(ranks)};
                       const EspiritPixels pixels = espiritPixels(partOf(centre, division.own()), coils,
                                                                  matrix, dims, options, &division, progress);
                       const std::lock_guard lock(mutex);
                       ++compared;
                       QCOMPARE(pixels.data.coils, coils);
                       QVERIFY(pixels.data.values == wanted.data.values);
                       QVERIFY(pixels.references == wanted.references);
                       QCOMPARE(pixels.emptyCoils, wanted.emptyCoils);
                     },
                     {});
    QCOMPARE(compared, ranks);
  }

  // One rank has no signal, all together have.
  void aRankWithoutSignalIsNone() {
    CentreImages centre = imagesOf(8, {48, 48, 1}, -1);
    std::fill(centre.images.begin(), centre.images.begin() + 4 * 48 * 48, cfloat(0));
    std::mutex mutex;
    std::vector<std::string> ends;
    for (const bool silent : {false, true}) {
      if (silent) std::fill(centre.images.begin(), centre.images.end(), cfloat(0));
      runOnThreadRanks(
          {"a", "b"},
          [&](Ranks& r, const Progress& progress) {
            const CoilDivision division{&r, fourEach(2)};
            std::string end = "maps";
            try {
              espiritPixels(partOf(centre, division.own()), 8, {48, 48, 1}, 2, {}, &division, progress);
            } catch (const Error& error) {
              end = error.reason();
            }
            const std::lock_guard lock(mutex);
            ends.push_back(end);
          },
          {});
    }
    const std::string none = "the centre of k-space holds no signal";
    QCOMPARE(ends, (std::vector<std::string>{"maps", "maps", none, none}));
  }

  void onlyWholeGroupsAreDivided() {
    QVERIFY(dividesCentre({nullptr, {{0, 1, 2, 3}, {4, 5, 6, 7}}}));
    QVERIFY(!dividesCentre({nullptr, {{0, 1, 2}, {3, 4, 5}}}));
    QVERIFY(!dividesCentre({nullptr, {{0, 1, 2, 3}, {}}}));
  }

  // Wherever among the ranks' parts it is.
  void theLargestSampleSetsTheScaleOfAll() {
    const auto given = scanOf({1, 1, 3});
    for (const double where : {0.02, 0.5, 0.98}) {
      Scan scan = *given;
      for (cfloat& v : scan.samples[0]) v *= 1e-20F;
      const auto place = std::size_t(where * double(scan.samples[0].size()));
      scan.samples[0][place] = cfloat(0, 3e-12F);
      const int wanted = sampleExponent(scan, {0}, {});
      QVERIFY(wanted > 24);
      std::vector<int> found(3);
      runOnThreadRanks({"a", "b", "c"},
                       [&](Ranks& r, const Progress& progress) {
                         found[std::size_t(r.rank())] = sampleExponent(scan, {0}, progress, &r);
                       },
                       {});
      QCOMPARE(found, std::vector<int>(3, wanted));
    }
  }

  // And takes them from there: of copies that are three times as large the image is.
  void eachRankSendsItsOwnCoils() {
    const auto scan = scanOf({1, 1, 8});
    ReconOptions options = senseOptions();
    options.prewhitening = Prewhitening::off;
    const auto alone = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
    std::vector<std::shared_ptr<CountingMixer>> mixers(2);
    std::shared_ptr<const Image> image;
    const RankReader reader{[&](const std::string&, const std::string&, const Progress&) { return scan; },
                            false};
    runOnThreadRanks({"a", "b"},
                     [&](Ranks& r, const Progress& progress) {
                       SendingBackend backend;
                       mixers[std::size_t(r.rank())] = backend.mixer;
                       const auto done = reconstructOnRanks(r, backend, reader, options, nullptr, progress);
                       if (r.isFirst()) image = done.result.image;
                     },
                     {});
    for (int r = 0; r < 2; ++r) {
      std::vector<const cfloat*> wanted;
      for (int c = 4 * r; c < 4 * r + 4; ++c) wanted.push_back(scan->data(0, 0, c));
      QVERIFY(mixers[std::size_t(r)]->sent == wanted);
      QVERIFY(mixers[std::size_t(r)]->forgotten == std::vector{wanted.front()});
    }
    double apart = 0, whole = 0;
    for (std::size_t i = 0; i < image->data.size(); ++i) {
      apart += std::norm(image->data[i] - 3.0F * alone.image->data[i]);
      whole += std::norm(3.0F * alone.image->data[i]);
    }
    QVERIFY2(apart < 1e-10 * whole, QByteArray::number(std::sqrt(apart / whole)));
  }
};

SPOKELAB_TEST(TestCoilDivision)

}  // namespace test_coil_division

#include "test_coil_division.moc"
