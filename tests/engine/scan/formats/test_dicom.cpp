// DICOM out and in: what we write is read by DCMTK itself, and series that DCMTK wrote by us.
#include "dcmtk/config/osconfig.h"

#include "dcmtk/dcmdata/dctk.h"

#include <QtTest>

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <random>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/formats/images/dicom/series_content.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

namespace test_dicom {

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

constexpr double turn = 0.3;

// Two echoes of three slices or partitions, turned in the plane.
Image echoes(bool volume) {
  Image image = nominalImage({9, 7, 3}, "two echoes");
  image.frames = 2;
  Geometry& g = image.geometry;
  g.nominal = false;
  g.matrix = {9, 7, volume ? 3 : 1};
  g.fov = {18, 10.5, volume ? 9 : 2.5};
  g.readDirection = {std::cos(turn), std::sin(turn), 0};
  g.phaseDirection = {-std::sin(turn), std::cos(turn), 0};
  g.slicePositions.clear();
  for (int z = 0; z < (volume ? 1 : 3); ++z) g.slicePositions.push_back({10, -20, 30 + 7.0 * z});
  image.frameAxes = FrameAxes::grid({{FrameMeaning::echo, 2, {0.002, 0.0045}}});
  image.provenance = {"made by a test"};
  for (std::int64_t i = 0; i < image.frames * image.volume(); ++i)
    image.data.emplace_back(0.37F * float(i), float(i % 7) - 3);
  return image;
}

double far(const Vec3& a, const Vec3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double number(DcmItem& item, const DcmTagKey& tag, unsigned long index = 0) {
  Float64 value = NAN;
  OFString text;
  if (item.findAndGetFloat64(tag, value, index, OFTrue).good()) return value;
  return item.findAndGetOFString(tag, text, index, OFTrue).good() ? std::stod(text.c_str()) : NAN;
}

std::string words(DcmItem& item, const DcmTagKey& tag) {
  OFString text;
  return item.findAndGetOFStringArray(tag, text, OFTrue).good() ? std::string(text.c_str()) : "missing";
}

// A plane as scanners write them.
struct Plane {
  double z = 0, echo = 3;
  int instance = 1;
  const char *series = "1.2.3", *type = "ORIGINAL\\PRIMARY\\M\\ND";
  int columns = 4;
};

void writePlane(const fs::path& file, const Plane& p, E_TransferSyntax syntax = EXS_LittleEndianExplicit) {
  DcmFileFormat format;
  DcmDataset& d = *format.getDataset();
  const auto put = [&](const DcmTagKey& tag, const std::string& text) {
    QVERIFY(d.putAndInsertString(tag, text.c_str()).good());
  };
  put(DCM_SOPClassUID, UID_MRImageStorage);
  put(DCM_SOPInstanceUID, newDicomUid());
  put(DCM_ImageType, p.type);
  put(DCM_PatientName, "Nobody^Knows");
  put(DCM_SeriesInstanceUID, p.series);
  put(DCM_SeriesNumber, "7");
  put(DCM_SeriesDescription, "field");
  put(DCM_EchoTime, std::to_string(p.echo));
  put(DCM_InstanceNumber, std::to_string(p.instance));
  put(DCM_ImagePositionPatient, "1\\2\\" + std::to_string(p.z));
  put(DCM_ImageOrientationPatient, "0\\1\\0\\0\\0\\-1");
  put(DCM_PixelSpacing, "3\\2");
  put(DCM_SliceThickness, "5");
  put(DCM_PhotometricInterpretation, "MONOCHROME2");
  put(DCM_RescaleIntercept, "-4096");
  put(DCM_RescaleSlope, "2");
  for (const auto& [tag, value] :
       {std::pair(DCM_Rows, 3), std::pair(DCM_Columns, p.columns), std::pair(DCM_BitsAllocated, 16),
        std::pair(DCM_BitsStored, 12), std::pair(DCM_HighBit, 11), std::pair(DCM_PixelRepresentation, 0),
        std::pair(DCM_SamplesPerPixel, 1)})
    QVERIFY(d.putAndInsertUint16(tag, Uint16(value)).good());
  std::vector<Uint16> pixels;
  for (int i = 0; i < 3 * p.columns; ++i) pixels.push_back(Uint16(100 * p.instance + i));
  QVERIFY(d.putAndInsertUint16Array(DCM_PixelData, pixels.data(), static_cast<unsigned long>(pixels.size()))
              .good());
  QVERIFY(format.saveFile(file.c_str(), syntax).good());
}

std::string errorOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

class TestDicom : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  fs::path fresh(const char* name) const {
    const fs::path place = folder_.filePath(QString::fromUtf8(name)).toStdString();
    fs::remove_all(place);
    return place;
  }
  fs::path freshFolder(const char* name) const {
    const fs::path place = fresh(name);
    fs::create_directory(place);
    return place;
  }

 private slots:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  void comesBack_data() {
    QTest::addColumn<bool>("volume");
    QTest::addColumn<bool>("series");
    for (const bool volume : {false, true})
      for (const bool series : {false, true})
        QTest::addRow("%s, %s", volume ? "volume" : "slices", series ? "folder" : "file") << volume << series;
  }
  // Values to half a step of 16 bits; places to a micrometre.
  void comesBack() {
    QFETCH(bool, volume);
    QFETCH(bool, series);
    const Image image = echoes(volume);
    fs::path file = fresh("image.dcm");
    if (series) file += "/";
    writeImage(image, file, {}, {});
    QCOMPARE(fs::is_directory(folder_.filePath("image.dcm").toStdString()), series);
    if (series) file /= "frame2_slice1.dcm";  // stands for all
    for (const fs::path& name : {file, series ? file.parent_path() : file}) {
      const Image back = readImage(name, {});
      QCOMPARE(back.size, image.size);
      QCOMPARE(back.frames, 2);
      QVERIFY(back.frameAxes == image.frameAxes);
      const Geometry &is = back.geometry, &was = image.geometry;
      QVERIFY(!is.nominal);
      QCOMPARE(is.matrix, was.matrix);
      QVERIFY(far(is.fov, was.fov) < 1e-6);
      QVERIFY(far(is.readDirection, was.readDirection) < 1e-9);
      QVERIFY(far(is.phaseDirection, was.phaseDirection) < 1e-9);
      QVERIFY(far(is.sliceDirection, was.sliceDirection) < 1e-6);
      QCOMPARE(is.slicePositions.size(), was.slicePositions.size());
      for (std::size_t z = 0; z < is.slicePositions.size(); ++z)
        QVERIFY(far(is.slicePositions[z], was.slicePositions[z]) < 1e-3);
      float largest = 0;
      for (const cfloat& v : image.data) largest = std::max(largest, std::abs(v));
      for (std::size_t i = 0; i < image.data.size(); ++i)
        QVERIFY(std::abs(back.data[i] - std::abs(image.data[i])) < 0.51F * largest / 65535);
    }
  }

  void phaseIsInRadians() {
    const Image image = echoes(false);
    const fs::path file = fresh("phase.dcm");
    WriteOptions options;
    options.part = ComplexPart::phase;
    writeImage(image, file, options, {});
    const Image back = readImage(file, {});
    for (std::size_t i = 0; i < image.data.size(); ++i)
      QVERIFY(std::abs(back.data[i] - std::arg(image.data[i])) < 0.51 * std::numbers::pi / 32767);
  }

  // The classic files by DCMTK: position of the first pixel, slope, echo times, UIDs, no patient.
  void dcmtkReadsTheSeries() {
    const Image image = echoes(false);
    const fs::path folder = fresh("series.dcm");
    writeImage(image, folder / "", {}, {});
    DcmFileFormat first, last;
    QVERIFY(first.loadFile((folder / "frame1_slice1.dcm").c_str()).good());
    QVERIFY(last.loadFile((folder / "frame2_slice3.dcm").c_str()).good());
    DcmDataset &a = *first.getDataset(), &b = *last.getDataset();
    const Geometry& g = image.geometry;
    for (std::size_t d = 0; d < 3; ++d) {
      const double corner =
          g.slicePositions[2][d] - 4 * 2 * g.readDirection[d] - 3 * 1.5 * g.phaseDirection[d];
      QVERIFY(std::abs(number(b, DCM_ImagePositionPatient, static_cast<unsigned long>(d)) - corner) < 1e-6);
    }
    QCOMPARE(number(a, DCM_PixelSpacing, 0), 1.5);
    QCOMPARE(number(a, DCM_PixelSpacing, 1), 2.0);
    QCOMPARE(number(a, DCM_SliceThickness), 2.5);
    QCOMPARE(number(a, DCM_SpacingBetweenSlices), 7.0);
    QCOMPARE(number(a, DCM_EchoTime), 2.0);
    QCOMPARE(number(b, DCM_EchoTime), 4.5);
    QCOMPARE(words(a, DCM_PatientName), std::string());
    QVERIFY(QByteArray::fromStdString(words(a, DCM_ImageComments)).contains("made by a test"));
    QVERIFY(words(a, DCM_SOPInstanceUID) != words(b, DCM_SOPInstanceUID));
    QCOMPARE(words(a, DCM_SeriesInstanceUID), words(b, DCM_SeriesInstanceUID));
    const Uint16* pixels = nullptr;
    unsigned long count = 0;
    QVERIFY(b.findAndGetUint16Array(DCM_PixelData, pixels, &count).good());
    QCOMPARE(count, 63UL);
    const double slope = number(b, DCM_RescaleSlope);
    for (std::size_t i = 0; i < count; ++i)
      QVERIFY(std::abs(pixels[i] * slope - std::abs(image.data[5 * 63 + i])) <= 0.51 * slope);
  }

  void dcmtkReadsTheEnhancedFile() {
    const Image image = echoes(true);
    const fs::path file = fresh("enhanced.dcm");
    writeImage(image, file, {}, {});
    DcmFileFormat format;
    QVERIFY(format.loadFile(file.c_str()).good());
    DcmDataset& d = *format.getDataset();
    QCOMPARE(words(d, DCM_SOPClassUID), std::string(UID_EnhancedMRImageStorage));
    QCOMPARE(words(d, DCM_NumberOfFrames), std::string("6"));
    DcmItem* frame = nullptr;
    QVERIFY(d.findAndGetSequenceItem(DCM_PerFrameFunctionalGroupsSequence, frame, 4).good());
    const Geometry& g = image.geometry;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double corner = g.slicePositions[0][axis] - 4 * 2 * g.readDirection[axis] -
                            3 * 1.5 * g.phaseDirection[axis];  // partition 1 of 3 is the centre
      QVERIFY(std::abs(number(*frame, DCM_ImagePositionPatient, static_cast<unsigned long>(axis)) - corner) <
              1e-6);
    }
    QCOMPARE(number(*frame, DCM_EffectiveEchoTime), 4.5);
    QCOMPARE(number(d, DCM_PixelSpacing, 1), 2.0);
  }

