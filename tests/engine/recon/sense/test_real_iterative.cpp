// Iterative reconstruction on real scans and real geometry (SPOKELAB_DATA).
#include <QtTest>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>

#include "engine/recon/density/density.h"
#include "engine/recon/density/pipe_menon.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/read/read_scan.h"
#include "tests/test_main.h"

namespace test_real_iterative {

using namespace spokelab;

namespace {

namespace fs = std::filesystem;

fs::path dataFolder() {
  const char* folder = std::getenv("SPOKELAB_DATA");
  return folder ? fs::path(folder) : fs::path();
}

std::vector<double> column(const fs::path& file) {
  const Image image = readImage(file, {});
  std::vector<double> values;
  for (const cfloat& v : image.data) values.push_back(double(v.real()));
  return values;
}

// The inner half of an n x n image's k-space, axis by axis.
Image lowPass(Image image, std::int64_t n) {
  std::vector<cfloat> line(static_cast<std::size_t>(n));
  for (const std::int64_t stride : {std::int64_t(1), n})
    for (std::int64_t l = 0; l < n; ++l) {
      cfloat* const at = image.data.data() + l * (stride == 1 ? n : 1);
      std::fill(line.begin(), line.end(), cfloat(0));
      for (std::int64_t k = -n / 4; k < n / 4; ++k) {
        cdouble value = 0;
        for (std::int64_t x = 0; x < n; ++x)
          value += cdouble(at[x * stride]) *
                   std::polar(1.0, -2 * std::numbers::pi * double(k * x % n) / double(n));
        for (std::int64_t x = 0; x < n; ++x)
          line[std::size_t(x)] += cfloat(
              value * std::polar(1.0 / double(n), 2 * std::numbers::pi * double(k * x % n) / double(n)));
      }
      for (std::int64_t x = 0; x < n; ++x) at[x * stride] = line[std::size_t(x)];
    }
  return image;
}

// NRMSE over a mask, with the least-squares scale.
double nrmse(const std::vector<cfloat>& a, const std::vector<cfloat>& b, const std::vector<char>& mask) {
  cdouble product = 0;
  double square = 0, norm = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (mask[i]) {
      product += std::conj(cdouble(a[i])) * cdouble(b[i]);
      square += std::norm(a[i]);
    }
  const cdouble scale = product / square;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (mask[i]) {
      difference += std::norm(cdouble(a[i]) * scale - cdouble(b[i]));
      norm += std::norm(b[i]);
    }
  return std::sqrt(difference / norm);
}

}  // namespace

class TestRealIterative : public QObject {
  Q_OBJECT

 private slots:
  // cardiac_radial_12ch, 25 spokes. Region: pixels farther than 0.44 of the field of view from the
  // image's middle, outside the chest; measure: root mean square there over that within 0.2 of the
  // heart's surroundings.
  void streaksOutsideTheChestAreHalvedBySense() {
    const fs::path file = dataFolder() / "cardiac_radial_12ch" / "cardiac_radial_12ch.h5";
    if (!fs::exists(file)) QSKIP("cardiac_radial_12ch is not there (SPOKELAB_DATA)");
    const auto scan = readScan(file, {}, {});
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 4;
    const auto cpu = makeCpuBackend();
    const auto gridded = runJob(*cpu, *scan, options, nullptr, nullptr, {});
    options.iterative.method = ReconMethod::sense;
    options.iterative.coilMaps = "walsh";  // maps everywhere: no mask does the work
    options.iterative.solver = {12, 1e-3, 0, Regularization::tikhonov};
    const auto sense = runJob(*cpu, *scan, options, nullptr, nullptr, {});
    const auto streaks = [](const Image& image) {
      double outside = 0, inside = 0, farCount = 0, nearCount = 0;
      for (std::int64_t i = 0; i < image.volume(); ++i) {
        const double x = double(i % 256) / 256 - 0.5, y = double(i / 256) / 256 - 0.5, r = std::hypot(x, y);
        if (r > 0.44) outside += std::norm(image.data[std::size_t(i)]), ++farCount;
        if (r < 0.2) inside += std::norm(image.data[std::size_t(i)]), ++nearCount;
      }
      return std::sqrt(outside / farCount / (inside / nearCount));
    };
    const double before = streaks(*gridded.image), after = streaks(*sense.image);
    qInfo() << "streaks of gridding" << before << "of CG-SENSE" << after;
    QVERIFY2(after < 0.5 * before, qPrintable(QString("%1 %2").arg(after).arg(before)));
  }

