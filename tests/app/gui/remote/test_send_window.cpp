// Reconstructions and suites sent to another machine from the window, through a stand-in for ssh that runs
// the command line in another home: the result comes back with its machine's name; what goes wrong is told;
// a cut connection and a closed window end the wait and not the job.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

#include <csignal>

#include "app/gui/features/banner.h"
#include "app/gui/features/remote/remote_feature.h"
#include "app/gui/features/remote/send_dialog.h"
#include "engine/core/atomic_file.h"
#include "tests/app/gui/workbench.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/row_delegate.h"

namespace test_send_window {

using namespace spokelab;

namespace {

void writeScript(const QString& name, const QByteArray& text) {
  QFile file(name);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("#!/bin/sh\n" + text);
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

ReconOptions fixedPlan() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 4;
  options.nufft.threads = 1;
  return options;
}

}  // namespace

class TestSendWindow : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QString at(const char* name) const { return folder_.filePath(QString::fromUtf8(name)); }
  QStringList jobsThere() const {
    return QDir(at("there/.cache/spokelab/jobs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  }
  QStringList recordsHere() const {
    return QDir(at("here/.local/share/spokelab/remote")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
  }
  bool runsThere(const QString& job) const {
    QFile file(at("there/.cache/spokelab/jobs/") + job + QStringLiteral("/pid"));
    const pid_t process = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
    return process > 0 && ::kill(process, 0) == 0;
  }
  static SendDialog& dialogOf(Workbench& bench) {
    bench.window.findChild<QAction*>(QStringLiteral("action-send"))->trigger();
    return *bench.window.findChild<SendDialog*>(QStringLiteral("send"));
  }
  static void press(SendDialog& dialog, const char* name) {
    auto* button = dialog.findChild<QPushButton*>(QString::fromUtf8(name));
    QVERIFY2(button && button->isEnabled(), name);
    button->click();
  }
  static void send(Workbench& bench, const char* host, const QString& program) {
    SendDialog& dialog = dialogOf(bench);
    dialog.setMachine(QString::fromUtf8(host), program);
    press(dialog, "sendNow");
  }
  static bool logged(Workbench& bench, const char* text) {
    return bench.window.views().log->toPlainText().contains(QString::fromUtf8(text));
  }
  // The newest job that was sent.
  static QModelIndex sentJob(Workbench& bench) {
    const JobModel* jobs = bench.window.views().jobs->model();
    for (int row = 0; row < jobs->rowCount(); ++row)
      if (jobs->index(row).data(Qt::DisplayRole).toString().endsWith(QStringLiteral(" on node7")))
        return jobs->index(row);
    return {};
  }

 private Q_SLOTS:
  void initTestCase() {
    for (const char* name : {"here/.ssh", "there", "bin", "bin-there"}) QDir().mkpath(at(name));
    QVERIFY(QFile::link(QStringLiteral(SPOKELAB_CLI), at("bin-there/spokelab-cli")));
    writeScript(at("bin-there/slow"), "[ \"$1\" = --version ] || sleep 3\nexec spokelab-cli \"$@\"\n");
    writeScript(at("bin-there/endless"),
                "[ \"$1\" = --version ] && exec spokelab-cli --version\nexec sleep 300\n");
    writeScript(at("bin-there/failing"), R"([ "$1" = --version ] && exec spokelab-cli --version
echo 'spokelab-cli: error: Cannot reconstruct small.h5' >&2
echo '  why:        its disk is gone' >&2
echo '  what to do: Look for it' >&2
exit 1
)");
    writeScript(at("bin-there/other"), "echo spokelab-cli 99.1.0\n");
    // ssh -o BatchMode=yes -- HOST SCRIPT. A wait is cut after a second where there is a file "cut".
    writeScript(at("bin/ssh"), R"([ "$1 $2 $3" = "-o BatchMode=yes --" ] || { echo "ssh: $*" >&2; exit 255; }
case $4 in
  node7) ;;
  locked) echo "locked: Permission denied (publickey,password)." >&2; exit 255 ;;
  *) echo "ssh: Could not resolve hostname $4: Name or service not known" >&2; exit 255 ;;
esac
export HOME="$THERE" SPOKELAB_WISDOM="$THERE/wisdom.json" PATH="$THERE/../bin-there:$PATH"
cd "$HOME"
case $5 in
  *"while :"*) [ ! -e ../cut ] || { timeout 1 sh -c "$5"; exit 255; } ;;
esac
exec sh -c "$5"
)");
    qputenv("HOME", at("here").toUtf8());
    qputenv("THERE", at("there").toUtf8());
    qputenv("PATH", at("bin").toUtf8() + ':' + qgetenv("PATH"));
    for (const char* name : {"XDG_DATA_HOME", "XDG_CACHE_HOME", "SPOKELAB_SSH"}) qunsetenv(name);
  }