  // Echoes and slices from a scanner, numbered at random: values rescaled, slices along the normal.
  void readsAScannersSeries() {
    const fs::path folder = freshFolder("scanner");
    int count = 0;
    for (const int i : {3, 1, 0, 2})
      for (const double echo : {7.5, 3.0}) {
        const auto syntax = count % 2 ? EXS_LittleEndianImplicit : EXS_LittleEndianExplicit;
        const fs::path file = folder / std::to_string(count++);
        writePlane(file, {.z = -6.0 * i, .echo = echo, .instance = count}, syntax);
      }
    std::ofstream(folder / "notes.txt") << "not an image";
    const Image image = readImage(folder, {});
    QCOMPARE(image.size, (Index3{4, 3, 4}));
    QCOMPARE(image.frames, 2);
    QCOMPARE(image.frameAxes.value(1, FrameMeaning::echo).value_or(0), 0.0075);
    const Geometry& g = image.geometry;
    QCOMPARE(g.readDirection, (Vec3{0, 1, 0}));
    QCOMPARE(g.voxel(), (Vec3{2, 3, 5}));
    // Pixel (2, 1): two columns of 2 mm along y, one row of 3 mm along -z.
    QVERIFY(far(g.slicePositions[0], {1, 2 + 4, -18 - 3}) < 1e-9 ||
            far(g.slicePositions[0], {1, 6, -3}) < 1e-9);
    // Slices of one place have the pixels of their echo: instance 2 is the first slice's echo at 3 ms.
    const std::size_t at = g.slicePositions[0][2] < -10 ? 0 : 3;
    QCOMPARE(image.data[at * 12 + 5], cfloat(2 * (200 + 5) - 4096));
  }

