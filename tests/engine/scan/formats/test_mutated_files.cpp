// Whatever bits of a scan's or an image's file are flipped, wherever it is cut: an answer or an Error,
// soon, and never a crash.
#include <QtTest>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <random>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/campaign.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"
#include "tests/thread_time.h"

namespace test_mutated_files {

using namespace spokelab;

namespace {

constexpr int flips = 200, cuts = 60;
// The child may compute for 3 s. On a loaded machine it waits for its turn as well.
constexpr double longestSeconds = 60;

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

// Two frames of three slices, complex, with a geometry of their own.
std::string smallImage(const std::filesystem::path& file) {
  Image image = nominalImage({9, 7, 3}, "small");
  image.frames = 2;
  image.geometry.fov = {90, 70, 6};
  image.geometry.slicePositions = {{0, 0, 0}, {0, 0, 2}, {0, 0, 4}};
  image.provenance = {"made by a test"};
  for (std::int64_t i = 0; i < image.frames * image.volume(); ++i)
    image.data.emplace_back(float(i % 13), float(i % 7));
  writeImage(image, file, WriteOptions(), Progress());
  return readDocument(file);
}

// An answer that holds what it says.
void readWhole(const std::filesystem::path& file) {
  const Image image = readImage(file, Progress());
  if (image.frames < 1 || image.volume() < 1 ||
      std::visit([](const auto* values) { return values == nullptr; }, image.values()))
    throw std::logic_error("an image without values");
}

}  // namespace

class TestMutatedFiles : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::filesystem::path file_;
  std::string sound_, image_;
  int read_ = 0, refused_ = 0, died_ = 0;

  void check(
      const std::string& bytes, const std::string& what,
      const std::function<void(const std::filesystem::path&)>& read = [](const auto& file) {
        validate(*readScan(file, ReadOptions(), Progress()));
      }) {
    {
      std::ofstream out(file_, std::ios::binary | std::ios::trunc);
      out.write(bytes.data(), std::streamsize(bytes.size()));
    }
    const auto start = std::chrono::steady_clock::now();
    try {
      read(file_);
      ++read_;
    } catch (const Error& e) {
      QVERIFY2(!e.summary().empty() && !e.reason().empty(), what.c_str());
      ++refused_;
      died_ += e.reason().find("the library for its format") != std::string::npos;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    QVERIFY2(taken.count() < longestSeconds * std::max(1.0, loadPerProcessor()), what.c_str());
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    file_ = folder_.filePath("scan.h5").toStdString();
    sound_ = smallScan(file_);
    QCOMPARE(readScan(file_, ReadOptions(), Progress())->trajectory(0).shots(), std::int64_t(6));
    const std::filesystem::path image = folder_.filePath("image.h5").toStdString();
    image_ = smallImage(image);
    QCOMPARE(readImage(image, Progress()).frames, 2);
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

  // Images, as they are read for a reference or a map.
  void damagedImages() {
    std::mt19937 random(test::campaignSeed(4));
    read_ = refused_ = died_ = 0;
    for (int i = 0; i < flips * test::campaignFactor(); ++i) {
      std::string bytes = image_;
      std::string what = "changed";
      for (int n = i % 4; n >= 0; --n) {
        const std::size_t at = random() % bytes.size();
        bytes[at] = i % 2 ? char(random()) : char(bytes[at] ^ (1 << random() % 8));
        what += " " + std::to_string(at);
      }
      check(bytes, what, readWhole);
    }
    QVERIFY(read_ > 0 && refused_ > 0);
    for (int i = 0; i < cuts * test::campaignFactor(); ++i) {
      const std::size_t length = random() % image_.size();
      const int before = read_;
      check(image_.substr(0, length), "cut at " + std::to_string(length), readWhole);
      QCOMPARE(read_, before);
    }
    qInfo("%d read, %d refused, of these %d by the end of the child", read_, refused_, died_);
    test::countCases("damaged ISMRMRD images", read_ + refused_);
  }
};

SPOKELAB_CORE_TEST(TestMutatedFiles)

}  // namespace test_mutated_files

#include "test_mutated_files.moc"