  // Trajectory, times and field map of powergrid_invivo's 2-D spiral; its image at half the matrix
  // (to be quick), eight modelled coils, 1 % noise, data by exact sums at twice that matrix from
  // the image interpolated there.
  void fieldCorrectionOnRealGeometry() {
    const fs::path folder = dataFolder() / "powergrid_invivo" / "192_192_1_32coils";
    if (!fs::exists(folder / "kx.npy")) QSKIP("powergrid_invivo is not there (SPOKELAB_DATA)");
    constexpr int n = 96, coils = 8;
    constexpr std::int64_t pixels = n * n;
    const auto kx = column(folder / "kx.npy"), ky = column(folder / "ky.npy"), t = column(folder / "t.npy"),
               map = column(folder / "FM.npy");
    const Image picture = lowPass(readImage(folder / "test_pwls.npy", {}), 2 * n);
    SenseProblem p;
    p.dims = 2;
    p.matrix = {n, n, 1};
    for (std::size_t j = 0; j < kx.size(); ++j)
      if (std::abs(kx[j]) < n / 2 && std::abs(ky[j]) < n / 2) {
        p.points.own().insert(p.points.own().end(), {kx[j], ky[j]});
        p.times.push_back(t[j]);
      }
    const auto samples = std::int64_t(p.times.size());
    p.shotOffsets = {0, samples};
    // truth on 192 pixels (twice the matrix), the field there; the model's maps on every second
    // pixel
    GdftProblem fine;
    fine.dims = 2;
    fine.matrix = {2 * n, 2 * n, 1};
    fine.points.assign(p.points.begin(), p.points.end());
    fine.times = p.times;
    fine.field = map;
    std::vector<cfloat> truth(std::size_t{pixels});
    p.field.resize(std::size_t{pixels});
    p.maps.resize(std::size_t(coils * pixels));
    const auto coil = [](int c, double x, double y) {
      const double a = 2 * std::numbers::pi * c / coils;
      return std::polar(
          std::exp(-6 * (std::pow(x - 0.6 * std::cos(a), 2) + std::pow(y - 0.6 * std::sin(a), 2))),
          2 * x * std::cos(a) + y);
    };
    double peak = 0;
    for (std::int64_t i = 0; i < pixels; ++i) {
      const std::int64_t x = i % n, y = i / n, at = 2 * y * 2 * n + 2 * x;
      truth[std::size_t(i)] = picture.data[std::size_t(at)];
      peak = std::max(peak, double(std::abs(truth[std::size_t(i)])));
      p.field[std::size_t(i)] = map[std::size_t(at)];
      for (int c = 0; c < coils; ++c)
        p.maps[std::size_t(c * pixels + i)] = cfloat(coil(c, double(x) / n - 0.5, double(y) / n - 0.5));
    }
    std::vector<char> mask(truth.size());
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = std::abs(truth[i]) > 0.1 * peak;
    const auto exact = makeCpuGdft<float>(fine);
    std::vector<std::vector<cfloat>> data(coils, std::vector<cfloat>(std::size_t(samples)));
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (int c = 0; c < coils; ++c) {
      std::vector<cfloat> image(std::size_t(4 * pixels));
      for (std::int64_t i = 0; i < 4 * pixels; ++i)
        image[std::size_t(i)] =
            picture.data[std::size_t(i)] *
            cfloat(coil(c, double(i % (2 * n)) / (2 * n) - 0.5, double(i / (2 * n)) / (2 * n) - 0.5));
      exact->forward(image.data(), data[std::size_t(c)].data(), 1);
      double square = 0;
      for (const cfloat& v : data[std::size_t(c)]) square += std::norm(v);
      const auto sigma = float(0.01 * std::sqrt(square / double(samples) / 2));
      for (cfloat& v : data[std::size_t(c)]) v += cfloat(sigma * normal(random), sigma * normal(random));
      p.coils.push_back(data[std::size_t(c)].data());
    }
    p.nufft.alpha = 2;
    const auto cpu = makeCpuBackend();
    Trajectory trajectory;
    trajectory.points.assign(p.points.begin(), p.points.end());
    trajectory.shotOffsets = p.shotOffsets;
    p.weights = pipeMenonWeights(trajectory, p.matrix, 20, p.nufft, {}, *cpu, {});
    const auto solve = [&](TransformKind kind) {
      p.transform = kind;
      return cpu->solveSense(p, {12, 1e-4, 0, Regularization::tikhonov}, {}, {}).image;
    };
    const auto corrected = solve(TransformKind::gdft), segmented = solve(TransformKind::segmented),
               plain = solve(TransformKind::nufft);
    const double withField = nrmse(corrected, truth, mask), without = nrmse(plain, truth, mask);
    qInfo() << "NRMSE with field" << withField << "without" << without;
    QVERIFY(without >= 3 * withField);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < corrected.size(); ++i) {
      difference += std::norm(segmented[i] - corrected[i]);
      norm += std::norm(corrected[i]);
    }
    QVERIFY2(std::sqrt(difference / norm) <= 0.01, QByteArray::number(std::sqrt(difference / norm)));
  }