  void missingSlicesAreTold() {
    const fs::path folder = freshFolder("missing");
    for (const int i : {1, 2, 4, 5}) writePlane(folder / std::to_string(i), {.z = 6.0 * i, .instance = i});
    QVERIFY(
        QByteArray::fromStdString(errorOf([&] { readImage(folder, {}); })).contains("slices are missing"));
    fs::remove(folder / "4");
    fs::remove(folder / "5");
    writePlane(folder / "3", {.z = 6, .echo = 9, .instance = 3});
    QVERIFY(
        QByteArray::fromStdString(errorOf([&] { readImage(folder, {}); })).contains("slices are missing"));
  }

  void mixedSeriesAreTold() {
    const fs::path folder = freshFolder("mixed");
    writePlane(folder / "1", {});
    writePlane(folder / "2", {.z = 6, .instance = 2, .series = "1.2.4"});
    const QByteArray said = QByteArray::fromStdString(errorOf([&] { readImage(folder, {}); }));
    QVERIFY2(said.contains("2 series") && said.contains("series 7 field"), said);
    QCOMPARE(readImage(folder / "2", {}).geometry.slicePositions.size(), std::size_t(1));
    writePlane(folder / "3", {.z = 6, .instance = 3, .type = "ORIGINAL\\PRIMARY\\P\\ND"});
    QVERIFY(
        QByteArray::fromStdString(errorOf([&] { readImage(folder / "1", {}); })).contains("mixes magnitude"));
    writePlane(folder / "3", {.z = 6, .instance = 3, .columns = 6});
    QVERIFY(
        QByteArray::fromStdString(errorOf([&] { readImage(folder / "1", {}); })).contains("differ in size"));
  }