  void theResultIsThatOfThisMachine() {
    writeFileAtomically((at("here/.ssh/config")).toStdString(),
                        "Include more\nHost node7 node8\n  User me\nHost *.lab !x\n");
    writeFileAtomically((at("here/.ssh/more")).toStdString(), "host = \"gpu1\"  # the fast one\n");
    Workbench bench;
    openSmall(bench, folder_, fixedPlan());
    SendDialog& dialog = dialogOf(bench);
    auto* hosts = dialog.findChild<QComboBox*>(QStringLiteral("sendHost"));
    QStringList names;
    for (int i = 0; i < hosts->count(); ++i) names << hosts->itemText(i);
    QCOMPARE(names, (QStringList{"gpu1", "node7", "node8"}));
    send(bench, "node7", QStringLiteral("spokelab-cli"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    const HistoryEntry& there = bench.results().entries()[0];
    const HistoryEntry& here = bench.results().entries()[1];
    QVERIFY2(titleOf(there).endsWith(QStringLiteral(", on node7")), qPrintable(titleOf(there)));
    QVERIFY(std::any_of(there.result->notes.begin(), there.result->notes.end(), [](const std::string& note) {
      return note.starts_with("reconstructed on node7 (") && note.find(" threads) by Spokelab ") != note.npos;
    }));
    QVERIFY(there.result->image->provenance.back().starts_with("reconstructed on node7"));
    QVERIFY(there.result->image->data == here.result->image->data);
    QCOMPARE(there.result->image->geometry.fov[0], here.result->image->geometry.fov[0]);
    QCOMPARE(there.result->options.nufft.width, 4.0);
    QCOMPARE(bench.results().shown(), there.id);
    QVERIFY(bench.session.obstacleTo(here).isEmpty());  // of one scan: they can be compared
    QTRY_VERIFY_WITH_TIMEOUT(logged(bench, "node7: sent as job "), patience);
    const auto& lines = bench.window.views().log->lines();
    QVERIFY(std::any_of(lines.begin(), lines.end(), [](const LogLine& line) {
      return line.text.startsWith(QStringLiteral("node7: ")) && line.text.contains(QStringLiteral("density"));
    }));
    QVERIFY(!logged(bench, "node7: progress"));
    QTRY_COMPARE_WITH_TIMEOUT(sentJob(bench).data(ButtonRole).toString(), QString(), patience);
    QVERIFY(sentJob(bench)
                .data(JobCommandRole)
                .toString()
                .startsWith(QStringLiteral("spokelab remote --program spokelab-cli node7 reconstruct ")));
    QCOMPARE(jobsThere(), QStringList());
    QCOMPARE(recordsHere(), QStringList());
    QCOMPARE(dialog.table()->rowCount(), 0);
    // Used names come first.
    dialog.refresh();
    QCOMPARE(hosts->itemText(0), QStringLiteral("node7"));
  }

  void refusalsSayWhatToDo_data() {
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("unknown") << "node9"
                             << "spokelab-cli"
                             << QStringList{"Could not resolve hostname node9", "~/.ssh/config",
                                            "Try: ssh node9"};
    QTest::newRow("refused") << "locked"
                             << "spokelab-cli"
                             << QStringList{"Permission denied", "a key that ssh-agent holds"};
    QTest::newRow("no program") << "node7"
                                << "nothing-here" << QStringList{"no program nothing-here", "Install it"};
    QTest::newRow("other version") << "node7"
                                   << "other" << QStringList{"99.1.0", "Install the same version"};
    QTest::newRow("an option") << "-oProxyCommand=x"
                               << "spokelab-cli" << QStringList{"no name of a machine"};
  }
  void refusalsSayWhatToDo() {
    QFETCH(QString, host);
    QFETCH(QString, program);
    QFETCH(QStringList, words);
    Workbench bench;
    openSmall(bench, folder_, fixedPlan());
    const QSignalSpy failed(&bench.session, &Session::failed);
    send(bench, host.toUtf8(), program);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    const QString banner = bench.window.views().banner->text();
    const QString summary =
        dialogOf(bench).findChild<QLabel*>(QStringLiteral("sendSummary"))->text() + banner;
    for (const QString& word : words) QVERIFY2(summary.contains(word), qPrintable(summary));
    QCOMPARE(bench.results().rowCount(), 1);
    QCOMPARE(jobsThere(), QStringList());
    QCOMPARE(recordsHere(), QStringList());
  }

  void whatFailsThereIsToldWithItsReason() {
    Workbench bench;
    openSmall(bench, folder_, fixedPlan());
    const QSignalSpy failed(&bench.session, &Session::failed);
    send(bench, "node7", QStringLiteral("failing"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    const auto failure = failed.front().front().value<Failure>();
    QCOMPARE(failure.summary, QStringLiteral("node7: Cannot reconstruct small.h5"));
    QCOMPARE(failure.reason, QStringLiteral("its disk is gone"));
    QCOMPARE(failure.remedy, QStringLiteral("Look for it"));
    QCOMPARE(bench.results().rowCount(), 1);
    QCOMPARE(jobsThere(), QStringList());
    QCOMPARE(recordsHere(), QStringList());
  }

  void aCutConnectionEndsTheWaitAndNotTheJob() {
    writeFileAtomically(at("cut").toStdString(), "");
    std::shared_ptr<const Image> here;
    {
      Workbench bench;
      openSmall(bench, folder_, fixedPlan());
      here = bench.results().entries()[0].result->image;
      const QSignalSpy failed(&bench.session, &Session::failed);
      send(bench, "node7", QStringLiteral("slow"));
      QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
      const auto failure = failed.front().front().value<Failure>();
      QVERIFY2(failure.remedy.contains(QStringLiteral("The job continues there: Fetch")),
               qPrintable(failure.remedy));
      QCOMPARE(bench.results().rowCount(), 1);
      QCOMPARE(jobsThere().size(), 1);
      SendDialog& dialog = dialogOf(bench);
      QCOMPARE(dialog.table()->rowCount(), 1);
      QCOMPARE(dialog.table()->item(0, 0)->text(), QStringLiteral("to be fetched"));
      QVERIFY(!dialog.table()->item(0, 3)->text().contains(QStringLiteral("image.npy")));
    }
    QFile::remove(at("cut"));
    // The window was closed meanwhile: the next one knows the job.
    Workbench bench;
    openSmall(bench, folder_, fixedPlan());
    SendDialog& dialog = dialogOf(bench);
    QCOMPARE(dialog.table()->rowCount(), 1);
    press(dialog, "sendFetch");
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QVERIFY(bench.results().entries()[0].result->image->data == here->data);
    QVERIFY(bench.session.obstacleTo(bench.results().entries()[1]).isEmpty());
    QCOMPARE(jobsThere(), QStringList());
    QCOMPARE(recordsHere(), QStringList());
    QCOMPARE(dialog.table()->rowCount(), 0);
  }

  void aClosedWindowLeavesTheJobAndEndEndsIt() {
    {
      Workbench bench;
      openSmall(bench, folder_, fixedPlan());
      send(bench, "node7", QStringLiteral("endless"));
      QTRY_VERIFY_WITH_TIMEOUT(logged(bench, "sent as job"), patience);
      SendDialog& dialog = dialogOf(bench);
      QCOMPARE(dialog.table()->item(0, 0)->text(), QStringLiteral("waited for"));
      QVERIFY(!dialog.findChild<QPushButton*>(QStringLiteral("sendFetch"))->isEnabled());
    }
    QCOMPARE(jobsThere().size(), 1);
    const QString job = jobsThere().front();
    QTRY_VERIFY_WITH_TIMEOUT(runsThere(job), patience);
    Workbench bench;
    SendDialog& dialog = dialogOf(bench);
    QCOMPARE(dialog.table()->rowCount(), 1);
    press(dialog, "sendEnd");
    QTRY_COMPARE_WITH_TIMEOUT(dialog.table()->rowCount(), 0, patience);
    QVERIFY(!runsThere(job));
    QCOMPARE(jobsThere(), QStringList());
    QCOMPARE(recordsHere(), QStringList());
  }

  void aCancelEndsTheJobThere() {
    Workbench bench;
    openSmall(bench, folder_, fixedPlan());
    send(bench, "node7", QStringLiteral("endless"));
    QTRY_VERIFY_WITH_TIMEOUT(logged(bench, "sent as job"), patience);
    QTRY_VERIFY_WITH_TIMEOUT(runsThere(jobsThere().front()), patience);
    // Jobs of this machine run beside it, and another scan leaves it alone.
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    bench.window.open(smallScan(folder_));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 3, patience);
    JobList* jobs = bench.window.views().jobs;
    const QModelIndex sent = sentJob(bench);
    QVERIFY(sent.isValid());
    QCOMPARE(sent.data(ButtonRole).toString(), QStringLiteral("Cancel"));
    const QString job = jobsThere().front();
    Q_EMIT jobs->cancelRequested(sent.data(JobIdRole).toInt());
    QTRY_COMPARE_WITH_TIMEOUT(jobsThere(), QStringList(), patience);
    QVERIFY(!runsThere(job));
    QTRY_COMPARE_WITH_TIMEOUT(recordsHere(), QStringList(), patience);
    QCOMPARE(bench.results().rowCount(), 3);
  }

  void aSuitesResultsComeBack() {
    const QString suite = at("ours.json"), results = at("results");
    writeFileAtomically(suite.toStdString(),
                        R"({"format": "spokelab-suite", "formatVersion": 1, "name": "ours", "cases": [
      {"study": "best-alpha", "sizes": [8, 10], "accelerations": [4], "accuracies": [0.01],
       "patterns": ["radial3d"], "trials": 1}]})");
    Workbench bench;
    SendDialog& dialog = dialogOf(bench);
    QVERIFY(!dialog.findChild<QPushButton*>(QStringLiteral("sendNow"))->isEnabled());  // no scan is open
    dialog.setSuite(suite, results);
    send(bench, "node7", QStringLiteral("spokelab-cli"));
    QTRY_VERIFY_WITH_TIMEOUT(logged(bench, "Fetched "), patience);
    QVERIFY(QFile::exists(results + QStringLiteral("/results.csv")));
    QVERIFY(QFile::exists(results + QStringLiteral("/results.json")));
    QCOMPARE(jobsThere(), QStringList());
  }

  void aScanInNoFileIsNotSent() {
    Workbench bench;
    bench.session.setScan({radialScan(16, 1, 64), {}, {}, {}});
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    const QSignalSpy failed(&bench.session, &Session::failed);
    send(bench, "node7", QStringLiteral("spokelab-cli"));
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed.front().front().value<Failure>().remedy.startsWith(QStringLiteral("Save the scan")));
    QCOMPARE(recordsHere(), QStringList());
  }

