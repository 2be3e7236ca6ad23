// Images on disk: right place in the patient, right numbers, whole or not at all.
#include <QtTest>

#include <nifti1_io.h>
#include <png.h>
#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <numbers>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/formats/images/nifti_affine.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/test_main.h"

namespace test_image_files {

using namespace spokelab;

namespace {

Image testImage(Index3 size, int frames) {
  Image image;
  image.frames = frames;
  image.size = size;
  image.data.resize(std::size_t(product(size) * frames));
  for (std::size_t i = 0; i < image.data.size(); ++i)
    image.data[i] = cfloat(float(i), -2.0f * float(i % 7)) + cfloat(0.25f, 1);
  image.geometry.matrix = size;
  image.geometry.fov = {double(size[0]) * 2, double(size[1]) * 1.5, double(size[2]) * 3};
  return image;
}

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;
  int level(int x, int y, int channel = 0) const { return rgb[std::size_t((y * width + x) * 3 + channel)]; }
};

Picture readPng(const std::filesystem::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  Picture p;
  if (!png_image_begin_read_from_file(&png, file.c_str())) return p;
  png.format = PNG_FORMAT_RGB;
  p.width = int(png.width);
  p.height = int(png.height);
  p.rgb.resize(PNG_IMAGE_SIZE(png));
  png_image_finish_read(&png, nullptr, p.rgb.data(), 0, nullptr);
  return p;
}

Vec3 apply(const std::array<std::array<double, 4>, 3>& a, double i, double j, double k) {
  Vec3 out{};
  for (std::size_t r = 0; r < 3; ++r) out[r] = a[r][0] * i + a[r][1] * j + a[r][2] * k + a[r][3];
  return out;
}

void compare(const Vec3& is, const Vec3& expected, double tolerance) {
  for (std::size_t d = 0; d < 3; ++d)
    QVERIFY2(std::abs(is[d] - expected[d]) < tolerance,
             qPrintable(QString("axis %1: %2, expected %3").arg(d).arg(is[d]).arg(expected[d])));
}

std::string reasonOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.reason();
  }
  return "";
}

}  // namespace

