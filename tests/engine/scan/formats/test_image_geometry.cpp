// Where an array lies in the patient is read from the file that was written beside it.
#include <QtTest>

#include <cmath>
#include <fstream>

#include "engine/core/error.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/test_main.h"

namespace test_image_geometry {

using namespace spokelab;

namespace {

// Oblique; a volume, or slices 7 mm apart.
Image obliqueImage(bool slices, int frames = 1) {
  const Index3 size{6, 4, 3};
  Image image = nominalImage(size, "test");
  image.frames = frames;
  for (std::int64_t i = 0; i < image.volume() * image.frames; ++i)
    image.data.push_back({float(i), 3 - float(i % 5)});
  Geometry& g = image.geometry;
  const double c = std::cos(0.3), s = std::sin(0.3);
  g.nominal = false;
  g.matrix[2] = slices ? 1 : size[2];
  g.fov = {12, 6, slices ? 5.0 : 9.0};
  g.readDirection = {c, s, 0};
  g.phaseDirection = {-s, c, 0};
  g.slicePositions = {{10, -20, 30}};
  if (slices) g.slicePositions = {{10, -20, 30}, {10, -20, 37}, {10, -20, 44}};
  return image;
}

// With its quotation marks.
QByteArray json(QByteArray text) {
  return text.replace('\'', '"');
}

}  // namespace

class TestImageGeometry : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::filesystem::path path(const char* name) const { return folder_->filePath(name).toStdString(); }
  void write(const char* name, const std::string& text) const { std::ofstream(path(name)) << text; }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void anArrayLiesWhereItWasWritten_data() {
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QByteArray>("read");
    QTest::addColumn<bool>("slices");
    QTest::addColumn<int>("frames");
    for (const int frames : {1, 2})
      for (const bool slices : {false, true})
        for (const auto& [written, read] :
             {std::pair("a.npy", "a.npy"), std::pair("a.cfl", "a.cfl"), std::pair("a.cfl", "a.hdr")})
          QTest::addRow("%s, %d frames, %s", read, frames, slices ? "slices" : "a volume")
              << QByteArray(written) << QByteArray(read) << slices << frames;
  }
  void anArrayLiesWhereItWasWritten() {
    QFETCH(QByteArray, written);
    QFETCH(QByteArray, read);
    QFETCH(bool, slices);
    QFETCH(int, frames);
    const Image image = obliqueImage(slices, frames);
    writeImage(image, path(written.constData()), {}, {});
    const Image back = readImage(path(read.constData()), {});
    const Geometry &is = back.geometry, &was = image.geometry;
    QVERIFY(!is.nominal);
    QCOMPARE(back.size, image.size);
    QCOMPARE(back.frames, frames);
    QCOMPARE(is.matrix, was.matrix);
    QCOMPARE(is.fov, was.fov);
    QCOMPARE(is.readDirection, was.readDirection);
    QCOMPARE(is.phaseDirection, was.phaseDirection);
    QCOMPARE(is.sliceDirection, was.sliceDirection);
    QCOMPARE(is.slicePositions, was.slicePositions);
    QVERIFY(back.data == image.data);
  }

  void voxelsOfAMillimetreStayNominal() {
    const Image image = [] {
      Image nominal = nominalImage({6, 4, 3}, "test");
      nominal.data.resize(std::size_t(nominal.volume()), {1, 2});
      return nominal;
    }();
    writeImage(image, path("a.npy"), {}, {});
    QVERIFY(readImage(path("a.npy"), {}).geometry.nominal);
  }

  void whatBelongsToNoSuchImageIsLeftAside_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("another program's") << json("{'matrix': [6, 4, 3]}");
    QTest::newRow("a list") << QByteArray("[1, 2]");
    const auto ours = [](const char* matrix, const char* fov, const char* slice) {
      return json(QByteArray("{'spokelab-image': 1, 'nominal': false, 'positions_mm': [[0, 0, 0]], "
                             "'read_direction': [1, 0, 0], 'phase_direction': [0, 1, 0], "
                             "'slice_direction': ") +
                  slice + ", 'fov_mm': " + fov + ", 'matrix': " + matrix + "}");
    };
    QTest::newRow("of another size") << ours("[6, 5, 3]", "[12, 6, 9]", "[0, 0, 1]");
    QTest::newRow("without extent") << ours("[6, 4, 3]", "[12, 0, 9]", "[0, 0, 1]");
    QTest::newRow("axes in a plane") << ours("[6, 4, 3]", "[12, 6, 9]", "[0, 1, 0]");
  }
  void whatBelongsToNoSuchImageIsLeftAside() {
    QFETCH(QByteArray, text);
    const Image image = obliqueImage(false);
    writeImage(image, path("a.npy"), {}, {});
    write("a.npy.json", text.toStdString());
    const Image back = readImage(path("a.npy"), {});
    QVERIFY(back.geometry.nominal);
    QCOMPARE(back.geometry.fov, (Vec3{6, 4, 3}));
    QVERIFY(back.data == image.data);
  }

  void damagedFilesAreNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("cut off") << json("{'spokelab-image': 1, 'mat");
    QTest::newRow("without directions")
        << json("{'spokelab-image': 1, 'matrix': [6, 4, 3], 'fov_mm': [12, 6, 9]}");
    QTest::newRow("words for numbers") << json("{'spokelab-image': 1, 'matrix': 'large'}");
  }
  void damagedFilesAreNamed() {
    QFETCH(QByteArray, text);
    writeImage(obliqueImage(false), path("a.npy"), {}, {});
    write("a.npy.json", text.toStdString());
    try {
      readImage(path("a.npy"), {});
      QFAIL("it was read");
    } catch (const Error& e) {
      QVERIFY2(QByteArray(e.what()).contains("a.npy.json"), e.what());
      QVERIFY2(QByteArray(e.what()).contains("remove that file"), e.what());
    }
  }
};

SPOKELAB_CORE_TEST(TestImageGeometry)

}  // namespace test_image_geometry

#include "test_image_geometry.moc"
