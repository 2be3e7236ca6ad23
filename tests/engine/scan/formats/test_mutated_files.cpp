// Whatever bits of a scan's file are flipped, wherever it is cut: an answer or an Error, soon, and
// never a crash.
#include <QtTest>

#include <chrono>
#include <fstream>
#include <random>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/campaign.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

using namespace spokelab;

namespace {

constexpr int flips = 200, cuts = 60;
constexpr double longestSeconds = 60;  // the child may compute for 3 s; the machine may be busy

std::string smallScan(const std::filesystem::path& file) {
  SimulateOptions o;
  o.trajectory.matrix = {16, 16, 1};
  o.trajectory.shots = 6;
  o.coils = 2;
  const auto scan = simulate(o, Progress());
  test::writeVariant(file, test::headerText(test::spaceOf(*scan), test::spaceOf(*scan)),
                     test::acquisitionsOf(*scan));
  return readDocument(file);
}

}  // namespace

class TestMutatedFiles : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::filesystem::path file_;
  std::string sound_;
  int read_ = 0, refused_ = 0, died_ = 0;

  void check(const std::string& bytes, const std::string& what) {
    {
      std::ofstream out(file_, std::ios::binary | std::ios::trunc);
      out.write(bytes.data(), std::streamsize(bytes.size()));
    }
    const auto start = std::chrono::steady_clock::now();
    try {
      validate(*readScan(file_, ReadOptions(), Progress()));
      ++read_;
    } catch (const Error& e) {
      QVERIFY2(!e.summary().empty() && !e.reason().empty(), what.c_str());
      ++refused_;
      died_ += e.reason().find("the library for its format") != std::string::npos;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    QVERIFY2(taken.count() < longestSeconds, what.c_str());
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    file_ = folder_.filePath("scan.h5").toStdString();
    sound_ = smallScan(file_);
    QCOMPARE(readScan(file_, ReadOptions(), Progress())->trajectory(0).shots(), std::int64_t(6));
  }

  void flippedBits() {
    std::mt19937 random(test::campaignSeed(1));
    for (int i = 0; i < flips * test::campaignFactor(); ++i) {
      std::string bytes = sound_;
      const int n = 1 + i % 8;
      std::string what = "flipped";
      for (int j = 0; j < n; ++j) {
        const std::size_t at = random() % bytes.size();
        bytes[at] = char(bytes[at] ^ (1 << random() % 8));
        what += " " + std::to_string(at);
      }
      check(bytes, what);
    }
    qInfo("%d read, %d refused, of these %d by the end of the child", read_, refused_, died_);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  // The structures of HDF5 lie at the file's front: hit them more often.
  void flippedBitsInTheFront() {
    std::mt19937 random(test::campaignSeed(2));
    const std::size_t front = std::min<std::size_t>(sound_.size(), 6000);
    for (int i = 0; i < flips * test::campaignFactor(); ++i) {
      std::string bytes = sound_;
      const std::size_t at = random() % front;
      bytes[at] = i % 2 ? char(random()) : char(bytes[at] ^ (1 << random() % 8));
      check(bytes, "changed byte " + std::to_string(at));
    }
    qInfo("%d read, %d refused, of these %d by the end of the child", read_, refused_, died_);
  }

  void cutFiles() {
    std::mt19937 random(test::campaignSeed(3));
    for (int i = 0; i < cuts * test::campaignFactor(); ++i) {
      const std::size_t length = random() % sound_.size();
      const int before = read_;
      check(sound_.substr(0, length), "cut at " + std::to_string(length));
      QCOMPARE(read_, before);
    }
    test::countCases("damaged ISMRMRD files", read_ + refused_);
  }
};

SPOKELAB_CORE_TEST(TestMutatedFiles)
#include "test_mutated_files.moc"
