// HDF5 files that link to others: within their folder they are read and that is said; out of it they are
// refused unless the user allows it. No filter of another program is loaded for a file.
#include <hdf5.h>

#include <QtTest>

#include <algorithm>
#include <filesystem>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/arrays/hdf5_datasets.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"
#include "engine/scan/read/header/mrd_header.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_linked_files {

using namespace spokelab;
namespace fs = std::filesystem;

class TestLinkedFiles : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  fs::path at(const std::string& name) const { return fs::path(folder_.path().toStdString()) / name; }

  fs::path linkTo(const std::string& name, const std::string& target) const {
    const Hdf5Lock lock;
    const Hdf5Handle h5(H5Fcreate(at(name).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    H5Lcreate_external(target.c_str(), "dataset", h5.get(), "dataset", H5P_DEFAULT, H5P_DEFAULT);
    return at(name);
  }
  static QString refusal(const fs::path& file, const ReadOptions& options = {}) {
    try {
      readScan(file, options, {});
      return {};
    } catch (const Error& error) {
      return QString::fromStdString(error.reason() + "|" + error.remedy());
    }
  }

 private slots:
  void initTestCase() {
    SimulateOptions options;
    options.trajectory.matrix = {16, 16, 1};
    options.coils = 1;
    const auto scan = simulate(options, {});
    fs::create_directories(at("home/below"));
    fs::create_directories(at("away"));
    for (const char* name : {"home/below/real.h5", "away/real.h5"}) writeScan(*scan, at(name), {});
    fs::create_symlink("../away/real.h5", at("home/disguised.h5"));
  }

  void aLinkInTheFolderIsFollowedAndSaid() {
    const auto scan = readScan(linkTo("home/a.h5", "below/real.h5"), {}, {});
    QCOMPARE(scan->coils, 1);
    const auto said = std::find_if(scan->decisions.begin(), scan->decisions.end(),
                                   [](const Decision& d) { return d.topic == "external-links"; });
    QVERIFY(said != scan->decisions.end());
    QVERIFY2(said->evidence.find("dataset in below/real.h5") != std::string::npos, said->evidence.c_str());
  }

  void aLinkOutOfItIsRefusedUnlessAllowed() {
    const fs::path chain = linkTo("home/chain.h5", "middle.h5");
    linkTo("home/middle.h5", "../away/real.h5");
    for (const fs::path& file :
         {linkTo("home/b.h5", "../away/real.h5"), linkTo("home/c.h5", at("away/real.h5").string()),
          linkTo("home/d.h5", "disguised.h5"), linkTo("home/e.h5", "nowhere.h5"), chain}) {
      const QString said = refusal(file);
      QVERIFY2(said.contains("in another file") && said.contains("external-links=anywhere"),
               qPrintable(said));
    }
    ReadOptions options;
    options.overrides["external-links"] = "anywhere";
    QVERIFY(refusal(at("home/b.h5"), options).isEmpty());
  }

  void aDataSetIsNotReadFromAnotherFolder() {
    const std::string below = linkTo("home/f.h5", "below/real.h5").string(),
                      away = linkTo("home/g.h5", "../away/real.h5").string();
    const auto listed = [](const std::string& file) {
      try {
        hdf5Contents(file, Progress());
        return QString();
      } catch (const Error& error) {
        return QString::fromStdString(error.reason());
      }
    };
    QVERIFY2(listed(below).isEmpty(), qPrintable(listed(below)));
    QVERIFY2(listed(away).contains("outside its folder"), qPrintable(listed(away)));
    const QString read = refusal(away + ":dataset/data");
    QVERIFY2(read.contains("info g.h5:dataset/data"), qPrintable(read));
  }

  void theSizeOfLinkedFilesBoundsWhatAFileMayHold() {
    const fs::path file = linkTo("home/h.h5", "below/real.h5");
    linkTo("home/i.h5", "h.h5");
    linkTo("home/j.h5", "i.h5");
    const Hdf5Lock lock;
    const Hdf5Handle h5(H5Fopen(at("home/j.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    for (const LinkReach reach : {LinkReach::folder, LinkReach::anywhere}) {
      const LinkedFiles found = checkedLinks(h5.get(), at("home/j.h5"), reach);
      QCOMPARE(found.bytes, std::uint64_t(fs::file_size(file) + fs::file_size(at("home/i.h5")) +
                                          fs::file_size(at("home/below/real.h5"))));
      QCOMPARE(found.links.size(), std::size_t(3));
    }
  }

  void noFilterIsLoadedForAFile() {
    const Hdf5Lock lock;
    unsigned state = ~0U;
    QVERIFY(H5PLget_loading_state(&state) >= 0);
    QCOMPARE(state, 0U);
  }

  void aNumberThatIsNoneIsRefused_data() {
    QTest::addColumn<QString>("number");
    QTest::addColumn<bool>("fine");
    QTest::newRow("plain") << "240" << true;
    QTest::newRow("with a point") << " 240.5 " << true;
    QTest::newRow("not given") << "" << true;
    QTest::newRow("a word") << "abc" << false;
    QTest::newRow("a comma") << "240,5" << false;
    QTest::newRow("a unit") << "240 mm" << false;
  }
  void aNumberThatIsNoneIsRefused() {
    QFETCH(QString, number);
    QFETCH(bool, fine);
    const QString space = "<matrixSize><x>64</x><y>64</y><z>1</z></matrixSize><fieldOfView_mm><x>" + number +
                          "</x><y>240</y><z>5</z></fieldOfView_mm>";
    const QString xml =
        "<?xml version=\"1.0\"?><ismrmrdHeader "
        "xmlns=\"http://www.ismrm.org/ISMRMRD\"><experimentalConditions>"
        "<H1resonanceFrequency_Hz>0</H1resonanceFrequency_Hz></"
        "experimentalConditions><encoding><encodedSpace>" +
        space + "</encodedSpace><reconSpace>" + space +
        "</reconSpace><encodingLimits></encodingLimits><trajectory>other</trajectory></encoding></"
        "ismrmrdHeader>";
    try {
      parseMrdHeader(xml.toStdString(), "Cannot read x");
      QVERIFY2(fine, qPrintable(number));
    } catch (const Error& error) {
      QVERIFY2(!fine && error.reason().find("is not a number") != std::string::npos, error.what());
    }
  }
};

SPOKELAB_CORE_TEST(TestLinkedFiles)

}  // namespace test_linked_files

#include "test_linked_files.moc"
