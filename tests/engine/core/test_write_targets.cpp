// Targets that are not plain files: links remain links, devices and pipes are written to.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <future>
#include <stop_token>
#include <thread>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "tests/test_main.h"

using namespace spokelab;
namespace fs = std::filesystem;

class WriteTargetsTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void theFileBehindALinkIsReplacedAndTheLinkStays();
  void aPipeGetsAllBytes();
  void aFileThatIsWrittenPieceByPieceReachesAPipe();
  void aPipeThatNobodyReadsCanBeCancelled();
  void aReaderThatGoesIsAnError();
  void aDeviceStaysADevice();
  void aFullDeviceSaysSo();
  void aDescriptorOfThisProcessIsWrittenTo();
  void aFileThatMayNotBeWrittenStays();

 private:
  fs::path at(const std::string& name) const { return fs::path(folder_->path().toStdString()) / name; }
  int entries() const { return int(std::distance(fs::directory_iterator(at("")), fs::directory_iterator{})); }

  std::unique_ptr<QTemporaryDir> folder_;
};

void WriteTargetsTest::init() {
  folder_ = std::make_unique<QTemporaryDir>();
}

void WriteTargetsTest::theFileBehindALinkIsReplacedAndTheLinkStays() {
  fs::create_directories(at("data"));
  writeFileAtomically(at("data/file.txt"), "first");
  fs::create_symlink("data/file.txt", at("relative"));
  fs::create_symlink(at("relative"), at("link to link"));
  fs::create_symlink("data/not yet.txt", at("dangling"));
  for (const char* link : {"relative", "link to link", "dangling"}) {
    writeFileAtomically(at(link), link);
    QVERIFY2(fs::is_symlink(at(link)), link);
    QCOMPARE(readDocument(at(link)), std::string(link));
  }
  QCOMPARE(readDocument(at("data/file.txt")), std::string("link to link"));
  QCOMPARE(readDocument(at("data/not yet.txt")), std::string("dangling"));
  fs::create_symlink("circle", at("circle"));
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically(at("circle"), "x"), Error);
  QCOMPARE(entries(), 5);
}

void WriteTargetsTest::aPipeGetsAllBytes() {
  QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
  const std::string content(300'000, 'x');
  auto read = std::async(std::launch::async, [&] { return readDocument(at("pipe")); });
  writeFileAtomically(at("pipe"), content);
  QVERIFY(read.get() == content);
  QVERIFY(fs::is_fifo(at("pipe")));
  QCOMPARE(entries(), 1);
}

void WriteTargetsTest::aFileThatIsWrittenPieceByPieceReachesAPipe() {
  QCOMPARE(::mkfifo(at("pipe.h5").c_str(), 0600), 0);
  auto read = std::async(std::launch::async, [&] { return readDocument(at("pipe.h5")); });
  fs::path temporary;
  {
    AtomicFile file(at("pipe.h5"));
    temporary = file.path();
    QVERIFY(fs::is_regular_file(temporary) && temporary.extension() == ".h5");
    std::fstream(temporary, std::ios::out) << "abcdef";
    std::fstream(temporary, std::ios::in | std::ios::out).seekp(2) << 'C';
    file.commit();
  }
  QCOMPARE(read.get(), std::string("abCdef"));
  QVERIFY(!fs::exists(temporary));
}

void WriteTargetsTest::aPipeThatNobodyReadsCanBeCancelled() {
  QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
  std::stop_source stop;
  std::jthread later([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop.request_stop();
  });
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically(at("pipe"), "x", Progress(stop.get_token())), Cancelled);
}

void WriteTargetsTest::aReaderThatGoesIsAnError() {
  QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
  auto read = std::async(std::launch::async, [&] {
    const int in = ::open(at("pipe").c_str(), O_RDONLY);
    char byte = 0;
    const bool got = ::read(in, &byte, 1) == 1;
    ::close(in);
    return got;
  });
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically(at("pipe"), std::string(1'000'000, 'x')), Error);
  QVERIFY(read.get());
}

void WriteTargetsTest::aDeviceStaysADevice() {
  if (::mknod(at("null").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) QSKIP("devices cannot be made here");
  if (const int open = ::open(at("null").c_str(), O_WRONLY); open < 0)
    QSKIP("devices cannot be opened here");
  else
    ::close(open);
  writeFileAtomically(at("null"), "x");
  {
    AtomicFile file(at("null"));
    file.commit();
  }
  QVERIFY(fs::is_character_file(at("null")));
  QCOMPARE(entries(), 1);
}

void WriteTargetsTest::aFullDeviceSaysSo() {
  fs::create_symlink("/dev/full", at("full.json"));
  try {
    writeFileAtomically(at("full.json"), "x");
    QFAIL("no error");
  } catch (const Error& e) {
    QVERIFY2(e.reason().find("No space left") != std::string::npos, e.what());
    QVERIFY2(e.remedy().find("Free some space") != std::string::npos, e.what());
  }
  QVERIFY(fs::is_symlink(at("full.json")));
}

void WriteTargetsTest::aDescriptorOfThisProcessIsWrittenTo() {
  const int fd = ::open(at("out").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  QVERIFY(::write(fd, "before ", 7) == 7);
  const std::string name = std::to_string(fd);
  writeFileAtomically("/proc/self/fd/" + name, "one ");
  writeFileAtomically("/dev/fd/" + name, "two");
  ::close(fd);
  QCOMPARE(readDocument(at("out")), std::string("before one two"));
  QVERIFY_EXCEPTION_THROWN(requireWritable("/proc/self/fd/" + name), Error);
}

void WriteTargetsTest::aFileThatMayNotBeWrittenStays() {
  if (::geteuid() == 0) QSKIP("root may write everything");
  writeFileAtomically(at("raw.h5"), "raw");
  fs::permissions(at("raw.h5"), fs::perms::owner_read);
  QVERIFY_EXCEPTION_THROWN(writeFileAtomically(at("raw.h5"), "x"), Error);
  QCOMPARE(readDocument(at("raw.h5")), std::string("raw"));
}

SPOKELAB_TEST(WriteTargetsTest)
#include "test_write_targets.moc"
