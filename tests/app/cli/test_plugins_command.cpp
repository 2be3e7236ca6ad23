// Plug-ins on the command line: listed, tuned, refused by name, and used for a reconstruction.
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_plugins_command {

using namespace spokelab::test;

namespace {

const QString built = QStringLiteral(SPOKELAB_BINARY_DIR "/tests/plugins/");

QJsonObject jsonOf(const QString& file) {
  QFile f(file);
  return f.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(f.readAll()).object() : QJsonObject();
}

class TestPluginsCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  CliResult run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }

 private Q_SLOTS:
  void initTestCase() {
    qputenv("SPOKELAB_PLUGIN_SECONDS", "2");
    QVERIFY(QDir(folder_.path()).mkdir("plugins"));
    for (const char* name : {"exact-sum", "aborts", "loops", "noise", "other-abi"})
      QVERIFY(QFile::copy(built + name + '/' + name + ".so", path("plugins/") + name + ".so"));
    QFile text(path("plugins/text.so"));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("no shared object") > 0);
    const CliResult made = run(
        {"simulate", "-o", "scan.h5", "--matrix", "12", "--coils", "2", "--shots", "8", "--samples", "12"});
    QVERIFY2(made.code == 0, made.err);
  }

  void theyAreListed() {
    const CliResult r = run({"plugins", "--plugins", "plugins", "--json", "list.json"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(r.out.contains("exact-sum 1.0"));
    QVERIFY(r.out.contains("other-abi.so: refused"));
    const QJsonArray list = jsonOf(path("list.json"))["plugins"].toArray();
    QCOMPARE(list.size(), 6);
    for (const QJsonValue& one : list) {
      if (one["name"] != "exact-sum") continue;
      QCOMPARE(one["version"].toString(), "1.0");
      QCOMPARE(one["licence"].toString(), "MIT");
      QVERIFY(one["file"].toString().endsWith("exact-sum.so"));
    }
    QVERIFY(run({"plugins", "--plugins", "none"}).out.contains("No folder"));
  }

  void tuningNamesThemAndGoesOn() {
    const CliResult r = run({"tune", "scan.h5", "--plugins", "plugins", "--accuracy", "1e-6",
                             "--measure-error", "--no-wisdom", "--json", "tune.json"});
    QVERIFY2(r.code == 0, r.err);
    const QJsonObject document = jsonOf(path("tune.json"));
    QCOMPARE(document["plugins"].toArray().size(), 6);
    const QJsonObject tuning = document["tuning"].toObject();
    QMap<QString, QJsonObject> plugins;
    bool ours = false;
    for (const QJsonValue& c : tuning["candidates"].toArray()) {
      ours = ours || (c["backend"] == "cpu" && c["timings"]["total"].toDouble() > 0);
      if (c["backend"] != "cpu") plugins[c["backend"].toString()] = c.toObject();
    }
    QVERIFY(ours);
    QCOMPARE(plugins.size(), 4);
    QVERIFY(plugins["exact-sum"]["measuredError"].toDouble() < 1e-6);
    QVERIFY(plugins["exact-sum"]["timings"].toObject()["total"].toDouble() > 0);
    QVERIFY(plugins["aborts"]["refused"].toString().contains("Aborted"));
    QVERIFY(plugins["loops"]["refused"].toString().contains("did not answer within 2 s"));
    QVERIFY(plugins["noise"]["refused"].toString().contains("where 1.0e-06 was asked for"));
  }

  void itReconstructs_data() {
    QTest::addColumn<QString>("method");
    QTest::newRow("gridding") << "gridding";
    QTest::newRow("sense") << "sense";
  }

  void itReconstructs() {
    QFETCH(QString, method);
    const auto image = [&](const QString& backend, const QString& file) {
      return run({"reconstruct", "scan.h5", "--plugins", "plugins", "--backend", backend, "--method", method,
                  "--accuracy", "1e-6", "--precision", "double", "--no-wisdom", "-o", file, "--json",
                  backend + ".json"});
    };
    const CliResult own = image("exact-sum", "own.npy"), cpu = image("cpu", "cpu.npy");
    QVERIFY2(own.code == 0, own.err);
    QVERIFY2(cpu.code == 0, cpu.err);
    QVERIFY2(own.out.contains("plug-in exact-sum 1.0 (exact-sum.so)"), own.out);
    const CliResult compared = run({"compare", "own.npy", "cpu.npy", "--json", "compare.json"});
    QVERIFY2(compared.code == 0, compared.err);
    const double nrmse = jsonOf(path("compare.json"))["nrmse"].toDouble(1);
    // Iterations take the differences of the transforms further.
    QVERIFY2(nrmse < (method == "sense" ? 1e-4 : 1e-5), qPrintable(QString::number(nrmse)));
    QFile document(path("exact-sum.json"));
    QVERIFY(document.open(QIODevice::ReadOnly));
    QVERIFY(document.readAll().contains("plug-in exact-sum 1.0 (exact-sum.so)"));
  }

  void oneInPythonReconstructs() {
    const QString example = QStringLiteral(SPOKELAB_SOURCE_DIR "/app/plugins/python/example_sum.py");
    qputenv("SPOKELAB_PYTHON", "/no/such/python");
    const CliResult without = run({"plugins", "--plugins", example});
    qunsetenv("SPOKELAB_PYTHON");
    QVERIFY2(without.out.contains("the interpreter /no/such/python cannot be started"), without.out);
    QProcess python;
    python.start("python3", {"-c", "import numpy"});
    if (!python.waitForFinished(60000) || python.exitCode() != 0) QSKIP("there is no python3 with numpy");
    qputenv("SPOKELAB_PLUGIN_SECONDS", "60");
    const CliResult r = run({"reconstruct", "scan.h5", "--plugins", example, "--backend", "python-sum",
                             "--method", "sense", "--no-wisdom", "-o", "python.npy"});
    qputenv("SPOKELAB_PLUGIN_SECONDS", "2");
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("plug-in python-sum 1.0 (example_sum.py)"), r.out);
  }

  void aBadOneIsNamed() {
    const CliResult r = run({"reconstruct", "scan.h5", "--plugins", "plugins", "--backend", "aborts", "-o",
                             "x.npy", "--no-wisdom"});
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("it crashed in the step"), r.err);
    QVERIFY(!QFile::exists(path("x.npy")));
    const CliResult unknown = run({"tune", "scan.h5", "--plugins", "plugins", "--backend", "nobody"});
    QVERIFY2(unknown.code == 1 && unknown.err.contains("exact-sum"), unknown.err);
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestPluginsCommand)

}  // namespace test_plugins_command

#include "test_plugins_command.moc"
