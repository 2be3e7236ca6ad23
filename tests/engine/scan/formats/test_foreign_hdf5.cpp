// Files of other kinds are named, with the way on: never "no array" or "no trajectory".
#include <QtTest>

#include "engine/scan/formats/foreign/foreign_file.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/test_main.h"

namespace test_foreign_hdf5 {

using namespace spokelab;
using namespace spokelab::test;

class TestForeignHdf5 : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  // The message of readScan has both.
  void expect(const std::filesystem::path& file, const std::string& what, const std::string& wayOn) {
    try {
      readScan(file, ReadOptions(), Progress());
      QFAIL((file.string() + " was read").c_str());
    } catch (const Error& e) {
      QVERIFY2(e.reason().find(what) != std::string::npos, e.what());
      QVERIFY2(e.remedy().find(wayOn) != std::string::npos, e.what());
    }
  }

 private slots:
  void init() { renew(); }

  void scannersFilesAreNamed() {
    std::string ge(2000, '\0');
    ge.replace(34, 10, "GE_MED_NMR");
    write("P12345.7", ge);
    expect(path("P12345.7"), "GE scanner (P-file)", "Orchestra");
    Hdf5File(path("ScanArchive_1.h5")).write("Streams", {4}, std::vector<float>(4, 1.0f));
    expect(path("ScanArchive_1.h5"), "GE scanner (ScanArchive)", "GERecon");
    for (const char* name : {"ph.raw", "ph.lab", "ph.sin"}) write(name, "some bytes that say nothing");
    for (const char* name : {"ph.raw", "ph.lab", "ph.sin"})
      expect(path(name), "Philips scanner", "philips_to_ismrmrd");
    write("cpx.list", "# === DATA DESCRIPTION FILE =====\n#\n");
    write("cpx.data", "some bytes that say nothing");
    expect(path("cpx.list"), "Philips scanner (.list)", "MRecon");
    expect(path("cpx.data"), "Philips scanner (.data and .list)", "MRecon");
  }

  void brukersFoldersAreNamed() {
    std::filesystem::create_directory(path("5"));
    for (const char* name : {"5/acqp", "5/method"})
      write(name, "##TITLE=Parameter List, ParaVision 6.0.1\n##$PVM_Matrix=( 2 )\n");
    expect(path("5"), "experiment of a Bruker scanner without raw data", "rawdata.job0");
    expect(path("5/method"), "parameter file of a Bruker scanner", "rawdata.job0");
    write("5/fid", "some bytes that say nothing");
    expect(path("5"), "no possible number of samples", "Copy the experiment");
    write("subject", "##TITLE=");
    expect(path("."), "study of a Bruker scanner", "rawdata.job0");
  }

  void otherKindsAreNamed() {
    write("a.mrd", std::string("yardl\x01\0\0\0{\"protocol\"", 21));
    expect(path("a.mrd"), "MRD version 2", "mrd Python package");
    write("a.seq", "# Pulseq sequence file\n[VERSION]\nmajor 1\n");
    expect(path("a.seq"), "Pulseq sequence, without samples", "--trajectory");
    std::string dicom(232, '\1');
    std::fill_n(dicom.begin(), 128, '\0');
    dicom.replace(128, 4, "DICM");
    write("a.dcm", dicom);
    expect(path("a.dcm"), "DICOM", "--field-map");
    write("a.pkl", "\x80\x04\x95\x10numpy.core.multiarray");
    expect(path("a.pkl"), "pickle", "numpy.save");
    std::string torch(146, '\1');
    torch.replace(0, 4, "PK\x03\x04");
    torch.replace(30, 16, "archive/data.pkl");
    write("a.pt", torch);
    expect(path("a.pt"), "PyTorch", "numpy.save");
    write("a.h5.gz", "\x1f\x8b\x08 and so on");
    expect(path("a.h5.gz"), "gzip", "gunzip");
    write("a.h5", "<!DOCTYPE html><html><body>404</body></html>");
    expect(path("a.h5"), "web page", "Download");
    write("b.h5", "version https://git-lfs.github.com/spec/v1\noid sha256:1\n");
    expect(path("b.h5"), "Git LFS", "git lfs pull");
  }

  void nothingIsSaidOfBytesThatSayNothing() {
    write("noise", std::string(3000, '\7'));
    QVERIFY(!foreignFile(path("noise")));
    expect(path("noise"), "neither an HDF5 file", "Convert");
    QVERIFY(!foreignFile(path("missing")));
    QVERIFY(!foreignFolder(path(".")));
  }

  void realFilesAreNamed() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    const std::filesystem::path cases = std::filesystem::path(folder.toStdString()) / "cases";
    if (!std::filesystem::exists(cases)) QSKIP("real scans: the folder cases is not there");
    expect(cases / "other/kooshball.seq", "Pulseq sequence", "--trajectory");
    expect(cases / "other/mrd2_phantom.mrd", "MRD version 2", "Convert");
    expect(cases / "other/sparkling.bin", "trajectory, without samples", "--trajectory");
  }
};

SPOKELAB_CORE_TEST(TestForeignHdf5)

}  // namespace test_foreign_hdf5

#include "test_foreign_hdf5.moc"
