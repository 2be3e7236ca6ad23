// Each format that images are written in, read back by somebody else: the HDF5 library, nifti's,
// BART's tools.
#include <QtTest>

#include <hdf5.h>
#include <ismrmrd/ismrmrd.h>
#include <nifti1_io.h>
#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/nifti_affine.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/test_main.h"

namespace test_image_formats {

using namespace spokelab;

namespace {

Image testImage(Index3 size, int frames, bool slices) {
  Image image;
  image.frames = frames;
  image.size = size;
  image.name = "test";
  image.provenance = {"Spokelab test", "axes = xy: as stored"};
  image.data.resize(std::size_t(product(size) * frames));
  for (std::size_t i = 0; i < image.data.size(); ++i)
    image.data[i] = cfloat(float(i) + 0.5F, 3 - float(i % 5));
  Geometry& g = image.geometry;
  g.matrix = {size[0], size[1], slices ? 1 : size[2]};
  g.fov = {double(size[0]) * 2, double(size[1]) * 1.5, slices ? 5 : double(size[2]) * 3};
  const double c = std::cos(0.3), s = std::sin(0.3);
  g.readDirection = {c, s, 0};
  g.phaseDirection = {-s, c, 0};
  g.slicePositions.clear();
  for (std::int64_t z = 0; z < (slices ? size[2] : 1); ++z)
    g.slicePositions.push_back({10.0, -20.0, 30.0 + 7 * double(z)});
  return image;
}

class Id {
 public:
  using Close = herr_t (*)(hid_t);
  Id(hid_t id, Close close) : id_(id), close_(close) {}
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

// One member of the headers' compound, as numbers: [image][component].
std::vector<std::vector<double>> headerMember(hid_t file, const char* name) {
  const Id set(H5Dopen2(file, "/dataset/image_0/header", H5P_DEFAULT), H5Dclose);
  const Id stored(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  const int index = H5Tget_member_index(stored, name);
  if (index < 0) return {};
  const Id member(H5Tget_member_type(stored, unsigned(index)), H5Tclose);
  hsize_t components = 1;
  if (H5Tget_class(member) == H5T_ARRAY) H5Tget_array_dims2(member, &components);
  const Id element(
      components > 1 ? H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &components) : H5Tcopy(H5T_NATIVE_DOUBLE),
      H5Tclose);
  const Id memory(H5Tcreate(H5T_COMPOUND, components * sizeof(double)), H5Tclose);
  H5Tinsert(memory, name, 0, element);
  const auto count = std::size_t(H5Sget_simple_extent_npoints(space));
  std::vector<double> all(count * components);
  H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < count; ++i)
    rows.emplace_back(all.begin() + std::ptrdiff_t(i * components),
                      all.begin() + std::ptrdiff_t((i + 1) * components));
  return rows;
}

std::vector<double> floats(std::initializer_list<double> values) {
  std::vector<double> rounded;
  for (const double v : values) rounded.push_back(double(float(v)));
  return rounded;
}

std::string reasonOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.reason();
  }
  return "(no error)";
}

}  // namespace

