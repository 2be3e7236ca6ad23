// A denoiser of the caller's in the C interface: it takes the place of a file, and its failures end
// the call.
#include <QtTest>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "tests/app/api/c_handles.h"
#include "tests/test_main.h"

namespace test_c_denoiser {

using namespace spokelab::test;

namespace {

struct Calls {
  int count = 0;
  std::vector<std::int64_t> shape;
  bool fails = false;
};

// The proximal map of the sum of magnitudes, as app/api/examples/denoiser.c has it.
int shrink(float* images, const int64_t shape[4], int dims, double strength, double* value, char* text,
           size_t textSize, void* user) {
  auto& calls = *static_cast<Calls*>(user);
  ++calls.count;
  calls.shape.assign(shape, shape + 4);
  if (calls.fails || dims != 2) {
    std::snprintf(text, textSize, "there is too much noise");
    return 1;
  }
  *value = 0;
  for (std::int64_t i = 0; i < shape[0] * shape[1] * shape[2] * shape[3]; ++i) {
    const double length = std::hypot(images[2 * i], images[2 * i + 1]);
    const double left = std::max(0.0, length - strength);
    for (int part = 0; part < 2; ++part) images[2 * i + part] *= length > 0 ? float(left / length) : 0;
    *value += left;
  }
  return 0;
}

struct Image {
  spokelab_image* handle = nullptr;
  ~Image() { spokelab_image_destroy(handle); }
  std::vector<std::complex<float>> values() const {
    const auto* first = reinterpret_cast<const std::complex<float>*>(spokelab_image_values(handle));
    return {first, first + 24 * 24};
  }
};

}  // namespace

class TestCDenoiser : public QObject {
  Q_OBJECT
  Context context_;
  spokelab_scan* scan_ = nullptr;

  static Options pnp() {
    return {{"method", "pnp"}, {"lambda", "0.05"}, {"iterations", "15"}, {"effort", "estimate"}};
  }
  spokelab_status reconstruct(const Options& options, Image& image) {
    return spokelab_reconstruct(context_.handle, scan_, options.handle, nullptr, nullptr, &image.handle);
  }

 private slots:
  void initTestCase() {
    const char* options[] = {"pattern=golden-radial", "matrix=24x24", "coils=3", "shots=40"};
    QCOMPARE(spokelab_scan_simulate(options, 4, nullptr, nullptr, &scan_, nullptr), SPOKELAB_OK);
  }
  void cleanupTestCase() { spokelab_scan_destroy(scan_); }

  void aFunctionGivesTheImageOfTheFileWithTheSameMap() {
    const Options own = pnp(), file = pnp();
    Calls calls;
    QCOMPARE(spokelab_options_set_denoiser(own.handle, shrink, &calls), SPOKELAB_OK);
    const std::string few = std::string(SPOKELAB_BINARY_DIR) + "/tests/plugins/few-pixels/few-pixels.so";
    QCOMPARE(spokelab_options_set(file.handle, "denoiser", few.c_str()), SPOKELAB_OK);
    Image mine, theirs;
    QVERIFY2(reconstruct(own, mine) == SPOKELAB_OK, qPrintable(errorText()));
    QVERIFY2(reconstruct(file, theirs) == SPOKELAB_OK, qPrintable(errorText()));
    QVERIFY(calls.count >= 15);
    QCOMPARE(calls.shape, (std::vector<std::int64_t>{1, 1, 24, 24}));
    double apart = 0, whole = 0;
    const auto a = mine.values(), b = theirs.values();
    for (std::size_t i = 0; i < a.size(); ++i) {
      apart += std::norm(a[i] - b[i]);
      whole += std::norm(b[i]);
    }
    QVERIFY(whole > 0);
    QVERIFY2(std::sqrt(apart / whole) < 1e-4, qPrintable(QString::number(std::sqrt(apart / whole))));
  }

  void itsFailureEndsTheCallWithItsWords() {
    const Options options = pnp();
    Calls calls;
    calls.fails = true;
    QCOMPARE(spokelab_options_set_denoiser(options.handle, shrink, &calls), SPOKELAB_OK);
    Image image;
    QCOMPARE(reconstruct(options, image), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains("there is too much noise"), qPrintable(errorText()));
    QCOMPARE(spokelab_options_set_denoiser(options.handle, nullptr, nullptr),
             SPOKELAB_OK);  // none of the caller's
    QCOMPARE(reconstruct(options, image), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains("none is given"), qPrintable(errorText()));
    QCOMPARE(spokelab_options_set_denoiser(nullptr, shrink, &calls), SPOKELAB_BAD_ARGUMENT);
  }

  void aCancelEndsTheCall() {
    const Options options = pnp();
    Calls calls;
    QCOMPARE(spokelab_options_set_denoiser(options.handle, shrink, &calls), SPOKELAB_OK);
    const auto stop = [](double, const char*, void* user) {
      return static_cast<Calls*>(user)->count >= 3 ? 1 : 0;
    };
    Image image;
    QCOMPARE(spokelab_reconstruct(context_.handle, scan_, options.handle, stop, &calls, &image.handle),
             SPOKELAB_CANCELLED);
    QVERIFY(calls.count < 15);
  }
};

SPOKELAB_TEST(TestCDenoiser)

}  // namespace test_c_denoiser

#include "test_c_denoiser.moc"