  void jobsStandInTheDialog() {  // the guide's picture
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder_.path()));
    QVERIFY(QFile::copy(smallScan(folder_), QStringLiteral("brain.h5")));
    Workbench bench;
    bench.window.views().parameters->setOptions(fixedPlan());
    bench.window.open(QStringLiteral("brain.h5"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    send(bench, "node7", QStringLiteral("endless"));
    QTRY_VERIFY_WITH_TIMEOUT(logged(bench, "sent as job"), patience);
    const QString earlier = at("here/.local/share/spokelab/remote/20261123-113000-1a2b.json");
    writeFileAtomically(earlier.toStdString(),
                        R"({"host": "me@gpu1", "program": "spokelab-cli", "begun": "2026-11-23T11:30:00Z",
                            "command": "suite papers -o papers", "outputs": ["/papers/results.json"]})");
    SendDialog& dialog = dialogOf(bench);
    QTRY_COMPARE_WITH_TIMEOUT(dialog.table()->rowCount(), 2, patience);
    dialog.setMachine(QStringLiteral("node7"), QStringLiteral("spokelab-cli"));
    dialog.table()->selectRow(1);
    QCOMPARE(dialog.table()->item(1, 1)->text(), QStringLiteral("me@gpu1"));
    keepPicture(dialog, "send");
    press(dialog, "sendForget");
    QVERIFY(!QFile::exists(earlier));
    QCOMPARE(dialog.table()->rowCount(), 1);
    bench.window.features().remote->end("node7", jobsThere().front().toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(jobsThere(), QStringList(), patience);
    QVERIFY(QDir::setCurrent(before));
  }
};

SPOKELAB_WINDOW_TEST(TestSendWindow)

}  // namespace test_send_window

#include "test_send_window.moc"