class TestImageFormats : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::filesystem::path path(const std::string& name) const {
    return (folder_->path() + "/" + QString::fromStdString(name)).toStdString();
  }
  QStringList files() const {
    return QDir(folder_->path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  // --- ISMRMRD
  void mrdSlices() {
    const Image image = testImage({6, 4, 3}, 2, true);
    writeImage(image, path("a.h5"), {}, Progress());
    const Id file(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    QVERIFY(file >= 0);
    const Id set(H5Dopen2(file, "/dataset/image_0/data", H5P_DEFAULT), H5Dclose),
        space(H5Dget_space(set), H5Sclose);
    hsize_t sizes[5] = {};
    QCOMPARE(H5Sget_simple_extent_dims(space, sizes, nullptr), 5);
    QVERIFY(sizes[0] == 6 && sizes[1] == 1 && sizes[2] == 1 && sizes[3] == 4 && sizes[4] == 6);
    const Id pair(H5Tcreate(H5T_COMPOUND, sizeof(cfloat)), H5Tclose);
    H5Tinsert(pair, "real", 0, H5T_NATIVE_FLOAT);
    H5Tinsert(pair, "imag", sizeof(float), H5T_NATIVE_FLOAT);
    Buffer<cfloat> back(image.data.size());
    QVERIFY(H5Dread(set, pair, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()) >= 0);
    QVERIFY(back == image.data);

    const double c = std::cos(0.3), s = std::sin(0.3);
    QCOMPARE(headerMember(file, "matrix_size")[4], (std::vector<double>{6, 4, 1}));
    QCOMPARE(headerMember(file, "field_of_view")[4], floats({12, 6, 5}));
    QCOMPARE(headerMember(file, "position")[4], floats({10, -20, 37}));  // frame 1, slice 1
    QCOMPARE(headerMember(file, "read_dir")[4], floats({c, s, 0}));
    QCOMPARE(headerMember(file, "phase_dir")[4], floats({-s, c, 0}));
    QCOMPARE(headerMember(file, "slice_dir")[4], floats({0, 0, 1}));
    QCOMPARE(headerMember(file, "slice")[4], std::vector<double>{1});
    QCOMPARE(headerMember(file, "repetition")[4], std::vector<double>{1});
    QCOMPARE(headerMember(file, "channels")[4], std::vector<double>{1});
    QCOMPARE(headerMember(file, "data_type")[4], std::vector<double>{ISMRMRD::ISMRMRD_CXFLOAT});
    QCOMPARE(headerMember(file, "image_type")[4], std::vector<double>{ISMRMRD::ISMRMRD_IMTYPE_COMPLEX});
  }
  // Slices and volumes come back as they were written, and so does where they lie.
  void mrdImagesAreReadBack() {
    for (const bool slices : {true, false}) {
      const Image image = testImage({6, 4, 3}, 2, slices);
      writeImage(image, path("a.h5"), {}, Progress());
      const Image back = readImage(path("a.h5"), Progress());
      QCOMPARE(back.frames, 2);
      QVERIFY(back.size == image.size);
      QVERIFY(std::equal(back.data.begin(), back.data.end(), image.data.begin(), image.data.end()));
      QVERIFY(!back.geometry.nominal);
      QVERIFY(back.geometry.matrix == image.geometry.matrix);
      QCOMPARE(back.geometry.slicePositions.size(), image.geometry.slicePositions.size());
      for (std::size_t d = 0; d < 3; ++d) {
        const auto near = [](double a, double b) { return std::abs(a - b) < 1e-5; };
        QVERIFY(near(back.geometry.fov[d], image.geometry.fov[d]));
        QVERIFY(near(back.geometry.readDirection[d], image.geometry.readDirection[d]));
        QVERIFY(near(back.geometry.slicePositions.back()[d], image.geometry.slicePositions.back()[d]));
      }
      WriteOptions options;
      options.part = ComplexPart::magnitude;
      writeImage(image, path("m.mrd"), options, Progress());
      const Image magnitude = readImage(path("m.mrd"), Progress());
      for (std::size_t i = 0; i < image.data.size(); ++i)
        QCOMPARE(magnitude.data[i], cfloat(std::abs(image.data[i]), 0));
    }
  }
  void aFileOfRawDataIsNoImage() {
    const Id file(H5Fcreate(path("raw.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    { const Id group(H5Gcreate2(file, "dataset", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose); }
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    const std::string reason = reasonOf([&] { readImage(path("raw.h5"), Progress()); });
    QVERIFY2(reason.find("without ISMRMRD images") != std::string::npos, reason.c_str());
  }
  void aDamagedMrdImageIsRefused() {
    writeImage(testImage({64, 64, 4}, 1, false), path("a.h5"), {}, Progress());
    std::filesystem::resize_file(path("a.h5"), std::filesystem::file_size(path("a.h5")) / 2);
    QVERIFY_EXCEPTION_THROWN(readImage(path("a.h5"), Progress()), Error);
  }

  void mrdVolumeOfMagnitudes() {
    const Image image = testImage({6, 4, 3}, 1, false);
    WriteOptions options;
    options.part = ComplexPart::magnitude;
    writeImage(image, path("a.mrd"), options, Progress());
    const Id file(H5Fopen(path("a.mrd").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Id set(H5Dopen2(file, "/dataset/image_0/data", H5P_DEFAULT), H5Dclose);
    std::vector<float> back(72);
    QVERIFY(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()) >= 0);
    for (std::size_t i = 0; i < back.size(); ++i) QCOMPARE(back[i], std::abs(image.data[i]));
    QCOMPARE(headerMember(file, "matrix_size")[0], (std::vector<double>{6, 4, 3}));
    QCOMPARE(headerMember(file, "field_of_view")[0], floats({12, 6, 9}));
    QCOMPARE(headerMember(file, "position")[0], floats({10, -20, 30}));
    QCOMPARE(headerMember(file, "image_type")[0], std::vector<double>{ISMRMRD::ISMRMRD_IMTYPE_MAGNITUDE});
    // provenance in the attributes
    const Id attributes(H5Dopen2(file, "/dataset/image_0/attributes", H5P_DEFAULT), H5Dclose);
    const Id text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text, H5T_VARIABLE);
    char* value = nullptr;
    QVERIFY(H5Dread(attributes, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
    const std::string content = value;
    H5free_memory(value);
    QVERIFY(content.find("axes = xy: as stored") != std::string::npos);
  }
  void failedMrdLeavesNothing() {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit small{20000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string reason = reasonOf([&] {
      writeImage(testImage({64, 64, 4}, 1, false), path("a.h5"), {}, Progress());
    });
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(reason != "(no error)");
    QVERIFY2(files().isEmpty(), qPrintable(files().join(' ')));
  }

  // --- BART
  void cflOfVolumesAndSlices() {
    Image image = testImage({6, 4, 3}, 2, false);
    writeImage(image, path("v.cfl"), {}, Progress());
    QVERIFY(readDocument(path("v.hdr")).starts_with("# Dimensions\n6 4 3 1 1 1 1 1 1 1 2 1 1 1 1 1 \n"));
    const std::string bytes = readDocument(path("v.cfl"));
    QVERIFY(bytes == std::string(reinterpret_cast<const char*>(image.data.data()),
                                 image.data.size() * sizeof(cfloat)));
    image = testImage({6, 4, 3}, 2, true);
    writeImage(image, path("s.cfl"), {}, Progress());
    QVERIFY(readDocument(path("s.hdr")).starts_with("# Dimensions\n6 4 1 1 1 1 1 1 1 1 2 1 1 3 1 1 \n"));
    cfloat value;
    const std::size_t x = 2, y = 1, f = 1, z = 2;  // frames are faster than slices there
    std::memcpy(&value, readDocument(path("s.cfl")).data() + (((z * 2 + f) * 4 + y) * 6 + x) * sizeof value,
                sizeof value);
    QCOMPARE(value, image.data[((f * 3 + z) * 4 + y) * 6 + x]);
    QVERIFY(reasonOf([&] {
              WriteOptions options;
              options.part = ComplexPart::phase;
              writeImage(image, path("p.cfl"), options, Progress());
            }).find("complex") != std::string::npos);
    QVERIFY(!QFile::exists(QString::fromStdString(path("p.hdr").string())));
  }
  void bartReadsIt() {
    const QString bart = QStandardPaths::findExecutable("bart");
    if (bart.isEmpty()) QSKIP("BART's tools are not installed");
    const Image image = testImage({6, 4, 3}, 2, true);
    writeImage(image, path("s.cfl"), {}, Progress());
    const auto run = [&](const QStringList& arguments) {
      QProcess process;
      process.setWorkingDirectory(folder_->path());
      process.start(bart, arguments);
      process.waitForFinished();
      return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()).trimmed()
                                     : QString("failed");
    };
    QCOMPARE(run({"show", "-d", "13", "s"}), QString("3"));
    QCOMPARE(run({"show", "-d", "10", "s"}), QString("2"));
    QCOMPARE(run({"extract", "13", "2", "3", "10", "1", "2", "1", "1", "2", "0", "2", "3", "s", "one"}),
             QString());
    const QString value = run({"show", "one"});
    const cfloat expected = image.data[((1 * 3 + 2) * 4 + 1) * 6 + 2];
    QCOMPARE(value, QString::asprintf("%+.6e%+.6ei", double(expected.real()), double(expected.imag())));
    // every number: BART reads the file and writes what it read
    QCOMPARE(run({"scale", "1", "s", "copy"}), QString());
    QVERIFY(readDocument(path("copy.cfl")) == readDocument(path("s.cfl")));
    // and what BART writes is read
    QCOMPARE(run({"phantom", "-x", "16", "head"}), QString());
    const Image head = readImage(path("head.cfl"), Progress());
    QVERIFY((head.size == Index3{16, 16, 1}));
    QVERIFY(std::abs(head.data[8 * 16 + 8]) > 0);
  }

  // --- NIfTI, both ways
  void niftiCarriesItsOrigin() {
    const Image image = testImage({6, 4, 3}, 2, false);
    for (const char* name : {"a.nii", "a.nii.gz"}) {
      writeImage(image, path(name), {}, Progress());
      nifti_image* n = nifti_image_read(path(name).c_str(), 1);
      QVERIFY(n);
      QCOMPARE(n->num_ext, 1);
      QCOMPARE(n->ext_list[0].ecode, NIFTI_ECODE_COMMENT);
      QVERIFY(std::string(n->ext_list[0].edata).find("axes = xy: as stored") != std::string::npos);
      QVERIFY(std::equal(image.data.begin(), image.data.end(), static_cast<const cfloat*>(n->data)));
      nifti_image_free(n);
      const Image back = readImage(path(name), Progress());
      QVERIFY(back.size == image.size);
      QCOMPARE(back.frames, 2);
      QVERIFY(back.data == image.data);
      QCOMPARE(nrmse(back, image), 0.0);
      for (std::size_t d = 0; d < 3; ++d) {
        QVERIFY(std::abs(back.geometry.fov[d] - image.geometry.fov[d]) < 1e-4);
        QVERIFY(std::abs(back.geometry.readDirection[d] - image.geometry.readDirection[d]) < 1e-6);
        QVERIFY(std::abs(back.geometry.slicePositions[0][d] - image.geometry.slicePositions[0][d]) < 1e-4);
      }
      QVERIFY(!back.geometry.nominal);
    }
  }
  void niftiOfOthers_data() {
    QTest::addColumn<int>("type");
    QTest::newRow("uint8") << NIFTI_TYPE_UINT8;
    QTest::newRow("int16") << NIFTI_TYPE_INT16;
    QTest::newRow("int32") << NIFTI_TYPE_INT32;
    QTest::newRow("float32") << NIFTI_TYPE_FLOAT32;
    QTest::newRow("float64") << NIFTI_TYPE_FLOAT64;
  }
  void niftiOfOthers() {  // written by nifti's library, by quaternion only, scaled
    QFETCH(int, type);
    int dims[8] = {3, 4, 3, 2, 1, 1, 1, 1};
    nifti_image* n = nifti_make_new_nim(dims, type, 1);
    for (int i = 0; i < 24; ++i) {
      void* at = static_cast<char*>(n->data) + i * n->nbyper;
      if (type == NIFTI_TYPE_UINT8) *static_cast<std::uint8_t*>(at) = std::uint8_t(i);
      if (type == NIFTI_TYPE_INT16) *static_cast<std::int16_t*>(at) = std::int16_t(i);
      if (type == NIFTI_TYPE_INT32) *static_cast<std::int32_t*>(at) = i;
      if (type == NIFTI_TYPE_FLOAT32) *static_cast<float*>(at) = float(i);
      if (type == NIFTI_TYPE_FLOAT64) *static_cast<double*>(at) = double(i);
    }
    n->scl_slope = 2;
    n->scl_inter = 1;
    n->dx = n->pixdim[1] = 2;
    n->dy = n->pixdim[2] = 3;
    n->dz = n->pixdim[3] = 4;
    n->qform_code = NIFTI_XFORM_SCANNER_ANAT;
    n->quatern_d = 0.5F;  // 60 degrees about z
    n->qoffset_x = 5;
    n->qfac = -1;
    nifti_set_filenames(n, path("q.nii").c_str(), 0, 1);
    nifti_image_write(n);
    const mat44 m = nifti_quatern_to_mat44(0, 0, 0.5F, 5, 0, 0, 2, 3, 4, -1);
    nifti_image_free(n);
    const Image back = readImage(path("q.nii"), Progress());
    QCOMPARE(back.data[5], cfloat(11, 0));
    const auto affine = niftiAffine(back.geometry, back.size);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c)
        QVERIFY2(std::abs(affine[r][c] - double(m.m[r][c])) < 1e-4,
                 qPrintable(QString("%1 %2").arg(r).arg(c)));
  }
  void brokenNifti() {
    const Image image = testImage({6, 4, 3}, 1, false);
    writeImage(image, path("a.nii"), {}, Progress());
    const std::string sound = readDocument(path("a.nii"));
    for (const std::size_t n :
         {std::size_t(4), std::size_t(100), std::size_t(347), std::size_t(360), sound.size() - 1}) {
      std::ofstream(path("cut.nii"), std::ios::binary) << sound.substr(0, n);
      QVERIFY(reasonOf([&] { readImage(path("cut.nii"), Progress()); }) != "(no error)");
    }
    const auto changed = [&](std::size_t at, const std::string& bytes) {
      std::string file = sound;
      file.replace(at, bytes.size(), bytes);
      std::ofstream(path("bad.nii"), std::ios::binary) << file;
      return reasonOf([&] { readImage(path("bad.nii"), Progress()); });
    };
    QVERIFY(changed(42, std::string("\xff\x7f\xff\x7f\xff\x7f", 6)).find("promises") !=
            std::string::npos);  // sizes
    QVERIFY(changed(42, std::string("\x00\x80", 2)).find("size") != std::string::npos);
    QVERIFY(changed(70, std::string("\x80\x06", 2)).find("type") != std::string::npos);
    QVERIFY(changed(344, "ni1").find("separate file") != std::string::npos);
  }

  // --- NumPy and pictures
  void npyHasItsGeometryBeside() {
    const Image image = testImage({6, 4, 3}, 2, false);
    writeImage(image, path("a.npy"), {}, Progress());
    const Image back = readImage(path("a.npy"), Progress());
    QVERIFY(back.size == image.size && back.frames == 2);
    QVERIFY(back.data == image.data);
    const auto j = nlohmann::json::parse(readDocument(path("a.npy.json")));
    QCOMPARE(j["fov_mm"].get<std::vector<double>>(), (std::vector<double>{12, 6, 9}));
    QCOMPARE(j["positions_mm"][0].get<std::vector<double>>(), (std::vector<double>{10, -20, 30}));
    QCOMPARE(j["provenance"].size(), std::size_t(2));
    const auto affine = niftiAffine(image.geometry, image.size);
    QCOMPARE(j["affine_ras"][1][3].get<double>(), affine[1][3]);
  }
  void pictureSequence() {
    const Image image = testImage({6, 4, 3}, 12, true);
    writeImage(image, path("movie/"), {}, Progress());
    const QStringList names = QDir(folder_->filePath("movie")).entryList(QDir::Files, QDir::Name);
    QCOMPARE(names.size(), 36);
    QCOMPARE(names.front(), QString("frame00_slice0.png"));
    QCOMPARE(names.back(), QString("frame11_slice2.png"));
    QCOMPARE(files(), QStringList{"movie"});
    // one window for all: the brightest picture is the last one
    const std::string png = readDocument(path("movie/frame11_slice2.png"));
    QVERIFY(png.find("pHYs") != std::string::npos);
    QVERIFY(png.find("axes = xy: as stored") != std::string::npos);
  }
  void cancelledWritesLeaveNothing() {
    const Image image = testImage({64, 64, 8}, 3, false);
    for (const char* name : {"a.h5", "a.cfl", "a.npy", "a.nii.gz", "a.png", "movie/"}) {
      std::stop_source stop;
      int reports = 0;
      const Progress progress(stop.get_token(), [&](double, const std::string&) {
        if (++reports == 2) stop.request_stop();
      });
      bool cancelled = false;
      try {
        writeImage(image, path(name), {}, progress);
      } catch (const Cancelled&) {
        cancelled = true;
      }
      QVERIFY2(cancelled, name);
      QVERIFY2(files().isEmpty(), qPrintable(files().join(' ')));
    }
  }
};

SPOKELAB_TEST(TestImageFormats)

}  // namespace test_image_formats

#include "test_image_formats.moc"
