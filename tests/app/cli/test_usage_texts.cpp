// Man pages and completions are made from the program's own options: man and the shells read them.
#include <QStandardPaths>
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_usage_texts {

using spokelab::test::CliResult;
using spokelab::test::runCli;

class TestUsageTexts : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QString kept(const QString& name, const QByteArray& text) {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text);
    return file.fileName();
  }

  static CliResult call(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    CliResult result;
    if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit)
      result.code = process.exitCode();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
  }

 private slots:
  // A shell completes the last of the words.
  void bashCompletesCommandsOptionsAndChoices_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("completed");
    QTest::newRow("command") << QStringList{"recon"} << QByteArray("reconstruct");
    QTest::newRow("command of a command") << QStringList{"wisdom", "me"} << QByteArray("merge");
    QTest::newRow("option") << QStringList{"reconstruct", "demo", "--iterations-"} << QByteArray();
    QTest::newRow("option's begin") << QStringList{"reconstruct", "demo", "--field-u"}
                                    << QByteArray("--field-unit");
    QTest::newRow("common option") << QStringList{"tune", "--qui"} << QByteArray("--quiet");
    QTest::newRow("choice") << QStringList{"reconstruct", "demo", "--method", "pc"} << QByteArray("pcsense");
    QTest::newRow("choices are the command's")
        << QStringList{"info", "demo", "--method", "pc"} << QByteArray();
    QTest::newRow("file names") << QStringList{"info", "scan"} << QByteArray();
  }

  void bashCompletesCommandsOptionsAndChoices() {
    QFETCH(QStringList, words);
    QFETCH(QByteArray, completed);
    const CliResult script = runCli(folder_.path(), {"completion", "bash"});
    QCOMPARE(script.code, 0);
    const QString file = kept("completion.bash", script.out);
    const QString line = "source '" + file + "'; COMP_WORDS=(spokelab-cli " + words.join(' ') +
                         "); COMP_CWORD=" + QString::number(words.size()) +
                         "; _spokelab_cli; echo \"${COMPREPLY[*]}\"";
    const CliResult r = call("bash", {"--norc", "-c", line});
    QCOMPARE(r.code, 0);
    QVERIFY2(r.err.isEmpty(), r.err);
    QCOMPARE(r.out.trimmed(), completed);
  }

  void otherShellsReadTheirScripts() {
    const QString zsh = QStandardPaths::findExecutable("zsh"), fish = QStandardPaths::findExecutable("fish");
    if (zsh.isEmpty() && fish.isEmpty()) QSKIP("neither zsh nor fish is installed");
    if (!zsh.isEmpty()) {
      const QString file = kept("_spokelab-cli", runCli(folder_.path(), {"completion", "zsh"}).out);
      const CliResult r = call(zsh, {"-n", file});
      QVERIFY2(r.code == 0 && r.err.isEmpty(), r.err);
    }
    if (fish.isEmpty()) return;
    const QString file = kept("spokelab-cli.fish", runCli(folder_.path(), {"completion", "fish"}).out);
    const auto completed = [&](const QString& line) {
      return call(fish, {"--no-config", "-c", "source " + file + "; complete -C '" + line + "'"});
    };
    QVERIFY2(completed("spokelab-cli recon").out.startsWith("reconstruct\t"),
             completed("spokelab-cli recon").err);
    QVERIFY(completed("spokelab-cli wisdom me").out.startsWith("merge\t"));
    QVERIFY(completed("spokelab-cli reconstruct --field-u").out.startsWith("--field-unit\t"));
    QCOMPARE(completed("spokelab-cli reconstruct --method pc").out.split('\t').first(),
             QByteArray("pcsense"));
  }

  void everyPageIsOneThatManReads() {
    const CliResult pages = runCli(folder_.path(), {"manual", "--pages"});
    QCOMPARE(pages.code, 0);
    const QList<QByteArray> names = pages.out.trimmed().split('\n');
    QVERIFY(names.contains("spokelab-cli") && names.contains("spokelab-cli-wisdom-merge"));
    const QString groff = QStandardPaths::findExecutable("groff");
    for (const char* name : {"spokelab-cli", "spokelab-cli-reconstruct", "spokelab-cli-wisdom-merge"}) {
      QVERIFY2(names.contains(name), name);
      const CliResult page = runCli(folder_.path(), {"manual", name});
      QCOMPARE(page.code, 0);
      QVERIFY(page.out.startsWith(".TH "));
      QVERIFY(page.out.contains(".SH SYNOPSIS") && page.out.contains(".SH OPTIONS"));
      QCOMPARE(page.out.contains(".SH EXAMPLES"), name != QByteArray("spokelab-cli-wisdom-merge"));
      if (groff.isEmpty()) continue;
      const CliResult shown =
          call(groff, {"-man", "-Kutf8", "-Tutf8", "-wall", "-Wbreak", kept("page.1", page.out)});
      QVERIFY2(shown.code == 0 && shown.err.isEmpty(), shown.err);
    }
    QVERIFY(
        runCli(folder_.path(), {"manual", "spokelab-cli-reconstruct"}).out.contains("\\-\\-pipe\\-menon"));
    QCOMPARE(runCli(folder_.path(), {"manual", "spokelab-cli-paint"}).code, 1);
  }
};

SPOKELAB_CORE_TEST(TestUsageTexts)

}  // namespace test_usage_texts

#include "test_usage_texts.moc"
