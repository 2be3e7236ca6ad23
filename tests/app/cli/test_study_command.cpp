// study: what it says of itself, and what a stopped one leaves.
#include <QtTest>

#include <csignal>

#include "engine/profile/study/study.h"
#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_study_command {

using spokelab::test::cliEnvironment;
using spokelab::test::filesIn;
using spokelab::test::runCli;

class TestStudyCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

 private slots:
  void theListSaysWhatIsNotAsInThePaper() {
    const auto list = runCli(folder_.path(), {"study", "--list"});
    QVERIFY2(list.code == 0, list.err);
    for (const spokelab::StudyInfo& info : spokelab::studies())
      for (const std::string& text : {info.name, info.source, info.same, info.differs})
        QVERIFY2(list.out.contains(text.c_str()), text.c_str());
    const auto none = runCli(folder_.path(), {"study"});
    QVERIFY2(none.code != 0 && none.err.contains("NAME"), none.err);
  }

  void aStudySaysItToo() {
    const auto one =
        runCli(folder_.path(), {"study", "row-deviations", "--sizes", "8", "--patterns", "random"});
    QVERIFY2(one.code == 0, one.err);
    const auto& all = spokelab::studies();
    const auto own =
        std::find_if(all.begin(), all.end(), [](const auto& info) { return info.name == "row-deviations"; });
    for (const spokelab::StudyInfo& info : all)
      QVERIFY2(one.out.contains(info.differs.c_str()) == (info.differs == own->differs), info.name.c_str());
  }

  void aStudyIsRepeatedFromItsJson() {
    const auto first = runCli(folder_.path(), {"study", "row-deviations", "--sizes", "8", "--patterns",
                                               "random", "--json", "first.json"});
    QVERIFY2(first.code == 0, first.err);
    const auto again = runCli(folder_.path(), {"study", "--replay", "first.json", "--json", "again.json",
                                               "--report", "again.html"});
    QVERIFY2(again.code == 0, again.err);
    QVERIFY2(again.out.contains("Beside first.json") && again.out.contains("the same"), again.out);
    const auto jsonOf = [this](const char* name) {
      QFile file(folder_.filePath(QLatin1String(name)));
      return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                            : QJsonObject();
    };
    const QJsonObject document = jsonOf("again.json");
    QCOMPARE(document["replay"].toObject()["differences"].toInt(-1), 0);
    QVERIFY(document["study"].toObject()["rows"].toArray().size() > 0);
    QFile page(folder_.filePath("again.html"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY(page.readAll().contains("Beside the report that was repeated"));

    QJsonObject changed = jsonOf("first.json"), study = changed["study"].toObject();
    QJsonArray rows = study["rows"].toArray();
    QJsonObject row = rows[0].toObject();
    row["y"] = 2 * row["y"].toDouble() + 1;
    rows[0] = row;
    study["rows"] = rows;
    changed["study"] = study;
    QFile other(folder_.filePath("changed.json"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write(QJsonDocument(changed).toJson());
    other.close();
    const auto differs = runCli(folder_.path(), {"study", "--replay", "changed.json"});
    QVERIFY2(differs.code == 1 && differs.out.contains("DIFFERS"), differs.out);
    const auto both = runCli(folder_.path(), {"study", "--replay", "first.json", "--sizes", "9"});
    QVERIFY2(both.code != 0 && both.err.contains("--sizes"), both.err);
  }

  void aPageIsRepeatedFromTheJsonBesideIt() {
    const QStringList study = {"study", "row-deviations", "--sizes", "8", "--patterns", "random"};
    const auto page = runCli(folder_.path(), study + QStringList{"--report", "page.html"});
    QVERIFY2(page.code == 0 && page.out.contains("page.json"), page.err);
    const auto again = runCli(folder_.path(), {"study", "--replay", "page.json", "--json", "one.json"});
    QVERIFY2(again.code == 0 && again.out.contains("the same"), again.err);
    const auto named = runCli(folder_.path(), study + QStringList{"--report", "p2.html", "--json", "n.json"});
    QVERIFY2(named.code == 0, named.err);
    QVERIFY(filesIn(folder_.path()).contains("n.json") && !filesIn(folder_.path()).contains("p2.json"));

    QFile file(folder_.filePath("one.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject several = QJsonDocument::fromJson(file.readAll()).object();
    several["studies"] = QJsonArray{several["study"], several["study"]};
    several.remove("study");
    QFile out(folder_.filePath("several.json"));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QJsonDocument(several).toJson());
    out.close();
    const auto both = runCli(folder_.path(), {"study", "--replay", "several.json"});
    QVERIFY2(both.code == 0 && both.out.count("the same") > again.out.count("the same"), both.err);
    const auto csv = runCli(folder_.path(), {"study", "--replay", "several.json", "--csv", "s.csv"});
    QVERIFY2(csv.code == 1 && csv.err.contains("2 studies"), csv.err);
    QVERIFY(!filesIn(folder_.path()).contains("s.csv"));
  }

  void aStoppedStudyLeavesItsRows() {
    QProcess process;
    process.setProcessEnvironment(cliEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.start(SPOKELAB_CLI,
                  {"study", "best-alpha", "--sizes", "8,10,12,14,16,18,20,22,24", "--patterns", "random",
                   "--trials", "200", "--backend", "cpu", "--csv", "b.csv", "--json", "b.json"});
    constexpr int patience = 120000;  // ms
    QTRY_VERIFY_WITH_TIMEOUT(filesIn(folder_.path()).contains("b.partial.json"), patience);
    ::kill(pid_t(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(patience));
    QVERIFY(process.exitCode() != 0);
    QFile table(folder_.filePath("b.partial.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QVERIFY(table.readAll().count("cpu blocked") > 0);
    QVERIFY(!filesIn(folder_.path()).contains("b.csv"));
    // The next one that ends well takes them away.
    const auto next = runCli(folder_.path(), {"study", "row-deviations", "--sizes", "8", "--patterns",
                                              "random", "--csv", "b.csv", "--json", "b.json"});
    QVERIFY2(next.code == 0, next.err);
    for (const char* file : {"b.partial.csv", "b.partial.json"})
      QVERIFY(!filesIn(folder_.path()).contains(file));
    for (const char* file : {"b.csv", "b.json"}) QVERIFY(filesIn(folder_.path()).contains(file));
  }
};

SPOKELAB_CORE_TEST(TestStudyCommand)

}  // namespace test_study_command

#include "test_study_command.moc"
