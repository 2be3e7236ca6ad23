// What the samples look like: pictures that hide no spike, energies, shots, and the covariance of
// noise that is known.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/recon/explore/readout_spectrum.h"
#include "engine/scan/look/raw_picture.h"
#include "engine/scan/look/raw_summary.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/test_main.h"

namespace test_raw_look {

using namespace spokelab;

namespace {

constexpr int coils = 3, slices = 2, frames = 2;

// Shots of 4, 6 and 5 samples; y = frame 1000 + slice 100 + coil 10 + shot + i sample.
Scan numbered() {
  Scan scan;
  scan.coils = coils;
  scan.slices = slices;
  scan.frames = frames;
  Trajectory t;
  t.shotOffsets = {0, 4, 10, 15};
  t.points.assign(30, 0.0);
  scan.trajectories = {t};
  scan.samples.resize(frames);
  for (int f = 0; f < frames; ++f) {
    scan.samples[std::size_t(f)].resize(std::size_t(slices * coils * 15));
    for (int slice = 0; slice < slices; ++slice)
      for (int c = 0; c < coils; ++c)
        for (std::size_t shot = 0; shot < 3; ++shot)
          for (std::int64_t i = t.shotOffsets[shot]; i < t.shotOffsets[shot + 1]; ++i)
            scan.data(f, slice, c)[i] =
                cfloat(float(f * 1000 + slice * 100 + c * 10 + int(shot)), float(i - t.shotOffsets[shot]));
  }
  return scan;
}

}  // namespace

class TestRawLook : public QObject {
  Q_OBJECT

 private slots:
  void eachPairOfAxesShowsItsSamples() {
    const Scan scan = numbered();
    const RawPlace place{1, 1, 2, 3, 2};  // frame, slice, shot, sample, coil
    const RawPicture bySample = rawPicture(scan, RawAxis::sample, RawAxis::shot, place, 100, 100, {});
    QCOMPARE(bySample.width, 6);
    QCOMPARE(bySample.height, 3);
    for (int shot = 0; shot < 3; ++shot)
      for (int i = 0; i < 6; ++i) {
        const bool there = i < (shot == 0 ? 4 : shot == 1 ? 6 : 5);
        if (there)
          QCOMPARE(bySample.at(i, shot), cfloat(float(1120 + shot), float(i)));
        else
          QVERIFY(std::isnan(bySample.at(i, shot).real()));
      }
    const RawPicture byCoil = rawPicture(scan, RawAxis::sample, RawAxis::coil, place, 100, 100, {});
    QCOMPARE(byCoil.height, coils);
    QCOMPARE(byCoil.at(4, 1), cfloat(1112, 4));
    const RawPicture coilOfShot = rawPicture(scan, RawAxis::shot, RawAxis::coil, place, 100, 100, {});
    QCOMPARE(coilOfShot.width, 3);
    QCOMPARE(coilOfShot.at(1, 2), cfloat(1121, 3));
  }

