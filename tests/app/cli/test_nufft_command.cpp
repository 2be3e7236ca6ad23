// nufft: arrays of four dimensions at points with four columns, and back; a line is tuned and
// swept.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <complex>
#include <fstream>
#include <random>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_nufft_command {

using spokelab::test::CliResult;
using spokelab::test::runCli;

namespace {

template <class Value>
void writeNpy(const QString& file, const char* type, const QString& shape, const std::vector<Value>& values) {
  QByteArray header =
      QByteArray("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" + shape.toUtf8() + "), }";
  constexpr int preamble = 10, multiple = 64;
  while ((header.size() + preamble + 1) % multiple != 0) header += ' ';
  header += '\n';
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write("\x93NUMPY\x01", 7);
  out.write("\0", 1);
  const char length[2] = {char(header.size() & 255), char(header.size() >> 8)};
  out.write(length, 2);
  out.write(header);
  out.write(reinterpret_cast<const char*>(values.data()), qint64(values.size() * sizeof(Value)));
}

}  // namespace

class TestNufftCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QJsonObject json(const char* file) const {
    QFile in(folder_.filePath(QString::fromUtf8(file)));
    return in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll()).object() : QJsonObject();
  }

 private slots:
  void initTestCase() {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-0.5, 0.5);
    std::vector<double> points(200 * 4), line(300);
    for (double& k : points) k = place(random);
    for (double& k : line) k = place(random);
    std::vector<std::complex<float>> image(2 * 3 * 4 * 5 * 6), row(64);
    for (auto& v : image) v = {float(place(random)), float(place(random))};
    for (auto& v : row) v = {float(place(random)), float(place(random))};
    writeNpy(folder_.filePath("points.npy"), "<f8", "200, 4", points);
    writeNpy(folder_.filePath("line.npy"), "<f8", "300, 1", line);
    writeNpy(folder_.filePath("image.npy"), "<c8", "2, 3, 4, 5, 6", image);
    writeNpy(folder_.filePath("row.npy"), "<c8", "64,", row);
  }

  void fourDimensionsAndBack() {
    const auto forward = run({"nufft", "points.npy", "--image", "image.npy", "-o", "samples.npy",
                              "--accuracy", "1e-4", "--measure-error", "--json", "forward.json"});
    QVERIFY2(forward.code == 0, forward.err);
    QVERIFY2(forward.out.contains("4-D"), forward.out);
    QCOMPARE(json("forward.json")["batch"].toInt(), 2);
    const double error = json("forward.json")["measuredError"].toDouble(-1);
    QVERIFY2(error > 0 && error < 1e-4, qPrintable(QString::number(error)));
    const auto adjoint = run({"nufft", "points.npy", "--samples", "samples.npy", "--size", "6,5,4,3", "-o",
                              "back.npy", "--accuracy", "1e-4", "--measure-error", "--json", "adjoint.json"});
    QVERIFY2(adjoint.code == 0, adjoint.err);
    QVERIFY(json("adjoint.json")["measuredError"].toDouble(1) < 1e-4);
    const auto exact = run({"nufft", "points.npy", "--image", "image.npy", "-o", "exact.npy", "--exact"});
    QVERIFY2(exact.code == 0 && exact.out.contains("exact sums"), exact.err);
    QFile written(folder_.filePath("back.npy"));
    QVERIFY(written.open(QIODevice::ReadOnly) && written.read(128).contains("(2, 3, 4, 5, 6)"));
  }

  void aLineIsTunedAndSwept() {
    const auto tuned = run({"nufft", "line.npy", "--image", "row.npy", "-o", "y.npy", "--measure-error",
                            "--time-limit", "0.2", "--json", "tuned.json"});
    QVERIFY2(tuned.code == 0 && tuned.out.contains("why"), tuned.err);
    QVERIFY(json("tuned.json")["measuredError"].toDouble(1) < 1e-3);
    const auto swept = run({"nufft", "line.npy", "--image", "row.npy", "-o", "y.npy", "--sweep", "--trials",
                            "1", "--time-limit", "0.5", "--csv", "sweep.csv", "--json", "swept.json"});
    QVERIFY2(swept.code == 0, swept.err);
    QVERIFY(json("swept.json")["tuning"].toObject()["candidates"].toArray().size() > 3);
    QVERIFY(QFile::exists(folder_.filePath("sweep.csv")));
  }

  void whatDoesNotFitIsRefused() {
    const auto fails = [this](const QStringList& more, const char* why) {
      const auto r = run(QStringList{"nufft", "points.npy", "-o", "x.npy"} + more);
      return r.code != 0 && r.err.contains(why);
    };
    QVERIFY(fails({}, "either an image or samples"));
    QVERIFY(fails({"--samples", "samples.npy", "--size", "6,5,4"}, "4 coordinates"));
    QVERIFY(fails({"--image", "row.npy"}, "4 coordinates"));
    QVERIFY(fails({"--image", "image.npy", "--sweep"}, "more than three dimensions"));
    QVERIFY(fails({"--image", "image.npy", "--accuracy", "1e-12"}, "out of reach"));
  }
};

SPOKELAB_CORE_TEST(TestNufftCommand)

}  // namespace test_nufft_command

#include "test_nufft_command.moc"
