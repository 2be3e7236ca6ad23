#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/output/temporary_name.h"
#include "tests/test_main.h"

namespace test_atomic_file {

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
  QVERIFY(readDocument(file) == content);
  writeFileAtomically(file, "");
  QVERIFY(readDocument(file).empty());
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
  QCOMPARE(readDocument(target), std::string("first"));
  {
    AtomicFile file(target);
    std::ofstream(file.path()) << "third";
    file.commit();
  }
  QCOMPARE(readDocument(target), std::string("third"));
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
  // A file size limit replaces a full disk: the write ends the same way, half done.
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
  QCOMPARE(readDocument(target), std::string("first"));
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
  const auto nameBy = [&](const fs::path& target, const std::string& process) {
    std::string name = temporaryName(folder, target).filename().string();
    const std::string own = "-" + here + "-";
    return name.replace(name.rfind(own), own.size(), "-" + process + "-");
  };
  constexpr std::size_t markDigits = 24, hostDigits = 8;
  const auto marked = [&](std::string name, std::size_t at) {  // another host, boot or container
    char& digit = name[name.find("a-") + 2 + at];
    digit = digit == '0' ? '1' : '0';
    return name;
  };
  const std::string dead = nameBy("a.json", gone);
  std::string longName = ".h5";
  longName.insert(0, 250, 'x');
  const std::vector<std::string> left = {dead, nameBy("b c.nii.gz", gone), nameBy("folder", gone),
                                         nameBy(longName, gone), marked(nameBy("a.json", here), hostDigits)};
  const std::vector<std::string> others = {nameBy("a.json", here),
                                           marked(dead, 0),
                                           marked(dead, markDigits - 1),
                                           dead.substr(1),
                                           ".a-" + gone + "-0.json",
                                           ".a.json",
                                           "a.json",
                                           dead + ".json"};
  for (const std::string& name : left) std::ofstream(folder / name) << "half";
  fs::remove(folder / left[2]);
  fs::create_directories(folder / left[2] / "inside");
  for (const std::string& name : others) std::ofstream(folder / name) << "whole";
  QCOMPARE(entries(folder), int(left.size() + others.size()));
  writeFileAtomically(folder / "a.json", "any writer in the folder takes them away");
  QCOMPARE(entries(folder), int(others.size()));
  for (const std::string& name : others) QVERIFY2(fs::exists(folder / name), name.c_str());
  removeAbandoned(folder / "none");
}

void AtomicFileTest::missingFilesAndFoldersCannotBeRead() {
  QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  QVERIFY_EXCEPTION_THROWN(readDocument(folder / "none.txt"), Error);
  QVERIFY_EXCEPTION_THROWN(readDocument(folder), Error);
  QVERIFY_EXCEPTION_THROWN(readDocument(""), Error);
}

SPOKELAB_TEST(AtomicFileTest)

}  // namespace test_atomic_file

#include "test_atomic_file.moc"