  void aSmallPictureHidesNoSpike() {
    Scan scan = numbered();
    const cfloat spike(0, -9e4F);
    scan.data(0, 0, 1)[11] = spike;  // shot 2, sample 1
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 2}, {4, 1}, {6, 2}}) {
      const RawPicture small =
          rawPicture(scan, RawAxis::sample, RawAxis::shot, {0, 0, 0, 0, 1}, width, height, {});
      QCOMPARE(small.width, width);
      QCOMPARE(std::count(small.values.begin(), small.values.end(), spike), 1);
    }
  }

  void aPlaceOutsideIsMovedInside() {
    const Scan scan = numbered();
    const RawPlace inside = insideScan(scan, {9, -1, 99, 99, 99});
    QCOMPARE(inside, (RawPlace{1, 0, 2, 5, 2}));
    QCOMPARE(readoutAt(scan, {0, 0, 77, 0, 0}).size(), std::size_t(5));
  }

  void energiesAndMaximaAreTheSamples() {
    const Scan scan = numbered();
    const RawSummary summary = rawSummary(scan, {});
    for (int c = 0; c < coils; ++c) {
      double energy = 0, largest = 0;
      for (int f = 0; f < frames; ++f)
        for (int slice = 0; slice < slices; ++slice)
          for (int i = 0; i < 15; ++i) {
            const cdouble y = scan.data(f, slice, c)[i];
            energy += std::norm(y) / (15 * frames * slices);
            largest = std::max(largest, std::abs(y));
          }
      QVERIFY(std::abs(summary.energy[std::size_t(c)] / energy - 1) < 1e-6);
      QVERIFY(std::abs(summary.largest[std::size_t(c)] / largest - 1) < 1e-6);
    }
    QCOMPARE(summary.shotMaxima.size(), std::size_t(3));
    QVERIFY(std::abs(summary.shotMaxima[1] - std::hypot(121.0F, 5.0F)) < 1e-4F);
    const ShotRange shots = shotRange({3, 0, 7, 5, 0});
    QCOMPARE(shots.weakest, 1);
    QCOMPARE(shots.strongest, 2);
    QCOMPARE(shots.empty, 2);
    QCOMPARE(shots.median, 3.0);
    const std::vector<float> magnitude = coilMagnitude(scan, 0, 0, {});
    QVERIFY(std::abs(magnitude[2] - std::sqrt(0.0F + 100 + 400 + 3 * 4)) < 1e-4F);
  }

  // n = A g of white g: Psi = A A^H.
  void theCovarianceOfKnownNoiseIsFound() {
    constexpr std::size_t samples = 20000;
    const cdouble mixing[2][2] = {{2.0, 0.0}, {cdouble(0, 1), 0.5}};
    Scan scan = numbered();
    scan.coils = 2;
    scan.samples.assign(frames, Buffer<cfloat>(std::size_t(slices * 2 * 15), cfloat(1, 0)));
    scan.noise.resize(2 * samples);
    for (std::size_t j = 0; j < samples; ++j) {
      const cdouble a = complexNormal(11, 2 * j), b = complexNormal(11, 2 * j + 1);
      for (std::size_t c = 0; c < 2; ++c)
        scan.noise[c * samples + j] = cfloat((mixing[c][0] * a + mixing[c][1] * b) / std::numbers::sqrt2);
    }
    const RawSummary summary = rawSummary(scan, {});
    QCOMPARE(summary.noiseSamples, std::int64_t(samples));
    const cdouble known[] = {4.0, cdouble(0, -2), cdouble(0, 2), 1.25};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(summary.noise[i] - known[i]) < 0.1);
    QVERIFY(std::abs(summary.noiseOf(0) - 2) < 0.05);
    QVERIFY(std::abs(summary.correlation(0, 1) - 2 / std::sqrt(5.0)) < 0.02);
  }

  void aToneIsFoundAtItsFrequency() {
    for (const std::size_t n : {64, 75}) {
      constexpr double dwell = 5e-6;
      constexpr int turns = -9;  // over the readout
      std::vector<cfloat> readout(n);
      std::vector<double> times(n);
      for (std::size_t i = 0; i < n; ++i) {
        readout[i] = cfloat(std::polar(3.0, 2 * std::numbers::pi * turns * double(i) / double(n) + 0.4));
        times[i] = 1e-3 + dwell * double(i);
      }
      const ReadoutSpectrum spectrum = readoutSpectrum(readout, times);
      QVERIFY(spectrum.inHertz);
      for (std::size_t m = 0; m < n; ++m) {
        const bool isTone = int(m) - int(n / 2) == turns;
        QVERIFY(std::abs(spectrum.values[m] - (isTone ? std::polar(3.0, 0.4) : 0.0)) < 1e-5);
        if (isTone) QVERIFY(std::abs(spectrum.frequencies[m] - turns / (dwell * double(n))) < 1e-6 / dwell);
      }
      times[3] += 0.3 * dwell;  // uneven: cycles of the readout
      const ReadoutSpectrum cycles = readoutSpectrum(readout, times);
      QVERIFY(!cycles.inHertz);
      QCOMPARE(cycles.frequencies.front(), -double(n / 2));
    }
    QVERIFY(readoutSpectrum({}, {}).values.empty());
  }
};

SPOKELAB_TEST(TestRawLook)

}  // namespace test_raw_look

#include "test_raw_look.moc"
