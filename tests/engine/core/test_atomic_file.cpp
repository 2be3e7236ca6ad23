#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "tests/test_main.h"

using namespace spokelab;
namespace fs = std::filesystem;

class AtomicFileTest : public QObject {
  Q_OBJECT

 private slots:
  void contentComesBack();
  void nothingIsLeftWithoutCommit();
  void earlierFileSurvivesAnAbandonedWrite();
  void temporaryLiesBesideTheTargetWithItsExtension();
  void impossibleTargetsAreErrors();
  void fullDiskIsAnErrorAndLeavesTheEarlierFile();
  void whatKilledWritersLeftIsRemoved();
  void missingFilesAndFoldersCannotBeRead();

 private:
  static int entries(const fs::path& folder) {
    return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
  }
};

void AtomicFileTest::contentComesBack() {
  QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "a.bin";
  std::string content(200'000, 'x');
  content[1000] = '\0';
  content[100'000] = '\n';
  writeFileAtomically(file, content);
  QVERIFY(readFile(file) == content);
  writeFileAtomically(file, "");
  QVERIFY(readFile(file).empty());
  QCOMPARE(entries(dir.path().toStdString()), 1);
}

void AtomicFileTest::nothingIsLeftWithoutCommit() {
  QTemporaryDir dir;
  {
    AtomicFile file(fs::path(dir.path().toStdString()) / "a.txt");
    std::ofstream(file.path()) << "half";
  }
  QCOMPARE(entries(dir.path().toStdString()), 0);
}

void AtomicFileTest::earlierFileSurvivesAnAbandonedWrite() {
  QTemporaryDir dir;
  const fs::path target = fs::path(dir.path().toStdString()) / "a.txt";
  writeFileAtomically(target, "first");
  {
    AtomicFile file(target);
    std::ofstream(file.path()) << "second";
  }
  QCOMPARE(readFile(target), std::string("first"));
  {
    AtomicFile file(target);
    std::ofstream(file.path()) << "third";
    file.commit();
  }
  QCOMPARE(readFile(target), std::string("third"));
}

void AtomicFileTest::temporaryLiesBesideTheTargetWithItsExtension() {
  QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  for (const char* name : {"a.png", "a.nii.gz", "scan.2026.json", "plain", ".hidden"}) {
    AtomicFile one(folder / name), two(folder / name);
    QVERIFY(one.path() != two.path());
    QCOMPARE(one.path().parent_path(), folder);
    QCOMPARE(one.path().extension(), fs::path(name).extension());
  }
  AtomicFile volume(folder / "a.nii.gz");
  QCOMPARE(volume.path().stem().extension(), fs::path(".nii"));
}

void AtomicFileTest::impossibleTargetsAreErrors() {
  QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder, "x"), Error);
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder / "none" / "a.txt", "x"), Error);
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically("", "x"), Error);
  writeFileAtomically(folder / "file", "x");
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder / "file" / "a.txt", "x"), Error);
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically("/proc/none.txt", "x"), Error);
  QCOMPARE(entries(folder), 1);
}

void AtomicFileTest::fullDiskIsAnErrorAndLeavesTheEarlierFile() {
  // A file size limit stands in for a full disk: the write ends the same way, half done.
  QTemporaryDir dir;
  const fs::path target = fs::path(dir.path().toStdString()) / "a.bin";
  writeFileAtomically(target, "first");
  struct rlimit before {};
  QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 4096;
  QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
  bool caught = false;
  try {
    writeFileAtomically(target, std::string(100'000, 'x'));
  } catch (const Error&) {
    caught = true;
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  QVERIFY(caught);
  QCOMPARE(readFile(target), std::string("first"));
  QCOMPARE(entries(dir.path().toStdString()), 1);
}

void AtomicFileTest::whatKilledWritersLeftIsRemoved() {
  QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const std::string gone = [] {  // a process that has ended
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    int status = 0;
    ::waitpid(child, &status, 0);
    return std::to_string(child);
  }();
  const std::string here = std::to_string(::getpid());
  const std::vector<std::string> left = {".a-" + gone + "-0.json", ".a-" + gone + "-17.json",
                                         ".b c-" + gone + "-1.nii.gz"};
  const std::vector<std::string> others = {
      ".a-" + here + "-9.json",  "a-" + gone + "-0.json", ".a-" + gone, ".a-x" + gone + "-0.json",
      ".a-" + gone + "-0x.json", ".-" + gone + "-.json",  ".a.json"};
  for (const std::string& name : left) std::ofstream(folder / name) << "half";
  for (const std::string& name : others) std::ofstream(folder / name) << "whole";
  removeAbandoned(folder, folder / "a.json");
  QCOMPARE(entries(folder), 1 + int(others.size()));
  removeAbandoned(folder);
  QCOMPARE(entries(folder), int(others.size()));
  for (const std::string& name : others) QVERIFY2(fs::exists(folder / name), name.c_str());
  removeAbandoned(folder / "none");
}

void AtomicFileTest::missingFilesAndFoldersCannotBeRead() {
  QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  QVERIFY_EXCEPTION_THROWN(readFile(folder / "none.txt"), Error);
  QVERIFY_EXCEPTION_THROWN(readFile(folder), Error);
  QVERIFY_EXCEPTION_THROWN(readFile(""), Error);
}

SPOKELAB_TEST(AtomicFileTest)
#include "test_atomic_file.moc"
