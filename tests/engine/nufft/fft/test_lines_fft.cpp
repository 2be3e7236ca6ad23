// Transforms of lines and boxes beside the exact sums, by the library that this build has.
#include <QtTest>

#include <atomic>
#include <complex>
#include <numbers>
#include <random>
#include <thread>
#include <vector>

#include "engine/nufft/fft/lines_fft.h"
#include "tests/test_main.h"

namespace test_lines_fft {

using namespace spokelab;

namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, float> ? 2e-6 : 5e-15;

template <class Real>
Buffer<std::complex<Real>> randomNumbers(std::size_t count, unsigned seed) {
  std::minstd_rand random(seed);
  std::normal_distribution<double> normal;
  Buffer<std::complex<Real>> values(count);
  for (auto& value : values) value = {Real(normal(random)), Real(normal(random))};
  return values;
}

// Every `stride`-th number of `from`, `length` of them, transformed.
template <class Real>
std::vector<std::complex<double>> exactSums(const std::complex<Real>* from, int length, int sign,
                                            std::size_t stride = 1) {
  std::vector<std::complex<double>> roots, sums(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) roots.push_back(std::polar(1.0, sign * 2 * std::numbers::pi * i / length));
  for (std::int64_t k = 0; k < length; ++k)
    for (std::int64_t n = 0; n < length; ++n)
      sums[std::size_t(k)] +=
          std::complex<double>(from[std::size_t(n) * stride]) * roots[std::size_t(k * n % length)];
  return sums;
}

template <class Real>
double distanceOf(const std::complex<Real>* found, const std::vector<std::complex<double>>& expected) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::norm(std::complex<double>(found[i]) - expected[i]);
    norm += std::norm(expected[i]);
  }
  return std::sqrt(difference / norm);
}

template <class Real>
void checkLines(int length, int lines, int sign, bool inPlace, int threads = 1) {
  const int distance = length + 3;
  const auto input = randomNumbers<Real>(std::size_t(lines * distance), unsigned(length + lines));
  auto from = input, other = Buffer<std::complex<Real>>(input.size(), std::complex<Real>(7));
  auto& to = inPlace ? from : other;
  LinesFft<Real>(length, lines, distance, sign, threads, inPlace ? FftTarget::inPlace : FftTarget::otherArray)
      .execute(from.data(), to.data());
  for (int line = 0; line < lines; ++line) {
    const auto at = std::size_t(line * distance);
    const double error = distanceOf(to.data() + at, exactSums(input.data() + at, length, sign));
    QVERIFY2(error < tolerance<Real>,
             qPrintable(QString("length %1, line %2 of %3: %4").arg(length).arg(line).arg(lines).arg(error)));
  }
  if (!inPlace) QVERIFY(from == input);
  // What lies between the lines is left alone.
  for (int line = 0; line < lines; ++line)
    for (int gap = length; gap < distance; ++gap) {
      const auto at = std::size_t(line * distance + gap);
      QCOMPARE(to[at], inPlace ? input[at] : std::complex<Real>(7));
    }
}

}  // namespace

class TestLinesFft : public QObject {
  Q_OBJECT

 private slots:
  // Grids' lengths, odd ones, and primes; numbers of lines that vectors do and do not divide.
  void linesAreTheExactSums() {
    for (const int length : {1, 2, 3, 5, 8, 13, 36, 54, 97, 108, 127, 250, 270, 512})
      for (const int lines : {1, 3, 16, 21})
        for (const bool inPlace : {true, false}) {
          checkLines<float>(length, lines, lines == 3 ? 1 : -1, inPlace);
          checkLines<double>(length, lines, lines == 3 ? 1 : -1, inPlace);
          if (QTest::currentTestFailed()) return;
        }
  }

  void longLinesAreSharedOut() {
    for (const int threads : {1, 2, 5}) {
      checkLines<float>(1 << 11, 1, -1, true, threads);
      checkLines<double>(2250, 1, 1, false, threads);
      if (QTest::currentTestFailed()) return;
    }
    // Exact sums would take long: the transform back gives the line again.
    constexpr int length = 1 << 18;
    const auto input = randomNumbers<double>(length, 5);
    auto line = input;
    LinesFft<double>(length, 1, length, -1, 3).execute(line.data());
    LinesFft<double>(length, 1, length, 1, 3).execute(line.data());
    std::vector<std::complex<double>> expected(input.begin(), input.end());
    for (auto& value : expected) value *= length;
    QVERIFY(distanceOf(line.data(), expected) < 1e-14);
  }

  // One plan, several threads at once: the bits of one thread.
  void plansAreSharedByThreads() {
    constexpr int length = 180, lines = 16, distance = 184;
    const auto input = randomNumbers<float>(lines * distance, 3);
    const LinesFft<float> plan(length, lines, distance, -1, 1, FftTarget::otherArray);
    auto from = input;
    Buffer<std::complex<float>> expected(input.size(), std::complex<float>(0));
    plan.execute(from.data(), expected.data());
    std::atomic<int> wrong = 0;
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        auto own = input;
        for (int turn = 0; turn < 50; ++turn) {
          Buffer<std::complex<float>> found(input.size(), std::complex<float>(0));
          plan.execute(own.data(), found.data());
          wrong += found != expected;
        }
      });
    threads.clear();
    QCOMPARE(wrong.load(), 0);
  }

  void boxesAreTheExactSums() {
    for (const Index3 size : {Index3{9, 1, 1}, Index3{7, 10, 1}, Index3{18, 5, 6}, Index3{4, 33, 3}})
      for (const int threads : {1, 3}) {
        auto box = randomNumbers<double>(std::size_t(product(size)), 9);
        auto expected = box;
        BoxFft<double>(size, -1, threads).execute(box.data());
        std::size_t stride = 1;
        for (std::size_t d = 0; d < 3; ++d) {
          const auto length = std::size_t(size[d]);
          for (std::size_t first = 0; first < expected.size(); ++first) {
            if (first / stride % length != 0) continue;
            const auto line = exactSums(expected.data() + first, int(length), -1, stride);
            for (std::size_t i = 0; i < length; ++i) expected[first + i * stride] = line[i];
          }
          stride *= length;
        }
        QVERIFY(distanceOf(box.data(), {expected.begin(), expected.end()}) < 5e-15);
      }
  }

  void theLibraryIsNamed() {
    const QString version = QString::fromStdString(fftVersion());
    QVERIFY2(version.contains("fftw", Qt::CaseInsensitive) == fftMeasuresPlans(), qPrintable(version));
    QVERIFY2(version.startsWith("DUCC ") != fftMeasuresPlans(), qPrintable(version));
  }
};

SPOKELAB_TEST(TestLinesFft)

}  // namespace test_lines_fft

#include "test_lines_fft.moc"