  // The four shots of powergrid_invivo's diffusion slab, one plane: real spirals, field and shot
  // phases; four modelled coils, 1 % noise, data by exact sums.
  void phaseMapsJoinTheShotsOfADiffusionScan() {
    const fs::path folder = dataFolder() / "powergrid_invivo" / "DWITestData";
    if (!fs::exists(folder / "kx.npy")) QSKIP("powergrid_invivo is not there (SPOKELAB_DATA)");
    constexpr int n = 120, coils = 4, shots = 4, planes = 4, plane = 2;
    constexpr std::int64_t pixels = n * n;
    const auto kx = column(folder / "kx.npy"), ky = column(folder / "ky.npy"),
               map = column(folder / "FM.npy"), phases = column(folder / "PMap.npy");
    const Image picture = readImage(folder / "test_pwls.npy", {});
    SenseProblem p;
    p.matrix = {n, n, 1};
    p.times = column(folder / "t.npy");
    const auto samples = std::int64_t(kx.size());
    for (std::size_t j = 0; j < kx.size(); ++j) p.points.own().insert(p.points.own().end(), {kx[j], ky[j]});
    for (int s = 0; s <= shots; ++s) p.shotOffsets.push_back(s * samples / shots);
    p.field.assign(map.begin() + plane * pixels, map.begin() + (plane + 1) * pixels);
    for (int s = 0; s < shots; ++s) {
      const auto begin = phases.begin() + (s * planes + plane) * pixels;
      p.phases.emplace_back(begin, begin + pixels);
    }
    std::vector<cfloat> truth(picture.data.begin() + plane * pixels,
                              picture.data.begin() + (plane + 1) * pixels);
    double peak = 0;
    for (const cfloat& v : truth) peak = std::max(peak, double(std::abs(v)));
    std::vector<char> mask;
    for (cfloat& v : truth) {
      v /= float(peak);
      mask.push_back(std::abs(v) > 0.1F);
    }
    p.maps.resize(std::size_t(coils * pixels));
    for (int c = 0; c < coils; ++c)
      for (std::int64_t i = 0; i < pixels; ++i) {
        const double a = 2 * std::numbers::pi * c / coils, x = double(i % n) / n - 0.5,
                     y = double(i / n) / n - 0.5;
        p.maps[std::size_t(c * pixels + i)] = cfloat(std::polar(
            std::exp(-6 * (std::pow(x - 0.6 * std::cos(a), 2) + std::pow(y - 0.6 * std::sin(a), 2))),
            2 * x * std::cos(a) + y));
      }
    std::vector<std::vector<cfloat>> data(coils, std::vector<cfloat>(kx.size()));
    std::mt19937 random(2);
    std::normal_distribution<float> normal;
    for (int s = 0; s < shots; ++s) {
      const std::int64_t begin = p.shotOffsets[std::size_t(s)], end = p.shotOffsets[std::size_t(s + 1)];
      GdftProblem shot;
      shot.matrix = p.matrix;
      shot.points.assign(p.points.begin() + 2 * begin, p.points.begin() + 2 * end);
      shot.times.assign(p.times.begin() + begin, p.times.begin() + end);
      shot.field = p.field;
      const auto exact = makeCpuGdft<float>(shot);
      for (std::size_t c = 0; c < coils; ++c) {
        std::vector<cfloat> image(truth);
        for (std::size_t i = 0; i < image.size(); ++i)
          image[i] *=
              p.maps[c * std::size_t(pixels) + i] * cfloat(std::polar(1.0, p.phases[std::size_t(s)][i]));
        exact->forward(image.data(), data[c].data() + begin, 1);
      }
    }
    for (auto& coil : data) {
      double square = 0;
      for (const cfloat& v : coil) square += std::norm(v);
      const auto sigma = float(0.01 * std::sqrt(square / double(samples) / 2));
      for (cfloat& v : coil) v += cfloat(sigma * normal(random), sigma * normal(random));
      p.coils.push_back(coil.data());
    }
    p.nufft.alpha = 2;
    const auto cpu = makeCpuBackend();
    Trajectory trajectory;
    trajectory.points.assign(p.points.begin(), p.points.end());
    trajectory.shotOffsets = p.shotOffsets;
    p.weights = pipeMenonWeights(trajectory, p.matrix, 15, p.nufft, {}, *cpu, {});
    p.transform = TransformKind::segmented;
    const IterationOptions options{15, 1e-4, 0, Regularization::tikhonov};
    const double joined = nrmse(cpu->solveSense(p, options, {}, {}).image, truth, mask);
    p.phases.clear();
    const double apart = nrmse(cpu->solveSense(p, options, {}, {}).image, truth, mask);
    qInfo() << "NRMSE pcSENSE" << joined << "SENSE" << apart;
    QVERIFY(joined < 0.2);
    QVERIFY(apart > 3 * joined);
  }
};

SPOKELAB_TEST(TestRealIterative)

}  // namespace test_real_iterative

#include "test_real_iterative.moc"
