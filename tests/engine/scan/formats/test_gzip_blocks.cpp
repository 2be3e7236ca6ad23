// Gzip streams that all cores compress: one ordinary member for every reader, about as small as
// zlib's own, and errors of the disk reach the caller.
#include <QtTest>

#include <zlib.h>

#include <cmath>
#include <fstream>
#include <random>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/gzip_blocks.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/test_main.h"

namespace test_gzip_blocks {

using namespace spokelab;

namespace {

enum class Kind { noise, zeros, smooth, mixed };

std::string bytesOf(Kind kind, std::size_t count) {
  std::minstd_rand random(3);
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    if (kind == Kind::noise || (kind == Kind::mixed && i / 3000 % 2 == 0)) bytes[i] = char(random() >> 8);
    if (kind == Kind::smooth) bytes[i] = char(std::lround(100 * std::sin(double(i) / 500)));
  }
  return bytes;
}

std::string compressed(const std::string& bytes, std::size_t piece) {
  std::string out;
  GzipBlocks blocks([&](const void* data, std::size_t n) { out.append(static_cast<const char*>(data), n); });
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    blocks.add(bytes.data() + at, std::min(piece, bytes.size() - at));
  blocks.finish();
  return out;
}

// As a reader of a single member sees it; `left`: bytes of the file behind its end.
std::string inflated(std::string file, std::size_t expected, std::size_t& left) {
  constexpr int gzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  inflateInit2(&stream, gzipOnly);
  std::string out(expected + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(file.data());
  stream.avail_in = uInt(file.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  const int result = inflate(&stream, Z_FINISH);
  left = result == Z_STREAM_END ? stream.avail_in : file.size();
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

constexpr std::size_t block = std::size_t(1) << 18;

}  // namespace

class TestGzipBlocks : public QObject {
  Q_OBJECT

 private slots:
  void zlibReadsOneMember_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<quint64>("piece");
    const quint64 small = 1000;
    QTest::newRow("nothing") << int(Kind::noise) << quint64(0) << small;
    QTest::newRow("a byte") << int(Kind::noise) << quint64(1) << small;
    QTest::newRow("a byte less than a block") << int(Kind::noise) << quint64(block - 1) << small;
    QTest::newRow("a block") << int(Kind::smooth) << quint64(block) << small;
    QTest::newRow("blocks and a rest") << int(Kind::mixed) << quint64(5 * block + 7) << small;
    QTest::newRow("a header, then all") << int(Kind::mixed) << quint64(5 * block + 7) << quint64(4 * block);
    QTest::newRow("noise at once") << int(Kind::noise) << quint64(9 * block) << quint64(9 * block);
    QTest::newRow("zeros at once") << int(Kind::zeros) << quint64(9 * block) << quint64(9 * block);
  }
  void zlibReadsOneMember() {
    QFETCH(int, kind);
    QFETCH(quint64, bytes);
    QFETCH(quint64, piece);
    const std::string in = bytesOf(Kind(kind), bytes), file = compressed(in, piece);
    std::size_t left = 1;
    QVERIFY(inflated(file, in.size(), left) == in);
    QCOMPARE(left, std::size_t(0));
  }
  void aFlippedBitIsFound() {
    const std::string in = bytesOf(Kind::noise, 3 * block);
    std::string file = compressed(in, block);
    file[file.size() - 6] = char(file[file.size() - 6] ^ 1);  // of the checksum
    std::size_t left = 0;
    inflated(file, in.size(), left);
    QVERIFY(left > 0);
  }
  // Against one stream of zlib's fastest level.
  void hardlyLargerThanOneStream_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("noise") << int(Kind::noise);
    QTest::newRow("zeros") << int(Kind::zeros);
    QTest::newRow("smooth") << int(Kind::smooth);
    QTest::newRow("mixed") << int(Kind::mixed);
  }
  void hardlyLargerThanOneStream() {
    QFETCH(int, kind);
    const std::string in = bytesOf(Kind(kind), 8 * block);
    uLongf whole = compressBound(in.size());
    std::string one(whole, '\0');
    QCOMPARE(compress2(reinterpret_cast<Bytef*>(one.data()), &whole,
                       reinterpret_cast<const Bytef*>(in.data()), in.size(), 1),
             Z_OK);
    constexpr double maxGrowth = 1.05;
    constexpr std::size_t perBlock = 400;  // tables and ends: all there is of zeros
    const std::size_t size = compressed(in, in.size()).size();
    QVERIFY2(double(size) < maxGrowth * double(whole) + 8 * perBlock,
             qPrintable(QString("%1 against %2").arg(size).arg(whole)));
  }
  void errorsOfTheDiskReachTheCaller() {
    const std::string in = bytesOf(Kind::noise, 4 * block);
    std::size_t written = 0;
    GzipBlocks blocks([&](const void*, std::size_t n) {
      written += n;
      if (written > block) throw Error("Cannot write x", "No space left on device", "Free some space");
    });
    QVERIFY_EXCEPTION_THROWN(
        {
          for (int i = 0; i < 4; ++i) blocks.add(in.data(), in.size());
          blocks.finish();
        },
        Error);
  }
  void gzipReadsImages() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("i.nii.gz").toStdString();
    Image image;
    image.size = image.geometry.matrix = {90, 80, 70};
    const std::string noise = bytesOf(Kind::noise, std::size_t(image.volume()));
    for (const char c : noise) image.data.emplace_back(float(c), float(c) / 3);
    writeImage(image, file, {}, Progress());
    const Image back = readImage(file, Progress());
    QVERIFY(back.data == image.data);
    QProcess gzip;
    gzip.start("gzip", {"-t", QString::fromStdString(file.string())});
    if (!gzip.waitForStarted()) QSKIP("there is no gzip here");
    QVERIFY(gzip.waitForFinished());
    QCOMPARE(gzip.readAllStandardError(), QByteArray());
    QCOMPARE(gzip.exitCode(), 0);
  }
};

SPOKELAB_TEST(TestGzipBlocks)

}  // namespace test_gzip_blocks

#include "test_gzip_blocks.moc"
