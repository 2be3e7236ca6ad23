// Headers of .npy and .hdr are read as their writers mean them, or refused; values arrive in any
// element type and byte order.
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include "engine/scan/formats/arrays/array_file.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

template <class T>
std::string swapped(const std::vector<T>& values) {
  std::string bytes = bytesOf(values);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) std::reverse(&bytes[i], &bytes[i] + sizeof(T));
  return bytes;
}

class TestArrayFiles : public QObject, private ArrayFolder {
  Q_OBJECT

 private slots:
  void init() { renew(); }

  void elementTypes() {
    const auto first = [&](const std::string& bytes) {
      write("a.npy", bytes);
      cdouble value = 0;
      ArrayFile(path("a.npy")).read(Progress(), "", [&](std::int64_t at, const cdouble* v, std::int64_t n) {
        if (at <= 1 && at + n > 1) value = v[1 - at];
      });
      return value;
    };
    QCOMPARE(first(npyHeader("<f4", {2}) + bytesOf<float>({1, -2.5F})), cdouble(-2.5));
    QCOMPARE(first(npyHeader(">f8", {2}) + swapped<double>({1, -2.5})), cdouble(-2.5));
    QCOMPARE(first(npyHeader("|i1", {2}) + bytesOf<std::int8_t>({1, -7})), cdouble(-7));
    QCOMPARE(first(npyHeader("<u2", {2}) + bytesOf<std::uint16_t>({1, 65535})), cdouble(65535));
    QCOMPARE(first(npyHeader(">i4", {2}) + swapped<std::int32_t>({1, -70000})), cdouble(-70000));
    QCOMPARE(first(npyHeader("<i8", {2}) + bytesOf<std::int64_t>({1, -70000})), cdouble(-70000));
    QCOMPARE(first(npyHeader("<c8", {2}) + bytesOf<float>({1, 2, 3, -4})), cdouble(3, -4));
    const auto half = [&](std::uint16_t bits) {
      return first(npyHeader("<f2", {2}) + bytesOf<std::uint16_t>({0, bits})).real();
    };
    QCOMPARE(half(0x3c00), 1.0);
    QCOMPARE(half(0xc100), -2.5);
    QCOMPARE(half(0x0001), std::ldexp(1.0, -24));  // the smallest
    QCOMPARE(half(0x7bff), 65504.0);               // the largest
    QVERIFY(std::isinf(half(0xfc00)) && half(0xfc00) < 0);
    QVERIFY(std::isnan(half(0x7e00)));
    QCOMPARE(first(npyHeader(">f2", {2}) + swapped<std::uint16_t>({0, 0x3555})), cdouble(1365.0 / 4096));
    QCOMPARE(first(npyHeader(">c16", {2}) + swapped<double>({1, 2, 3, -4})), cdouble(3, -4));
  }
  // The order in memory changes where an element lies, not which index it has.
  void fortranOrderHasTheSameIndices() {
    write("c.npy", npyHeader("<f4", {2, 3}) + bytesOf<float>({1, 2, 3, 4, 5, 6}));
    write("f.npy", npyHeader("<f4", {2, 3}, true) + bytesOf<float>({1, 4, 2, 5, 3, 6}));
    const ArrayFile c(path("c.npy")), f(path("f.npy"));
    QCOMPARE(rowMajorShape(f.header()), rowMajorShape(c.header()));
    QVERIFY(f.readAll(Progress(), "") == c.readAll(Progress(), ""));
  }
  void headersOfOtherVersions() {
    std::string bytes = npyHeader("<f4", {3}, true);
    const std::string dictionary = bytes.substr(10);
    for (const char version : {char(2), char(3)}) {
      const std::string later = std::string("\x93NUMPY") + version + char(0) + char(dictionary.size()) +
                                char(0) + char(0) + char(0) + dictionary;
      const ArrayHeader h = parseNpyHeader(later, "x");
      QCOMPARE(h.offset, std::int64_t(12 + dictionary.size()));
      QVERIFY(h.firstAxisFastest);
      QCOMPARE(h.shape, std::vector<std::int64_t>{3});
    }
  }
  void scalarHeader() { QCOMPARE(parseNpyHeader(npyHeader("<f4", {}), "x").elements(), std::int64_t(1)); }
  void brokenHeaders() {
    const std::string sound = npyHeader("<c8", {2, 3});
    const auto reason = [](const std::string& bytes) {
      return reasonOf([&] { parseNpyHeader(bytes, "Cannot read x"); });
    };
    for (std::size_t n = 0; n < sound.size(); ++n) QVERIFY(reason(sound.substr(0, n)) != "(no error)");
    QVERIFY(reason(npyHeader("<O8", {2})).find("type") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {2, -3})).find("negative") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {2, 0})).find("no elements") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {1L << 40, 1L << 40})).find("more elements") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {99999999999999999})).find("more elements") != std::string::npos);
    const auto cfl = [](const std::string& text) {
      return reasonOf([&] { parseCflHeader(text, "Cannot read x"); });
    };
    for (const char* text :
         {"", "# Dimensions", "# Dimensions\n", "# Dimensions\na b\n", "# Dimensions\n3 -1\n",
          "# Dimensions\n99999999999 99999999999 99999999999\n", "Dimensions\n1 2\n"})
      QVERIFY2(cfl(text) != "(no error)", text);
    QCOMPARE(parseCflHeader("# Command\nphantom\n# Dimensions\n3 128 64 1 1 1 \n", "x").shape,
             (std::vector<std::int64_t>{3, 128, 64}));
  }
  void tooShortFiles() {
    write("a.npy", npyHeader("<c8", {1000}) + std::string(100, 'x'));
    QVERIFY(reasonOf([&] { ArrayFile(path("a.npy")); }).find("take") != std::string::npos);
    write("b.cfl", std::string(8, '\0'));
    QVERIFY(reasonOf([&] { ArrayFile(path("b.cfl")); }).find("b.hdr") != std::string::npos);
    write("b.hdr", "# Dimensions\n2 \n");
    QVERIFY(reasonOf([&] { ArrayFile(path("b.cfl")); }).find("take") != std::string::npos);
  }
  void unwantedPartsAreNotRead() {
    std::vector<cfloat> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = cfloat(float(i), 0);
    writeNpy("a.npy", {10, 100}, values);
    const ArrayFile file(path("a.npy"));
    // The file loses its last two runs once its header has been read, so that reading them fails.
    std::filesystem::resize_file(path("a.npy"),
                                 std::filesystem::file_size(path("a.npy")) - 200 * sizeof(cfloat));
    QVERIFY_EXCEPTION_THROWN(file.readComplex<cfloat>(
                                 Progress(), "", [](std::int64_t, const cfloat*, std::int64_t) {}, 100,
                                 [](std::int64_t run) { return run == 8; }),
                             Error);
    std::atomic<std::int64_t> seen = 0;  // runs are handed over by several threads
    file.readComplex<cfloat>(
        Progress(), "",
        [&](std::int64_t first, const cfloat* v, std::int64_t n) {
          seen += n;
          QCOMPARE(v[0].real(), float(first));
        },
        100, [](std::int64_t run) { return run == 3 || run == 7; });
    QCOMPARE(seen.load(), std::int64_t(200));
  }
};

}  // namespace

SPOKELAB_TEST(TestArrayFiles)
#include "test_array_files.moc"
