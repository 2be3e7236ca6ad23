// type3: values at points to values at points, from file to file, against sums made here; and its
// refusals.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <random>

#include <nlohmann/json.hpp>

#include "engine/scan/formats/arrays/array_file.h"
#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_type3_command {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr std::int64_t sources = 400, targets = 300, batch = 3;

class TestType3Command : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::vector<double> x_, s_;   // mm, cycles/mm
  std::vector<cdouble> c_, y_;  // [batch, point]
  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }

  template <class T>
  void write(const char* name, const char* type, const std::vector<std::int64_t>& shape,
             const std::vector<T>& values) {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string header = npyHeaderText(type, shape);
    file.write(header.data(), qint64(header.size()));
    file.write(reinterpret_cast<const char*>(values.data()), qint64(values.size() * sizeof(T)));
  }

  std::vector<cdouble> sums(const std::vector<cdouble>& in, bool adjoint, double sign) const {
    const std::int64_t from = adjoint ? targets : sources, to = adjoint ? sources : targets;
    std::vector<cdouble> out;
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t i = 0; i < to; ++i) {
        std::complex<long double> sum = 0;
        for (std::int64_t j = 0; j < from; ++j) {
          const auto source = std::size_t(2 * (adjoint ? i : j)), target = std::size_t(2 * (adjoint ? j : i));
          const long double turns =
              (long double)(x_[source]) * s_[target] + (long double)(x_[source + 1]) * s_[target + 1];
          sum += std::complex<long double>(in[std::size_t(b * from + j)]) *
                 std::polar(1.0L, (adjoint ? -1 : 1) * sign * 2 * std::numbers::pi_v<long double> * turns);
        }
        out.emplace_back(sum);
      }
    return out;
  }

  double differenceOf(const char* name, const std::vector<cdouble>& expected) const {
    const Buffer<cdouble> found = ArrayFile(folder_.filePath(name).toStdString()).readAll<cdouble>({}, "");
    if (found.size() != expected.size()) return HUGE_VAL;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      difference += std::norm(found[i] - expected[i]);
      norm += std::norm(expected[i]);
    }
    return std::sqrt(difference / norm);
  }

 private Q_SLOTS:
  void initTestCase() {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (std::int64_t j = 0; j < 2 * sources; ++j) x_.push_back(100 * unit(random) + 30);
    for (std::int64_t k = 0; k < 2 * targets; ++k) s_.push_back(0.1 * unit(random) - 0.02);
    for (std::int64_t i = 0; i < batch * sources; ++i) c_.emplace_back(unit(random), unit(random));
    for (std::int64_t i = 0; i < batch * targets; ++i) y_.emplace_back(unit(random), unit(random));
    write("x.npy", "<f8", {sources, 2}, x_);
    write("s.npy", "<f8", {targets, 2}, s_);
    write("c.npy", "<c16", {batch, sources}, c_);
    write("y.npy", "<c16", {batch, targets}, y_);
  }

  void valuesAreTheSums_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("adjoint");
    QTest::addColumn<double>("sign");
    QTest::addColumn<double>("bound");
    const QStringList fine{"--precision", "double", "--accuracy", "1e-10"};
    QTest::newRow("single") << QStringList{"--accuracy", "1e-4"} << false << -1.0 << 1e-4;
    QTest::newRow("single, adjoint") << QStringList{"--accuracy", "1e-4"} << true << -1.0 << 1e-4;
    QTest::newRow("double") << fine << false << -1.0 << 1e-10;
    QTest::newRow("double, adjoint, the other sign")
        << fine + QStringList{"--sign", "1"} << true << 1.0 << 1e-10;
    QTest::newRow("exact") << QStringList{"--exact"} << false << -1.0 << 1e-13;
    QTest::newRow("exact, adjoint") << QStringList{"--exact"} << true << -1.0 << 1e-13;
    QTest::newRow("alpha") << QStringList{"--alpha", "1.25", "--threads", "1"} << false << -1.0 << 1e-3;
    QTest::newRow("alpha of a dimension")
        << QStringList{"--alpha", "1.25", "--axis-alpha", "1x2"} << false << -1.0 << 1e-3;
  }
  void valuesAreTheSums() {
    QFETCH(QStringList, arguments);
    QFETCH(bool, adjoint);
    QFETCH(double, sign);
    QFETCH(double, bound);
    if (adjoint) arguments << "--adjoint";
    const CliResult result = run(QStringList{"type3", "x.npy", "--targets", "s.npy", "--values",
                                             adjoint ? "y.npy" : "c.npy", "-o", "out.npy"} +
                                 arguments);
    QVERIFY2(result.code == 0, result.err.constData());
    const double error = differenceOf("out.npy", sums(adjoint ? y_ : c_, adjoint, sign));
    QVERIFY2(error <= bound, qPrintable(QString::number(error)));
    const ArrayFile file(folder_.filePath("out.npy").toStdString());
    QVERIFY(file.header().shape == std::vector<std::int64_t>({batch, adjoint ? sources : targets}));
    QVERIFY(!QString::fromUtf8(result.out).isEmpty());
  }

  void ratiosAreSweptAndTheWinnerIsRemembered() {
    const QStringList command{"type3", "x.npy",   "--targets",  "s.npy", "--values",    "c.npy",
                              "-o",    "out.npy", "--accuracy", "1e-5",  "--precision", "double"};
    const CliResult swept =
        run(command + QStringList{"--sweep", "--trials", "1", "--csv", "plans.csv", "--json", "t.json"});
    QVERIFY2(swept.code == 0, swept.err.constData());
    QVERIFY(differenceOf("out.npy", sums(c_, false, -1)) <= 1e-5);
    QFile json(folder_.filePath("t.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const nlohmann::json document = nlohmann::json::parse(json.readAll().toStdString());
    const auto& candidates = document.at("tuning").at("candidates");
    QVERIFY(candidates.size() >= 4);
    for (const auto& c : candidates) QVERIFY(c.at("measuredError").get<double>() <= 1e-5);
    QFile csv(folder_.filePath("plans.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly) && csv.readAll().count('\n') == 1 + qsizetype(candidates.size()));
    const QStringList kept{"--wisdom", "own.json"};
    QVERIFY(run(command + kept).code == 0);
    const CliResult again = run(command + kept);
    QVERIFY2(again.out.contains("Remembered from an earlier search"), again.out.constData());
    QVERIFY(differenceOf("out.npy", sums(c_, false, -1)) <= 1e-5);
    QVERIFY(run(command + QStringList{"--exact", "--sweep"}).code == 1);
  }

  // Sources are voxels in units of the field of view: each term turns with the field, and decays.
  void valuesWithAFieldAreTheSums() {
    std::vector<double> times, field, decay;
    for (std::int64_t k = 0; k < targets; ++k) times.push_back(1e-4 * double(k));
    for (std::int64_t j = 0; j < sources; ++j) {
      field.push_back(2 * double(j) - 300);
      decay.push_back(0.05 * double(j));
    }
    write("t.npy", "<f8", {targets}, times);
    write("w.npy", "<f8", {sources}, field);
    write("r2.npy", "<f8", {sources}, decay);
    std::vector<cdouble> expected;
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t k = 0; k < targets; ++k) {
        std::complex<long double> sum = 0;
        for (std::int64_t j = 0; j < sources; ++j) {
          const auto source = std::size_t(2 * j), target = std::size_t(2 * k);
          const long double turns =
              (long double)(x_[source]) * s_[target] + (long double)(x_[source + 1]) * s_[target + 1];
          const long double t = times[std::size_t(k)];
          sum += std::complex<long double>(c_[std::size_t(b * sources + j)]) *
                 std::polar(std::exp(-decay[std::size_t(j)] * t),
                            -(2 * std::numbers::pi_v<long double> * turns + field[std::size_t(j)] * t));
        }
        expected.emplace_back(sum);
      }
    const QStringList call{"type3", "x.npy", "--targets", "s.npy",   "--values",
                           "c.npy", "-o",    "out.npy",   "--times", "t.npy"};
    const QStringList whole =
        call + QStringList{"--field", "w.npy", "--decay", "r2.npy", "--precision", "double"};
    const CliResult result = run(whole);
    QVERIFY2(result.code == 0, result.err.constData());
    const double error = differenceOf("out.npy", expected);
    QVERIFY2(error < 1e-10, qPrintable(QString::number(error)));
    QVERIFY2(result.out.contains("field"), result.out.constData());
    // What is missing or does not fit is named.
    const CliResult untimed = run(
        {"type3", "x.npy", "--targets", "s.npy", "--values", "c.npy", "-o", "out.npy", "--field", "w.npy"});
    QVERIFY2(untimed.code == 1 && untimed.err.contains("--times"), untimed.err.constData());
    const CliResult unfit = run(call + QStringList{"--field", "t.npy"});
    QVERIFY2(unfit.code == 1 && unfit.err.contains("t.npy"), unfit.err.constData());
    const CliResult sizeless = run(call + QStringList{"--gradient", "x.npy"});
    QVERIFY2(sizeless.code == 1 && sizeless.err.contains("--voxels"), sizeless.err.constData());
  }

  void theErrorIsTold() {
    const CliResult result = run({"type3", "x.npy", "--targets", "s.npy", "--values", "c.npy", "-o",
                                  "out.npy", "--measure-error", "--json", "-"});
    QVERIFY2(result.code == 0, result.err.constData());
    const auto json = nlohmann::json::parse(result.out.toStdString());
    const double measured = json["measuredError"], predicted = json["predictedError"];
    QVERIFY(measured > 0 && measured <= 1e-3);
    QVERIFY(predicted > 0 && predicted <= 1e-3);
    QCOMPARE(json["sources"].get<int>(), int(sources));
    QCOMPARE(json["batch"].get<int>(), int(batch));
  }

  void dimensionsHaveTheirOwnRatios() {
    const auto grid = [&](const QStringList& ratios) {
      const CliResult result = run(QStringList{"type3", "x.npy", "--targets", "s.npy", "--values", "c.npy",
                                               "-o", "out.npy", "--alpha", "1.25", "--json", "-"} +
                                   ratios);
      return nlohmann::json::parse(result.out.toStdString())["grid"].get<std::vector<int>>();
    };
    const std::vector<int> usual = grid({}), finer = grid({"--axis-alpha", "1x2"});
    QCOMPARE(finer[0], usual[0]);
    QVERIFY(finer[1] > 1.3 * usual[1]);
  }

  void whatIsRefused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("text");
    const auto with = [](const char* points, const char* to, const char* values, const char* output) {
      return QStringList{"type3", points, "--targets", to, "--values", values, "-o", output};
    };
    QTest::newRow("values of other points")
        << with("x.npy", "s.npy", "y.npy", "out.npy") << "there are 400 points";
    QTest::newRow("other dimensions")
        << with("x.npy", "flat.npy", "c.npy", "out.npy") << "the sources have 2 coordinates";
    QTest::newRow("not finite") << with("nan.npy", "s.npy", "c.npy", "out.npy") << "not a finite real number";
    QTest::newRow("no such file") << with("none.npy", "s.npy", "c.npy", "out.npy") << "none.npy";
    QTest::newRow("output") << with("x.npy", "s.npy", "c.npy", "out.nii") << "Name a file that ends in .npy";
    QTest::newRow("over an input") << with("x.npy", "s.npy", "c.npy", "s.npy") << "s.npy";
    QTest::newRow("too large") << with("huge.npy", "s.npy", "c.npy", "out.npy") << "Cannot";
    for (const char* ratios : {"1x3", "1x", "2x2x2x2", "0.5"})
      QTest::newRow(ratios) << with("x.npy", "s.npy", "c.npy", "out.npy") +
                                   QStringList{"--axis-alpha", ratios}
                            << "axis-alpha";
    QTest::newRow("accuracy") << with("x.npy", "s.npy", "c.npy", "out.npy") +
                                     QStringList{"--accuracy", "1e-9"}
                              << "cannot be reached";
  }
  void whatIsRefused() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, text);
    write("flat.npy", "<f8", {targets}, std::vector<double>(targets, 0.5));
    std::vector<double> bad = x_;
    bad[7] = std::nan("");
    write("nan.npy", "<f8", {sources, 2}, bad);
    for (double& v : bad) v = 1e12 * double(rand() % 1000);
    write("huge.npy", "<f8", {sources, 2}, bad);
    QFile::remove(folder_.filePath("out.npy"));
    const CliResult result = run(arguments);
    QVERIFY(result.code > 0);
    QVERIFY2(result.err.contains(text.toUtf8()), result.err.constData());
    QVERIFY(!QFile::exists(folder_.filePath("out.npy")));
    QCOMPARE(QFile(folder_.filePath("s.npy")).size(),
             qint64(npyHeaderText("<f8", {targets, 2}).size() + 16 * targets));
  }
};

}  // namespace

SPOKELAB_TEST(TestType3Command)

}  // namespace test_type3_command

#include "test_type3_command.moc"
