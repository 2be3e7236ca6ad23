// A suite in the window: case by case in a table, kept when it is run again.
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

#include "app/gui/features/profile/suite_dialog.h"
#include "engine/core/atomic_file.h"
#include "tests/app/gui/workbench.h"

namespace test_suite_window {

using namespace spokelab;

class TestSuiteWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void casesAppearAndAreKept() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("s.json"));
    writeFileAtomically(file.toStdString(),
                        R"({"format": "spokelab-suite", "formatVersion": 1, "name": "mine", "cases": [
      {"study": "best-alpha", "sizes": [8, 10], "accelerations": [4], "accuracies": [0.01],
       "patterns": ["radial3d"], "trials": 1},
      {"scan": "missing.h5"}]})");
    Workbench bench;
    bench.window.findChild<QAction*>(QStringLiteral("action-suite"))->trigger();
    auto* dialog = bench.window.findChild<SuiteDialog*>(QStringLiteral("suite"));
    QVERIFY(dialog && dialog->isVisible());
    auto* run = dialog->findChild<QPushButton*>(QStringLiteral("suiteRun"));
    QVERIFY(!run->isEnabled());  // no folder yet
    dialog->setSuite(file);
    dialog->setFolder(folder.filePath(QStringLiteral("r")));
    const auto summary = [&] { return dialog->findChild<QLabel*>(QStringLiteral("suiteSummary"))->text(); };
    for (const char* state : {"ran", "kept"}) {
      QVERIFY(run->isEnabled());
      QTest::mouseClick(run, Qt::LeftButton);
      QVERIFY(!run->isEnabled());
      QTRY_VERIFY_WITH_TIMEOUT(summary().startsWith(QStringLiteral("3 cases are finished, 1 of them failed")),
                               patience);
      QTRY_COMPARE_WITH_TIMEOUT(dialog->table()->rowCount(), 3, patience);
      QCOMPARE(dialog->table()->item(0, 0)->text(), QString::fromUtf8(state));
      QCOMPARE(dialog->table()->item(1, 0)->text(), QString::fromUtf8(state));
      QCOMPARE(dialog->table()->item(2, 0)->text(), QStringLiteral("failed"));
      QVERIFY(!dialog->table()->item(2, 4)->text().isEmpty());
      QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), patience);
    }
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("r/results.csv"))));
  }

  void studiesAndScansStandInOneTable() {  // the guide's picture
    const QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    writeFileAtomically("ours.json",
                        R"({"format": "spokelab-suite", "formatVersion": 1, "name": "ours", "cases": [
      {"study": "best-alpha", "sizes": [8, 10, 12], "accelerations": [4], "accuracies": [0.01, 0.001],
       "patterns": ["radial3d"], "trials": 1},
      {"scan": "demo", "alphas": [1.5, 2], "widths": [4], "trials": 1}]})");
    Workbench bench;
    SuiteDialog dialog(bench.session);
    dialog.setSuite(QStringLiteral("ours.json"));
    dialog.setFolder(QStringLiteral("ours"));
    dialog.show();
    dialog.run();
    QTRY_COMPARE_WITH_TIMEOUT(dialog.table()->rowCount(), 7, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QCOMPARE(dialog.table()->item(6, 1)->text(), QStringLiteral("sweep demo"));
    QCOMPARE(dialog.table()->item(6, 2)->text(), QStringLiteral("2"));
    keepPicture(dialog, "suite");
    QVERIFY(QDir::setCurrent(before));
  }

  void whatIsStoppedGoesOn() {
    const QTemporaryDir folder;
    Workbench bench;
    SuiteDialog dialog(bench.session);
    dialog.setSuite(QStringLiteral("quick"));
    dialog.setFolder(folder.filePath(QStringLiteral("r")));
    dialog.show();
    dialog.run();
    auto* stop = dialog.findChild<QPushButton*>(QStringLiteral("suiteStop"));
    QTRY_VERIFY_WITH_TIMEOUT(QDir(folder.filePath(QStringLiteral("r/cases"))).exists(), patience);
    QTest::mouseClick(stop, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QPushButton*>(QStringLiteral("suiteRun"))->isEnabled(),
                             patience);
    QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("suiteSummary"))->text().contains("stopped"));
  }
};

SPOKELAB_WINDOW_TEST(TestSuiteWindow)

}  // namespace test_suite_window

#include "test_suite_window.moc"
