// Results in the window: deleting what is shown, undo, names and pictures that a session keeps.
#include <QAction>
#include <QListView>
#include <QSignalSpy>

#include "tests/app/gui/workbench.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/difference_table.h"
#include "widgets/recon/parameters/plan_model.h"
#include "widgets/recon/parameters/plan_view.h"

namespace test_results {

using namespace spokelab;

namespace {

// Three results of a small scan: gridding at two accuracies, and the exact sum.
void makeThree(Workbench& bench, const QTemporaryDir& folder) {
  ReconOptions options;
  options.effort = TuneEffort::estimate;  // times are not what is looked at
  options.nufft.accuracy = 1e-2;
  openSmall(bench, folder, options);
  for (const bool exact : {false, true}) {
    options.nufft.accuracy = 1e-4;
    options.exact = exact;
    bench.window.views().parameters->setOptions(options);
    bench.window.features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
  }
  QCOMPARE(bench.results().rowCount(), 3);
  bench.window.features().undo->forget();
}

std::vector<int> ids(const HistoryModel& model) {
  std::vector<int> all;
  for (const HistoryEntry& entry : model.entries()) all.push_back(entry.id);
  return all;
}

}  // namespace

class TestResults : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void deletingTheShownResultShowsTheNewestAndUndoBringsItBack() {
    const QTemporaryDir folder;
    Workbench bench;
    makeThree(bench, folder);
    const MainWindow& w = bench.window;
    const auto image = w.views().image->image();
    w.features().compare->setComparing(true);
    QCOMPARE(bench.results().reference(), 2);
    HistoryList& history = *w.views().history;
    QApplication::setActiveWindow(&bench.window);
    bringUp(&history);
    history.list()->setFocus();
    history.select({3});
    QTest::keyClick(history.list(), Qt::Key_Delete);
    QCOMPARE(ids(bench.results()), (std::vector<int>{2, 1}));
    QCOMPARE(bench.results().shown(), 2);
    QCOMPARE(w.views().image->image(), bench.results().find(2)->result->image);
    QAction* undo = w.features().undo->undoAction();
    QVERIFY(undo->text().contains(QStringLiteral("deletion of result 3")));
    undo->trigger();
    QCOMPARE(ids(bench.results()), (std::vector<int>{3, 2, 1}));
    QCOMPARE(bench.results().shown(), 3);
    QCOMPARE(w.views().image->image(), image);
    w.features().undo->redoAction()->trigger();
    QCOMPARE(ids(bench.results()), (std::vector<int>{2, 1}));
  }

  void theReferenceCanBeDeleted() {
    const QTemporaryDir folder;
    Workbench bench;
    makeThree(bench, folder);
    bench.window.features().compare->setComparing(true);
    bench.session.setReference(1, true);
    Q_EMIT bench.window.views().history->deleteRequested({1});
    QCOMPARE(bench.results().reference(), 0);
    QVERIFY(!bench.window.views().image->reference());
    QCOMPARE(bench.results().shown(), 3);
  }

  void allCanBeDeletedAndTheScanStays() {
    const QTemporaryDir folder;
    Workbench bench;
    makeThree(bench, folder);
    const MainWindow& w = bench.window;
    w.features().compare->setComparing(true);
    Q_EMIT w.views().history->deleteRequested({1, 2, 3});
    QCOMPARE(bench.results().rowCount(), 0);
    QVERIFY(!w.views().image->image() && !w.views().comparing());
    QCOMPARE(w.views().plan->planModel()->rowCount(), 0);
    QVERIFY(bench.session.scan());
    QVERIFY(!w.features().results->saveAction()->isEnabled());
    // The next one has a number of its own, and what was deleted can still come back beside it.
    w.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(ids(bench.results()), (std::vector<int>{4}), patience);
    w.features().undo->undoAction()->trigger();
    QCOMPARE(ids(bench.results()), (std::vector<int>{4, 3, 2, 1}));
  }

  void aNameIsUndoneAndKeptInTheSessionWithThePicture() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("named.spokelab"));
    QImage picture;
    {
      Workbench bench;
      makeThree(bench, folder);
      HistoryModel& model = bench.session.results();
      QVERIFY(titleOf(*model.find(1)).startsWith(QStringLiteral("gridding α ")));
      QCOMPARE(titleOf(*model.find(3)), QStringLiteral("exact sum"));
      model.rename(2, QStringLiteral("for the paper"));
      const Undo& undo = *bench.window.features().undo;
      QVERIFY(undo.undoAction()->text().contains(QStringLiteral("name of result 2")));
      undo.undoAction()->trigger();
      QVERIFY(model.find(2)->name.isEmpty());
      undo.redoAction()->trigger();
      QCOMPARE(titleOf(*model.find(2)), QStringLiteral("for the paper"));
      picture = model.find(2)->picture;
      QVERIFY(!picture.isNull());
      QSignalSpy saved(bench.window.features().workspace, &Workspace::saved);
      bench.window.features().workspace->saveTo(file);
      QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
      QVERIFY(!bench.window.features().workspace->isModified());
      model.rename(1, QStringLiteral("not saved"));
      QVERIFY(bench.window.features().workspace->isModified());
    }
    Workbench bench;
    bench.window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 3, patience);
    QCOMPARE(titleOf(*bench.results().find(2)), QStringLiteral("for the paper"));
    QVERIFY(bench.results().find(1)->name.isEmpty());
    QCOMPARE(bench.results().find(2)->picture, picture);
  }

  void twoResultsTellWhatDiffers() {
    const QTemporaryDir folder;
    Workbench bench;
    makeThree(bench, folder);
    bench.window.resize(1024, 768);
    HistoryList& history = *bench.window.views().history;
    bringUp(&history);
    history.select({1, 2});
    QTRY_VERIFY_WITH_TIMEOUT(!history.differences()->visibleRegion().isEmpty(), patience);
    QVERIFY(history.differences()->isVisible());
    const auto rows = [&](const char* what) {
      return history.differences()->findItems(QString::fromUtf8(what), Qt::MatchExactly);
    };
    QCOMPARE(rows("Accuracy ε").size(), 1);
    QCOMPARE(rows("Accuracy ε").front()->text(1), QStringLiteral("0.01"));
    QTRY_COMPARE_WITH_TIMEOUT(rows("Images (NRMSE)").size(), 1, patience);
    keepPicture(bench.window, "results-small");
    bench.window.resize(1600, 1000);
    keepPicture(bench.window, "results-window");
    QDockWidget* dock = bench.window.dock(QStringLiteral("results"));
    dock->setFloating(true);
    dock->resize(360, 420);
    keepPicture(history, "results");
  }
};

SPOKELAB_WINDOW_TEST(TestResults)

}  // namespace test_results

#include "test_results.moc"