class TestImageFiles : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::filesystem::path path(const char* name) const { return folder_.filePath(name).toStdString(); }
  QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden); }

 private slots:
  void init() {
    for (const QString& f : files()) QFile::remove(folder_.filePath(f));
  }

  // A volume of 4 x 6 x 5 voxels of 2 x 3 x 4 mm, tilted by 30 degrees about x, centre at (10, -20,
  // 30), LPS: read = +x, phase = (0, cos 30, sin 30), slice = (0, -sin 30, cos 30). Corner (0, 0,
  // 0) by hand:
  //   x = 10 - 2*2 = 6
  //   y = -20 - 3*3*cos 30 + 2*4*sin 30 = -20 - 7.794229 + 4 = -23.794229
  //   z = 30 - 3*3*sin 30 - 2*4*cos 30 = 30 - 4.5 - 6.928203 = 18.571797
  // RAS turns the signs of x and y. The far corner (3, 5, 4) lies (3*2, 5*3, 4*4) mm along the axes
  // from it:
  //   x = 6 + 6 = 12
  //   y = -23.794229 + 15*0.8660254 - 16*0.5 = -18.803848
  //   z = 18.571797 + 15*0.5 + 16*0.8660254 = 39.928203
  void affineOfAnObliqueVolume() {
    Geometry g;
    const double c = std::sqrt(3.0) / 2, s = 0.5;
    g.matrix = {4, 6, 5};
    g.fov = {8, 18, 20};
    g.phaseDirection = {0, c, s};
    g.sliceDirection = {0, -s, c};
    g.slicePositions = {{10, -20, 30}};
    const auto affine = niftiAffine(g, g.matrix);
    compare(apply(affine, 0, 0, 0), {-6, 23.794229, 18.571797}, 1e-5);
    compare(apply(affine, 3, 5, 4), {-12, 18.803848, 39.928203}, 1e-5);
    compare(apply(affine, 2, 3, 2), {-10, 20, 30}, 1e-12);  // the centre
    compare(apply(affine, 3, 0, 0), {-12, 23.794229, 18.571797}, 1e-5);
  }

  // Two-dimensional slices, sagittal, 6 mm apart from x = -6: pixel (N/2, N/2) of slice 0 lies at
  // its position.
  void affineOfSlices() {
    Geometry g;
    g.matrix = {8, 4, 1};
    g.fov = {16, 12, 5};
    g.readDirection = {0, 1, 0};
    g.phaseDirection = {0, 0, -1};
    g.sliceDirection = {1, 0, 0};
    g.slicePositions = {{-6, 1, 2}, {0, 1, 2}, {6, 1, 2}};
    const auto affine = niftiAffine(g, {8, 4, 3});
    compare(apply(affine, 4, 2, 0), {6, -1, 2}, 1e-12);
    compare(apply(affine, 4, 2, 2), {-6, -1, 2}, 1e-12);
    compare(apply(affine, 0, 0, 1), {0, -1 + 8, 2 + 6}, 1e-12);
    g.slicePositions = {{-6, 1, 2}};  // one slice: its thickness is the step
    compare(apply(niftiAffine(g, {8, 4, 1}), 4, 2, 1), {1, -1, 2}, 1e-12);
  }

  void niftiReadsBack_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("part");
    QTest::newRow("complex") << "a.nii" << int(ComplexPart::complex);
    QTest::newRow("complex, compressed") << "a.nii.gz" << int(ComplexPart::complex);
    QTest::newRow("magnitude, compressed") << "a.nii.gz" << int(ComplexPart::magnitude);
    QTest::newRow("phase") << "a.nii" << int(ComplexPart::phase);
    QTest::newRow("imaginary") << "a.nii" << int(ComplexPart::imaginary);
  }
  void niftiReadsBack() {
    QFETCH(QString, name);
    QFETCH(int, part);
    Image image = testImage({7, 5, 3}, 2);
    const double turn = 0.3;
    image.geometry.readDirection = {std::cos(turn), std::sin(turn), 0};
    image.geometry.phaseDirection = {-std::sin(turn), std::cos(turn), 0};
    image.geometry.slicePositions = {{3, 4, -5}};
    WriteOptions options;
    options.part = ComplexPart(part);
    const auto file = path(qPrintable(name));
    writeImage(image, file, options, Progress());
    nifti_image* n = nifti_image_read(file.c_str(), 1);
    QVERIFY(n != nullptr);
    const std::vector<int> dims = {n->nx, n->ny, n->nz, n->nt};
    QCOMPARE(dims, (std::vector<int>{7, 5, 3, 2}));
    QCOMPARE(n->datatype, options.part == ComplexPart::complex ? DT_COMPLEX64 : DT_FLOAT32);
    const auto affine = niftiAffine(image.geometry, image.size);
    QVERIFY(n->sform_code > 0 && n->qform_code > 0);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) {
        QVERIFY(std::abs(double(n->sto_xyz.m[r][c]) - affine[std::size_t(r)][std::size_t(c)]) < 1e-4);
        QVERIFY(std::abs(double(n->qto_xyz.m[r][c]) - affine[std::size_t(r)][std::size_t(c)]) < 1e-4);
      }
    for (std::size_t i = 0; i < image.data.size(); ++i) {
      const cfloat v = image.data[i];
      if (options.part == ComplexPart::complex)
        QCOMPARE(static_cast<const cfloat*>(n->data)[i], v);
      else {
        const float expected = options.part == ComplexPart::magnitude ? std::abs(v)
                               : options.part == ComplexPart::phase   ? std::arg(v)
                                                                      : v.imag();
        QCOMPARE(static_cast<const float*>(n->data)[i], expected);
      }
    }
    nifti_image_free(n);
    QCOMPARE(files(), QStringList{name});
  }

  void npyReadsBack() {
    const Image image = testImage({6, 5, 4}, 2);
    for (const ComplexPart part : {ComplexPart::complex, ComplexPart::real}) {
      WriteOptions options;
      options.part = part;
      writeImage(image, path("a.npy"), options, Progress());
      const std::string bytes = readDocument(path("a.npy"));
      QCOMPARE(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
      const std::size_t length = std::uint8_t(bytes[8]) + 256u * std::uint8_t(bytes[9]);
      QCOMPARE((10 + length) % 64, std::size_t(0));
      const std::string header = bytes.substr(10, length);
      QVERIFY(header.find(part == ComplexPart::complex ? "'descr': '<c8'" : "'descr': '<f4'") !=
              std::string::npos);
      QVERIFY(header.find("'fortran_order': False") != std::string::npos);
      QVERIFY(header.find("'shape': (2, 4, 5, 6)") != std::string::npos);
      QCOMPARE(header.back(), '\n');
      const std::size_t pixel = part == ComplexPart::complex ? sizeof(cfloat) : sizeof(float);
      QCOMPARE(bytes.size(), 10 + length + image.data.size() * pixel);
      for (std::size_t i = 0; i < image.data.size(); ++i) {
        cfloat value;
        std::memcpy(&value, bytes.data() + 10 + length + i * pixel, pixel);
        QCOMPARE(value.real(), image.data[i].real());
        if (part == ComplexPart::complex) QCOMPARE(value.imag(), image.data[i].imag());
      }
    }
  }

  void pngShowsTheSlices() {
    Image image = testImage({8, 6, 5}, 1);  // montage of 3 x 2 slices
    for (auto& v : image.data) v = 0;
    const auto at = [&](int x, int y, int z) -> cfloat& {
      return image.data[std::size_t((z * 6 + y) * 8 + x)];
    };
    at(2, 1, 0) = 1;
    at(3, 4, 4) = cfloat(0, 0.5f);
    WriteOptions options;
    options.window = 1;
    options.level = 0.5;
    writeImage(image, path("a.png"), options, Progress());
    Picture png = readPng(path("a.png"));
    QCOMPARE(png.width, 24);
    QCOMPARE(png.height, 12);
    QCOMPARE(png.level(2, 1), 255);
    QCOMPARE(png.level(8 + 3, 6 + 4), 128);
    QCOMPARE(png.level(0, 0), 0);
    QCOMPARE(png.level(23, 11), 0);
    options.window = 0;  // by percentile
    for (std::size_t i = 0; i < image.data.size(); ++i) image.data[i] = float(i) / float(image.data.size());
    writeImage(image, path("a.png"), options, Progress());
    png = readPng(path("a.png"));
    QCOMPARE(png.level(8 + 7, 6 + 5), 255);
  }

  // Phase has a fixed, cyclic colour map: -pi and pi look the same, and so does a phase at any
  // strength.
  void pngOfPhaseIsCyclic() {
    Image image = testImage({4, 1, 1}, 1);
    image.data[0] = std::polar(1.0f, 3.1415f);
    image.data[1] = std::polar(20.0f, -3.1415f);
    image.data[2] = std::polar(5.0f, 0.7f);
    image.data[3] = std::polar(0.1f, 0.7f);
    WriteOptions options;
    options.part = ComplexPart::phase;
    writeImage(image, path("p.png"), options, Progress());
    const Picture png = readPng(path("p.png"));
    QCOMPARE(png.width, 4);
    bool differs = false;
    for (int channel = 0; channel < 3; ++channel) {
      QVERIFY(std::abs(png.level(0, 0, channel) - png.level(1, 0, channel)) <= 1);
      QCOMPARE(png.level(2, 0, channel), png.level(3, 0, channel));
      differs = differs || png.level(0, 0, channel) != png.level(2, 0, channel);
    }
    QVERIFY(differs);
  }

  void impossibleTargetsAreRefused() {
    const Image image = testImage({4, 4, 1}, 1);
    const auto write = [&](const std::filesystem::path& file) {
      return reasonOf([&] { writeImage(image, file, WriteOptions(), Progress()); });
    };
    QVERIFY(write(path("a.tiff")).find("extension") != std::string::npos);
    QVERIFY(!write(path("missing/a.npy")).empty());
    QVERIFY(!write(path(".nii.gz")).empty() || QFile::exists(folder_.filePath(".nii.gz")));
    QDir(folder_.path()).mkdir("d.npy");
    QVERIFY(!write(path("d.npy")).empty());
    QVERIFY(reasonOf([&] { writeImage(Image(), path("a.npy"), WriteOptions(), Progress()); }).size() > 0);
  }

  // A full disk, played by a limit on the size of files: an Error, no partial file, the earlier
  // file untouched.
  void fullDiskLeavesNothing() {
    Image image = testImage({64, 64, 16}, 1);
    for (std::size_t i = 0; i < image.data.size(); ++i)
      image.data[i] =
          // Hardly compressible.
          cfloat(float((i * 2654435761u) % 65536), float((i * 40503u) % 65521));
    signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    for (const char* name : {"a.nii", "a.nii.gz", "a.npy", "a.png"}) {
      WriteOptions options;
      writeFileAtomically(path(name), "earlier");
      rlimit small = before;
      small.rlim_cur = 5000;
      setrlimit(RLIMIT_FSIZE, &small);
      const std::string reason = reasonOf([&] { writeImage(image, path(name), options, Progress()); });
      setrlimit(RLIMIT_FSIZE, &before);
      QVERIFY2(!reason.empty(), name);
      QCOMPARE(readDocument(path(name)), std::string("earlier"));
    }
    QCOMPARE(files().size(), 4);
  }

  void cancelLeavesNothing() {
    // Pixels are written in pieces that grow with the threads: several of them.
    const Image image = testImage({64, 64, 64}, std::max(2, hardwareThreads()));
    for (const char* name : {"a.nii.gz", "a.npy", "a.png"}) {
      std::stop_source stop;
      bool cancelled = false;
      const Progress progress(stop.get_token(), [&](double fraction, const std::string&) {
        if (fraction > 0.3) stop.request_stop();
      });
      try {
        writeImage(image, path(name), WriteOptions(), progress);
      } catch (const Cancelled&) {
        cancelled = true;
      }
      QVERIFY2(cancelled, name);
    }
    QCOMPARE(files().join(" "), QString());
  }
};

SPOKELAB_TEST(TestImageFiles)

}  // namespace test_image_files

#include "test_image_files.moc"