  void ownFilesAreReplacedOthersNot() {
    const fs::path file = fresh("again.dcm");
    writeImage(echoes(true), file, {}, {});
    writeImage(echoes(false), file, {}, {});
    QCOMPARE(readImage(file, {}).geometry.matrix[2], std::int64_t(1));
  }

  // Whatever bytes change, wherever it is cut: an image or an Error.
  void damagedFiles() {
    std::mt19937 random(test::campaignSeed(11));
    const fs::path file = fresh("sound.dcm");
    writeImage(echoes(false), file, {}, {});
    const std::string enhanced = readDocument(file);
    writePlane(file, {});
    const std::string classic = readDocument(file);
    const fs::path damaged = freshFolder("damaged") / "one";
    int read = 0, refused = 0;
    const int rounds = 60 * test::campaignFactor();
    for (int i = 0; i < rounds; ++i) {
      std::string bytes = i % 2 ? enhanced : classic;
      if (i % 5 == 0)
        bytes.resize(random() % bytes.size());
      else
        for (int n = 0; n <= i % 4; ++n) {
          const std::size_t at = random() % std::min<std::size_t>(bytes.size(), 132 + 4000);
          bytes[at] = i % 3 ? char(random()) : char(bytes[at] ^ (1 << random() % 8));
        }
      std::ofstream(damaged, std::ios::binary | std::ios::trunc)
          .write(bytes.data(), std::streamsize(bytes.size()));
      try {
        const Image image = readImage(damaged, {});
        QCOMPARE(std::int64_t(image.data.size()), image.volume() * image.frames);
        ++read;
      } catch (const Error& e) {
        QVERIFY(!e.summary().empty() && !e.reason().empty());
        ++refused;
      }
    }
    qInfo("%d read, %d refused", read, refused);
    QVERIFY(read > 0 && refused > 0);
  }
};

SPOKELAB_TEST(TestDicom)

}  // namespace test_dicom

#include "test_dicom.moc"
