// The first page of the window: there while nothing is open, gone when something is, with the files
// that were open before.
#include <QAction>
#include <QFileDialog>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>

#include "app/gui/features/scan/recent_files.h"
#include "app/gui/features/scan/start_feature.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/row_delegate.h"
#include "widgets/recon/scan/start_page.h"

namespace test_first_page {

using namespace spokelab;

namespace {

// A window that remembers files between runs.
struct Remembering {
  Backends backends;
  Session session{backends.all()};
  MainWindow window{session, backends.badges(), true};
  Remembering() { window.show(); }
  StartPage& page() const { return *window.features().start->page(); }
  QModelIndex row(int number) const { return page().list()->model()->index(number, 0); }
};

QDir pictures() {
  return QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/recent"));
}

bool isFirstPage(const MainWindow& window) {
  return window.views().centre->currentWidget() == window.features().start->page();
}

void openAndWait(Remembering& bench, const QString& file) {
  bench.window.open(file);
  QTRY_VERIFY_WITH_TIMEOUT(bench.session.results().rowCount() > 0 && !bench.session.jobs().busy(), patience);
}

}  // namespace

class TestFirstPage : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

 private Q_SLOTS:
  void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }
  void init() {
    QSettings().clear();
    pictures().removeRecursively();
  }

  void itIsThereWhileNothingIsOpen() {
    const QTemporaryDir folder;
    Workbench bench;
    QVERIFY(isFirstPage(bench.window));
    QApplication::setActiveWindow(&bench.window);
    QWidget* focus = QApplication::focusWidget();
    QVERIFY2(focus && focus->objectName() == QStringLiteral("start-action-open"),
             focus ? qPrintable(focus->objectName()) : "nothing");
    bench.window.open(smallScan(folder));
    QVERIFY(!isFirstPage(bench.window));  // the views say what comes
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QVERIFY(qobject_cast<SliceView*>(QApplication::focusWidget()));
    Q_EMIT bench.window.views().history->deleteRequested({1});
    QVERIFY(!isFirstPage(bench.window));  // the scan is still open
  }

  void aFileThatCannotBeOpenedLeavesIt() {
    Workbench bench;
    bench.window.open(QStringLiteral("/nowhere/at-all.h5"));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy() && isFirstPage(bench.window), patience);
  }

  void anImageAloneReplacesItAndItsDeletionBringsItBack() {
    const QTemporaryDir folder;
    Image image = nominalImage({8, 8, 4}, "image");
    image.data.assign(256, cfloat(1));
    writeImage(image, folder.filePath(QStringLiteral("image.nii")).toStdString(), {}, {});
    Workbench bench;
    drop(bench.window, folder.filePath(QStringLiteral("image.nii")));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QVERIFY(!isFirstPage(bench.window));
    Q_EMIT bench.window.views().history->deleteRequested({1});
    QVERIFY(isFirstPage(bench.window));
    bench.window.features().undo->undoAction()->trigger();
    QVERIFY(!isFirstPage(bench.window) && bench.window.views().image->image());
  }

  void theButtonsDoWhatTheirActionsDo() {
    Workbench bench;
    StartPage& page = *bench.window.features().start->page();
    page.findChild<QPushButton*>(QStringLiteral("start-action-open"))->click();
    auto* dialog = bench.window.findChild<QFileDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->close();
    QVERIFY(page.findChild<QPushButton*>(QStringLiteral("start-action-demo")));
    QVERIFY(page.findChild<QPushButton*>(QStringLiteral("start-action-demo-field")));
    page.findChild<QPushButton*>(QStringLiteral("start-action-simulate"))->click();
    QVERIFY(bench.window.findChild<QWidget*>(QStringLiteral("simulate"))->isVisible());
  }

  void whatWasOpenIsListedWithPictureAndLine() {
    const QTemporaryDir folder;
    const QString scan = smallScan(folder), session = folder.filePath(QStringLiteral("study.spokelab"));
    {
      Remembering bench;
      QVERIFY(!bench.page().list()->isVisible());
      openAndWait(bench, scan);
      QSignalSpy saved(bench.window.features().workspace, &Workspace::saved);
      bench.window.features().workspace->saveTo(session);
      QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    }
    QVERIFY(QFile::remove(session));
    Remembering bench;
    QVERIFY(isFirstPage(bench.window) && bench.page().list()->isVisible());
    QCOMPARE(bench.page().list()->model()->rowCount(), 2);
    QCOMPARE(bench.row(0).data().toString(), QStringLiteral("study.spokelab"));
    QVERIFY(bench.row(0).data(Qt::ForegroundRole).isValid());  // it is gone
    QCOMPARE(bench.row(1).data().toString(), QStringLiteral("small.h5"));
    const QString line = bench.row(1).data(SmallPrintRole).toString();
    QVERIFY2(line.startsWith(QStringLiteral("32 × 32, 2 coils · ")), qPrintable(line));
    QVERIFY(line.contains(QString::number(QDate::currentDate().year())));
    QVERIFY(!bench.row(1).data(Qt::DecorationRole).value<QImage>().isNull());
    bench.window.resize(1600, 1000);
    keepPicture(bench.window, "first-page");
    bench.window.resize(1024, 768);
    keepPicture(bench.window, "first-page-small");
    Q_EMIT bench.page().removeRequested(session);
    QCOMPARE(bench.page().list()->model()->rowCount(), 1);
    QCOMPARE(RecentFiles::all().size(), 1);
    // A key opens what is left.
    bench.page().list()->setFocus();
    bench.page().list()->setCurrentIndex(bench.row(0));
    QTest::keyClick(bench.page().list(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.results().rowCount() > 0, patience);
    QVERIFY(!isFirstPage(bench.window));
  }

  void aWindowThatRemembersNothingListsNothing() {
    RecentFiles::add(QStringLiteral("/data/1.h5"), QStringLiteral("line"));
    const auto firstOfMenu = [](const MainWindow& window) {
      QMenu* const menu = window.features().start->recentMenu();
      Q_EMIT menu->aboutToShow();
      return menu->actions().front()->text();
    };
    {
      Remembering bench;
      QCOMPARE(firstOfMenu(bench.window), QStringLiteral("1.h5"));
    }
    Workbench bench;
    QCOMPARE(firstOfMenu(bench.window), QStringLiteral("nothing yet"));
    QVERIFY(!bench.window.features().start->page()->list()->isVisible());
  }

  void theOldestGoesWithItsPicture() {
    QImage picture(8, 8, QImage::Format_Grayscale8);
    picture.fill(7);
    for (int i = 0; i < 12; ++i) {
      const QString file = QStringLiteral("/data/%1.h5").arg(i);
      RecentFiles::add(file, QStringLiteral("line %1").arg(i));
      RecentFiles::setPicture(file, picture);
    }
    const auto all = RecentFiles::all();
    QCOMPARE(all.size(), 10);
    QCOMPARE(all.front().file, QStringLiteral("/data/11.h5"));
    QCOMPARE(all.front().text, QStringLiteral("line 11"));
    QVERIFY(!all.back().picture.isNull());
    RecentFiles::setPicture(QStringLiteral("/data/0.h5"), picture);  // is listed no more
    QCOMPARE(pictures().entryList(QDir::Files).size(), 10);
  }
};

SPOKELAB_WINDOW_TEST(TestFirstPage)

}  // namespace test_first_page

#include "test_first_page.moc"
