// A job's inputs are never overwritten, by whatever name.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/staged_folder.h"
#include "tests/test_main.h"

using namespace spokelab;
namespace fs = std::filesystem;

class JobFilesTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  fs::path at(const std::string& name) const { return fs::path(folder_.path().toStdString()) / name; }

 private slots:
  void initTestCase() {
    fs::create_directories(at("folder"));
    std::ofstream(at("folder/scan.h5")) << "raw data";
    std::ofstream(at("other.h5")) << "other";
    fs::create_symlink("folder/scan.h5", at("link.h5"));
    fs::create_hard_link(at("folder/scan.h5"), at("hard.h5"));
  }

  void anInputIsNoOutputByAnyName() {
    for (const char* name : {"folder/scan.h5", "folder/../folder/scan.h5", "link.h5", "hard.h5"}) {
      JobFiles one, two;
      one.reads(at("folder/scan.h5"));
      QVERIFY_EXCEPTION_THROWN(one.writes(at(name)), Error);
      two.writes(at("other.h5"));
      QVERIFY_EXCEPTION_THROWN(two.writesInto(at("folder"), "scan.h5"), Error);  // read by the other
    }
    JobFiles reversed;
    reversed.writes(at("link.h5"));
    QVERIFY_EXCEPTION_THROWN(reversed.reads(at("hard.h5")), Error);
  }

  void noWriterReplacesWhatAJobReads() {
    const JobFiles job;
    noteInput(at("link.h5"));
    QVERIFY_EXCEPTION_THROWN(writeFileAtomically(at("folder/scan.h5"), "x"), Error);
    QVERIFY_EXCEPTION_THROWN(AtomicFile{at("hard.h5")}, Error);
    {
      StagedFolder staged(at("folder"));
      std::ofstream(staged.path() / "a.txt") << "new";
      std::ofstream(staged.path() / "scan.h5") << "new";
      QVERIFY_EXCEPTION_THROWN(staged.commit(), Error);
    }
    QVERIFY(!fs::exists(at("folder/a.txt")));
    QCOMPARE(readDocument(at("folder/scan.h5")), std::string("raw data"));
  }

  void aFileThatIsReadWhileItIsWrittenStays() {
    const JobFiles job;
    AtomicFile file(at("late.txt"));
    std::ofstream(at("late.txt")) << "input";
    noteInput(at("late.txt"));
    QVERIFY_EXCEPTION_THROWN(file.commit(), Error);
    QCOMPARE(readDocument(at("late.txt")), std::string("input"));
  }

  void twoOutputsAreTwoFiles() {
    JobFiles job;
    job.writes(at("new.json"));
    QVERIFY_EXCEPTION_THROWN(job.writes(at("folder/../new.json")), Error);
    job.writesInto(at("not there"), "a.csv");
    job.keeps(at("wisdom.json"));
    QVERIFY_EXCEPTION_THROWN(job.writes(at("wisdom.json")), Error);
    job.writes("-");
    job.writes("");
    const std::vector<fs::path> expected = {at("new.json"), at("not there/a.csv"), at("wisdom.json")};
    QVERIFY(job.outputs() == expected);  // standard output and an empty name are not files
  }

  void devicesTakeSeveralOutputsAndInputs() {
    JobFiles job;
    job.reads("/dev/null");
    job.writes("/dev/null");
    job.writes("/dev/null");
    writeFileAtomically("/dev/null", "nothing");
    QVERIFY(fs::is_character_file("/dev/null"));
  }

  void anEndedJobKeepsNothing() {
    { JobFiles().reads(at("other.h5")); }
    writeFileAtomically(at("other.h5"), "new");
    QCOMPARE(readDocument(at("other.h5")), std::string("new"));
  }
};

SPOKELAB_TEST(JobFilesTest)
#include "test_job_files.moc"
