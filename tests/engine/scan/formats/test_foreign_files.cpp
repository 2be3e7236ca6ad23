// An output takes the place of a file only where that file is of a kind that this program writes, told by
// what it holds: HDF5 and plain files of other programs, and scans of ours to which something was added, stay.
#include <hdf5.h>

#include <QtTest>

#include <filesystem>
#include <fstream>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/scan/formats/acquisitions/raw_data.h"
#include "engine/scan/formats/acquisitions/write_samples.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/formats/own_files.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

using namespace spokelab;
namespace fs = std::filesystem;

class TestForeignFiles : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  fs::path at(const std::string& name) const { return fs::path(folder_.path().toStdString()) / name; }
  static void keep(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
  }

  static std::shared_ptr<const Scan> scan() {
    SimulateOptions options;
    options.trajectory.matrix = {16, 16, 1};
    options.coils = 1;
    return simulate(options, {});
  }
  static bool replaceable(const fs::path& file, OutputKind kind) {
    try {
      requireReplaceable(file, kind);
      return true;
    } catch (const Error& error) {
      return !QString::fromStdString(error.remedy()).contains("--force");
    }
  }
  // Adds a data set, or an attribute of `place`, to an HDF5 file.
  static void add(const fs::path& file, const char* dataset, const char* attributeOf = nullptr) {
    const Hdf5Lock lock;
    const bool there = fs::exists(file);
    const Hdf5Handle h5(there ? H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                              : H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                        H5Fclose);
    const hsize_t count = 4;
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    if (dataset)
      const Hdf5Handle set(
          H5Dcreate2(h5.get(), dataset, H5T_NATIVE_FLOAT, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          H5Dclose);
    if (!attributeOf) return;
    const Hdf5Handle object(H5Oopen(h5.get(), attributeOf, H5P_DEFAULT), H5Oclose);
    const Hdf5Handle attribute(
        H5Acreate2(object.get(), "note", H5T_NATIVE_FLOAT, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    QVERIFY(attribute.valid());
  }

 private slots:
  void initTestCase() { protectFiles(); }
  void cleanupTestCase() { protectRawData(); }

  void hdf5OfOthersStays() {
    add(at("fastmri.h5"), "kspace");
    add(at("empty.h5"), nullptr);
    writeScan(*scan(), at("own.h5"), {});
    QVERIFY(replaceable(at("own.h5"), OutputKind::rawData));
    QVERIFY(!replaceable(at("own.h5"), OutputKind::result));
    for (const char* name : {"array.h5", "root.h5", "group.h5", "data.h5"})
      fs::copy_file(at("own.h5"), at(name));
    add(at("array.h5"), "dataset/field");
    add(at("root.h5"), nullptr, "/");
    add(at("group.h5"), nullptr, "dataset");
    add(at("data.h5"), nullptr, "dataset/data");
    for (const char* name : {"fastmri.h5", "empty.h5", "array.h5", "root.h5", "group.h5", "data.h5"})
      for (const OutputKind kind : {OutputKind::result, OutputKind::rawData})
        QVERIFY2(!replaceable(at(name), kind), name);
  }

  void imagesAreReplacedUnlessSomethingWasAdded() {
    Image image = nominalImage({8, 8, 1}, "square");
    image.data.resize(std::size_t(image.volume()));
    for (const char* name : {"i.h5", "i.nii", "i.nii.gz", "i.npy", "i.png", "i.cfl"}) {
      writeImage(image, at(name), {}, {});
      writeImage(image, at(name), {}, {});
    }
    add(at("i.h5"), "mask");
    QVERIFY(!replaceable(at("i.h5"), OutputKind::result));
  }

  void samplesOfOursAreReplaced() {
    for (const char* name : {"k.npy", "k.cfl"}) {
      writeSamples(*scan(), at(name), {});
      writeSamples(*scan(), at(name), {});
    }
  }

  void plainFilesOfOthersStay_data() {
    QTest::addColumn<QByteArray>("content");
    const auto row = [](const char* name, const QByteArray& content) { QTest::newRow(name) << content; };
    const QByteArray dictionary = "{'descr': '<c8', 'fortran_order': False, 'shape': (4, 101, 64), }";
    const auto numpy = [&](int blanks) {
      const QByteArray text = dictionary + QByteArray(blanks, ' ') + '\n';
      return QByteArray("\x93NUMPY\x01\0", 8) + char(text.size()) + '\0' + text + QByteArray(64, '\1');
    };
    row("k.npy", numpy(128 - 10 - 1 - int(dictionary.size())));
    row("grown.npy", numpy(192 - 10 - 1 - int(dictionary.size())));
    row("k.mat", "MATLAB 5.0 MAT-file, Platform: GLNXA64" + QByteArray(90, ' '));
    row("k.npz", QByteArray("PK\x03\x04", 4) + QByteArray(60, '\0'));
    row("k.cfl", QByteArray(256, '\1'));
    row("k.hdr", "# Dimensions\n1 64 101 4\n# Creator\nBART v0.9\n");
    row("stream.mrd", QByteArray("\x01\0\x03\0", 4) + QByteArray(300, '\2'));
    row("k.gz", QByteArray("\x1f\x8b\x08\0", 4) + QByteArray(30, '\0'));
    row("scan.json", R"({"spokelab-scan": 1, "provenance": {"program": "Spokelab"}})");
    row("bids.json", R"({"Manufacturer": "Siemens", "EchoTime": 0.004})");
    row("half.json", R"({"provenance": {"program": "Spokelab")");
    row("notes.txt", "Shots 3, 4 are bad.\nSpokelab says so.\n");
    row("run.sh", "#!/bin/sh\nspokelab-cli reconstruct a.h5 -o b.npy\n");
    row("code.py", "import os, sys\nprint(os.name)\n");
    row("page.html", "<!DOCTYPE html>\n<title>of another program</title>\n");
    row("zeros", QByteArray(100, '\0'));
  }
  void plainFilesOfOthersStay() {
    QFETCH(QByteArray, content);
    const fs::path file = at(QTest::currentDataTag());
    keep(file, content.toStdString());
    QVERIFY(!foreignContents(file).empty());
    QVERIFY_EXCEPTION_THROWN(writeFileAtomically(file, "x,y\n"), Error);
    QVERIFY_EXCEPTION_THROWN(AtomicFile(file, OutputKind::rawData), Error);
    QCOMPARE(QByteArray::fromStdString([&] {
               std::ifstream in(file, std::ios::binary);
               return std::string(std::istreambuf_iterator<char>(in), {});
             }()),
             content);
    requireReplaceable(file, OutputKind::words);  // a log is appended to
  }

  void tablesAndDocumentsOfOursAreReplaced() {
    for (const auto& [name, content] :
         {std::pair("t.csv", "alpha,width\n1.25,\"4,5\"\n"), std::pair("one.csv", "a,b"),
          std::pair("d.json", R"({"provenance": {"program": "Spokelab"}, "z": [1, 2]})"),
          std::pair("w.json", R"({"entries": {}, "format": "spokelab-wisdom"})"),
          std::pair("trace.json", R"({"displayTimeUnit": "ms", "traceEvents": []})"),
          std::pair("c.svg", "<?xml version=\"1.0\"?>\n<svg width=\"3\"></svg>"), std::pair("empty", "")}) {
      keep(at(name), content);
      QVERIFY2(foreignContents(at(name)).empty(), foreignContents(at(name)).c_str());
      writeFileAtomically(at(name), "");
    }
  }
};

SPOKELAB_CORE_TEST(TestForeignFiles)
#include "test_foreign_files.moc"
