// Variables of .npz and .mat files are the arrays that were put in, whatever the version and the
// compression; what a damaged or lying one costs is an Error.
#include <QtTest>

#include <algorithm>
#include <cstring>

#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/file_kind.h"
#include "tests/engine/scan/array_containers.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/test_main.h"

namespace test_array_containers {

using namespace spokelab;
using namespace spokelab::test;

namespace {

const std::vector<cfloat> sixSamples = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, -12}};
const std::vector<double> sixNumbers = {1, 2, 3, 4, 5, -6.5};

std::vector<cdouble> valuesOf(const std::filesystem::path& name) {
  std::vector<cdouble> all;
  ArrayFile(name).read(Progress(), "", [&](std::int64_t first, const cdouble* v, std::int64_t n) {
    all.resize(std::size_t(first + n));
    std::copy_n(v, n, all.begin() + first);
  });
  return all;
}

template <class T>
std::vector<cdouble> asComplex(const std::vector<T>& values) {
  std::vector<cdouble> all;
  for (const auto& v : values) all.emplace_back(v);
  return all;
}

class TestArrayContainers : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  Members sound() const {
    return {{"ksp.npy", npyHeader("<c8", {2, 3}) + bytesOf(sixSamples)},
            {"traj.npy", npyHeader("<f8", {3, 2}, true) + bytesOf(sixNumbers)},
            {"notes.txt", "no array"},
            {"things.npy", npyHeader("|O", {2}) + std::string(16, 'x')}};
  }
  std::string contentsOf(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private slots:
  void init() { renew(); }

  void archiveOfArrays_data() {
    QTest::addColumn<bool>("deflated");
    QTest::newRow("stored") << false;
    QTest::newRow("deflated") << true;
  }
  void archiveOfArrays() {
    QFETCH(bool, deflated);
    QVERIFY(writeZip(path("a.npz"), sound(), deflated));
    QCOMPARE(fileKind(path("a.npz")), FileKind::npz);
    QCOMPARE(fileKind(path("a.npz:ksp")), FileKind::npz);
    QCOMPARE(ArrayFile(path("a.npz:ksp")).header().shape, (std::vector<std::int64_t>{2, 3}));
    QCOMPARE(valuesOf(path("a.npz:ksp")), asComplex(sixSamples));
    QCOMPARE(valuesOf(path("a.npz:traj")), asComplex(sixNumbers));
    QVERIFY(ArrayFile(path("a.npz:traj")).header().firstAxisFastest);
    const auto reason = [&](const char* name) { return reasonOf([&] { ArrayFile(path(name)); }); };
    QVERIFY(reason("a.npz").find("several arrays: ksp, traj") != std::string::npos);
    QVERIFY(reason("a.npz:dcf").find("no dcf, but ksp, traj") != std::string::npos);
    QVERIFY(reason("a.npz:things").find("type") != std::string::npos);
    QVERIFY(writeZip(path("one.npz"), {sound().front()}, deflated));
    QCOMPARE(valuesOf(path("one.npz")), asComplex(sixSamples));
  }
  // Members that are longer than the pieces in which they are read, and parts that are not wanted.
  void longMembersInPieces() {
    std::vector<cfloat> values(700000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = cfloat(float(i % 1000), 1);
    QVERIFY(writeZip(path("a.npz"), {{"k.npy", npyHeader("<c8", {7, 100000}) + bytesOf(values)}}, true));
    std::int64_t seen = 0;
    ArrayFile(path("a.npz:k"))
        .readComplex<cfloat>(
            Progress(), "",
            [&](std::int64_t first, const cfloat* v, std::int64_t n) {
              QVERIFY(std::equal(v, v + n, values.begin() + first));
              seen += n;
            },
            100000, [](std::int64_t run) { return run == 0 || run == 5; });
    QCOMPARE(seen, std::int64_t(200000));
  }
  void archivesThatLie() {
    const auto reason = [&] { return reasonOf([&] { valuesOf(path("a.npz:k")); }); };
    QVERIFY(writeZip(path("a.npz"), {{"k.npy", npyHeader("<c8", {1L << 40}) + bytesOf(sixSamples)}}, true));
    QVERIFY2(reason().find("take") != std::string::npos, reason().c_str());
    // a directory that promises 4 GB: the sizes in it and in the header agree, the bytes cannot
    QVERIFY(
        writeZip(path("a.npz"), {{"k.npy", npyHeader("|u1", {4000000000}) + std::string(4000, 'x')}}, true));
    std::string bytes = contentsOf("a.npz");
    const std::size_t entry = bytes.find("PK\x01\x02");
    constexpr std::size_t sizeAt = 24;
    const std::uint32_t promised = 4000000128;
    std::memcpy(&bytes[entry + sizeAt], &promised, sizeof promised);
    write("a.npz", bytes);
    QVERIFY2(reason().find("cannot hold") != std::string::npos, reason().c_str());
  }
  void damagedArchivesAreErrors() {
    QVERIFY(writeZip(path("a.npz"), sound(), true));
    const std::string whole = contentsOf("a.npz");
    const auto isSound = [&] {
      try {
        return valuesOf(path("a.npz:ksp")) == asComplex(sixSamples);
      } catch (const Error& e) {
        return !e.reason().empty();
      }
    };
    for (std::size_t n = 0; n < whole.size(); n += 7) {
      write("a.npz", whole.substr(0, n));
      QVERIFY(isSound());
    }
    for (std::size_t n = 0; n < whole.size(); ++n) {
      std::string bytes = whole;
      bytes[n] = char(bytes[n] ^ 0xff);
      write("a.npz", bytes);
      try {
        (void)valuesOf(path("a.npz:ksp"));
      } catch (const Error&) {
        continue;
      }
    }
  }

  void matlabFiles_data() {
    QTest::addColumn<int>("version");
    QTest::addColumn<bool>("packed");
    QTest::newRow("4") << int(MAT_FT_MAT4) << false;
    QTest::newRow("5") << int(MAT_FT_MAT5) << false;
    QTest::newRow("5, compressed") << int(MAT_FT_MAT5) << true;
    QTest::newRow("7.3") << int(MAT_FT_MAT73) << false;
  }
  void matlabFiles() {
    QFETCH(int, version);
    QFETCH(bool, packed);
    {
      MatWriter mat(path("a.mat"), mat_ft(version), packed);
      QVERIFY(mat.real("k", MAT_C_DOUBLE, MAT_T_DOUBLE, {3, 2}, sixNumbers));
      QVERIFY(mat.complex("ksp", {2, 3}, std::vector<cdouble>(sixSamples.begin(), sixSamples.end())));
      if (version != MAT_FT_MAT4) {
        QVERIFY(mat.complex("single", {1, 2, 3}, sixSamples));
        QVERIFY(mat.real<std::int16_t>("whole", MAT_C_INT16, MAT_T_INT16, {1, 3}, {1, -2, 3}));
        QVERIFY(mat.real<char>("words", MAT_C_CHAR, MAT_T_UTF8, {1, 3}, {'a', 'b', 'c'}));
      }
    }
    QCOMPARE(fileKind(path("a.mat")), FileKind::mat);
    QCOMPARE(valuesOf(path("a.mat:k")), asComplex(sixNumbers));
    QCOMPARE(valuesOf(path("a.mat:ksp")), asComplex(sixSamples));
    const ArrayHeader h = ArrayFile(path("a.mat:ksp")).header();
    QCOMPARE(h.shape, (std::vector<std::int64_t>{2, 3}));
    QCOMPARE(h.type, ElementType::complex128);
    QVERIFY(h.firstAxisFastest && h.firstAxisInnermost);
    if (version == MAT_FT_MAT4) return;
    QCOMPARE(valuesOf(path("a.mat:single")), asComplex(sixSamples));
    QCOMPARE(ArrayFile(path("a.mat:single")).header().type, ElementType::complex64);
    QCOMPARE(ArrayFile(path("a.mat:single")).header().shape, (std::vector<std::int64_t>{1, 2, 3}));
    QCOMPARE(valuesOf(path("a.mat:whole")), (std::vector<cdouble>{1, -2, 3}));
    QVERIFY(reasonOf([&] { ArrayFile(path("a.mat:words")); }).find("text") != std::string::npos);
  }
  // Classes padded with zeros, and complex numbers of doubles.
  void matlabFilesOfPython() {
    writeMatByPython(path("a.mat"), {2, 3}, asComplex(sixSamples), {3, 2}, sixNumbers);
    QVERIFY(valuesOf(path("a.mat:kdata")) == asComplex(sixSamples));
    QVERIFY(valuesOf(path("a.mat:traj")) == asComplex(sixNumbers));
    const std::vector<std::int64_t> shape = ArrayFile(path("a.mat:kdata")).header().shape;
    QCOMPARE(shape, (std::vector<std::int64_t>{3, 2}));  // MATLAB's order
  }

  void insideMatlabStructures_data() {
    QTest::addColumn<int>("version");
    QTest::addColumn<bool>("packed");
    QTest::newRow("5") << int(MAT_FT_MAT5) << false;
    QTest::newRow("5, compressed") << int(MAT_FT_MAT5) << true;
    QTest::newRow("7.3") << int(MAT_FT_MAT73) << false;
  }
  // Fields of structures and elements of cells, however they nest, under MATLAB's names.
  void insideMatlabStructures() {
    QFETCH(int, version);
    QFETCH(bool, packed);
    const std::vector<double> others = {6, 5, 4, 3, 2, 1};
    {
      MatWriter mat(path("a.mat"), mat_ft(version), packed);
      QVERIFY(mat.structure("s", {{"k", realMat({3, 2}, sixNumbers)},
                                  {"who", textMat("nobody")},
                                  {"deep", structMat(nullptr, {{"y", complexMat({2, 3}, sixSamples)}})}}));
      QVERIFY(
          mat.write(cellMat("c", {realMat({6, 1}, others), textMat("words"), realMat({3, 2}, sixNumbers)})));
      QVERIFY(mat.write(structMat("many",
                                  {{"k", realMat({3, 2}, sixNumbers)},
                                   {"t", cellMat(nullptr, {realMat({1, 6}, others)})},
                                   {"k", realMat({2, 3}, others)},
                                   {"t", cellMat(nullptr, {realMat({1, 6}, sixNumbers)})}},
                                  2)));
      QVERIFY(mat.write(cellMat("notes", {textMat("only"), textMat("words")})));
      QVERIFY(mat.real("plain", MAT_C_DOUBLE, MAT_T_DOUBLE, {1, 6}, others));
    }
    std::vector<std::string> names, unreadable;
    for (const ArrayVariable& v : arrayVariables(path("a.mat")))
      (v.unreadable.empty() ? names : unreadable).push_back(v.name);
    std::sort(names.begin(), names.end());
    QCOMPARE(names, (std::vector<std::string>{"c{1}", "c{3}", "many(1).k", "many(1).t{1}", "many(2).k",
                                              "many(2).t{1}", "plain", "s.deep.y", "s.k"}));
    QCOMPARE(unreadable, std::vector<std::string>{"notes"});
    QCOMPARE(valuesOf(path("a.mat:s.k")), asComplex(sixNumbers));
    QCOMPARE(ArrayFile(path("a.mat:s.k")).header().shape, (std::vector<std::int64_t>{3, 2}));
    QCOMPARE(valuesOf(path("a.mat:s.deep.y")), asComplex(sixSamples));
    QCOMPARE(ArrayFile(path("a.mat:s.deep.y")).header().type, ElementType::complex64);
    QCOMPARE(valuesOf(path("a.mat:c{1}")), asComplex(others));
    QCOMPARE(valuesOf(path("a.mat:c{3}")), asComplex(sixNumbers));
    QCOMPARE(valuesOf(path("a.mat:many(2).k")), asComplex(others));
    QCOMPARE(valuesOf(path("a.mat:many(2).t{1}")), asComplex(sixNumbers));
    QCOMPARE(valuesOf(path("a.mat:plain")), asComplex(others));
    QCOMPARE(ownName(path("a.mat"), "many(2).t{1}"), std::string("t"));
    const auto reason = [&](const char* name) { return reasonOf([&] { ArrayFile(path(name)); }); };
    QVERIFY(reason("a.mat:s.who").find("no s.who, but") != std::string::npos);
    QVERIFY(reason("a.mat:s.q").find("no s.q, but") != std::string::npos);
    QVERIFY(reason("a.mat:notes").find("without arrays of numbers") != std::string::npos);
  }
  // What holds too much, or nests too deep, says so, and the other variables stay readable.
  void hugeMatlabStructuresSaySo() {
    {
      MatWriter mat(path("a.mat"), MAT_FT_MAT5, true);
      std::vector<matvar_t*> numbers(201);
      for (matvar_t*& n : numbers) n = realMat({1, 1}, {1});
      QVERIFY(mat.write(cellMat("wide", numbers)));
      matvar_t* deep = realMat({1, 1}, {1});
      for (int i = 0; i < 30; ++i) deep = cellMat(i == 29 ? "deep" : nullptr, {deep});
      QVERIFY(mat.write(deep));
      std::vector<matvar_t*> words(10'001);
      for (matvar_t*& w : words) w = textMat("a");
      QVERIFY(mat.write(cellMat("long", words)));
      QVERIFY(mat.structure("s", {{"k", realMat({3, 2}, sixNumbers)}}));
    }
    const auto reason = [&](const char* name) { return reasonOf([&] { ArrayFile(path(name)); }); };
    QVERIFY2(reason("a.mat:wide").find("more than 200") != std::string::npos, reason("a.mat:wide").c_str());
    QVERIFY2(reason("a.mat:deep").find("16 deep") != std::string::npos, reason("a.mat:deep").c_str());
    QVERIFY2(reason("a.mat:long").find("10000 elements") != std::string::npos, reason("a.mat:long").c_str());
    QCOMPARE(valuesOf(path("a.mat:s.k")), asComplex(sixNumbers));
    QCOMPARE(valuesOf(path("a.mat")), asComplex(sixNumbers));  // the only one
  }
  void damagedMatlabFilesAreErrors_data() {
    QTest::addColumn<int>("version");
    QTest::addColumn<bool>("packed");
    QTest::newRow("5") << int(MAT_FT_MAT5) << false;
    QTest::newRow("5, compressed") << int(MAT_FT_MAT5) << true;
    QTest::newRow("7.3") << int(MAT_FT_MAT73) << false;
  }
  void damagedMatlabFilesAreErrors() {
    QFETCH(int, version);
    QFETCH(bool, packed);
    {
      MatWriter mat(path("whole.mat"), mat_ft(version), packed);
      QVERIFY(mat.complex("ksp", {2, 3}, std::vector<cdouble>(sixSamples.begin(), sixSamples.end())));
      QVERIFY(mat.structure("s", {{"c", cellMat(nullptr, {complexMat({2, 3}, sixSamples)})}}));
    }
    const std::string whole = contentsOf("whole.mat");
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 25);
    int refused = 0;
    for (std::size_t n = 0; n < whole.size(); n += step) {
      for (const bool cut : {true, false}) {
        std::string bytes = cut ? whole.substr(0, n) : whole;
        if (!cut) bytes[n] = char(bytes[n] ^ 0xff);
        write("a.mat", bytes);
        for (const char* name : {"a.mat:ksp", "a.mat:s.c{1}"}) try {
            const auto values = valuesOf(path(name));
            // only a checksum tells that a number is not the one that was written
            QVERIFY(!(cut || packed) || values == asComplex(sixSamples));
          } catch (const Error& e) {
            QVERIFY(!e.reason().empty());
            ++refused;
          }
      }
    }
    QVERIFY(refused > 24);
  }
};

}  // namespace

SPOKELAB_TEST(TestArrayContainers)

}  // namespace test_array_containers

#include "test_array_containers.moc"
