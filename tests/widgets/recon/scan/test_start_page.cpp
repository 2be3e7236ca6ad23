// The first page: a button for each way to begin, recent files by mouse and keys, those that are
// gone grey and taken off the list.
#include <QAction>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "widgets/recon/row_delegate.h"
#include "widgets/recon/scan/start_page.h"

namespace test_start_page {

using namespace spokelab;

namespace {

struct Page {
  QAction open{QStringLiteral("Open")}, demo{QStringLiteral("Demo")};
  StartPage page{{&open, &demo}};

  Page() {
    open.setObjectName(QStringLiteral("action-open"));
    demo.setObjectName(QStringLiteral("action-demo"));
    QImage picture(32, 48, QImage::Format_Grayscale8);
    picture.fill(128);
    page.setRecent({{QStringLiteral("/data/brain.h5"), QStringLiteral("256 × 256, 8 coils"), picture, true},
                    {QStringLiteral("/data/gone.h5"), QStringLiteral("64 × 64, 1 coil"), {}, false}});
    page.resize(700, 600);
    page.show();
    QApplication::setActiveWindow(&page);
  }
  QPoint centre(int row) const { return page.list()->visualRect(index(row)).center(); }
  QModelIndex index(int row) const { return page.list()->model()->index(row, 0); }
};

}  // namespace

class TestStartPage : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyWayHasAButtonThatKeysReach() {
    Page p;
    QSignalSpy opened(&p.open, &QAction::triggered), demo(&p.demo, &QAction::triggered);
    p.page.setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(demo.count(), 1);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), p.page.list());
  }

  void aRecentFileIsOpenedByClickAndByKey() {
    Page p;
    QSignalSpy wanted(&p.page, &StartPage::openRequested);
    QCOMPARE(p.index(0).data().toString(), QStringLiteral("brain.h5"));
    QVERIFY(!p.index(0).data(Qt::DecorationRole).isNull());
    QTest::mouseClick(p.page.list()->viewport(), Qt::LeftButton, {}, p.centre(0));
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().toString(), QStringLiteral("/data/brain.h5"));
    p.page.list()->setFocus();
    p.page.list()->setCurrentIndex(p.index(0));
    QTest::keyClick(p.page.list(), Qt::Key_Return);
    QCOMPARE(wanted.count(), 2);
  }

  void whatIsGoneIsGreyAndCanBeRemoved() {
    Page p;
    QSignalSpy wanted(&p.page, &StartPage::openRequested), removed(&p.page, &StartPage::removeRequested);
    QVERIFY(p.index(1).data(Qt::ForegroundRole).isValid() && !p.index(0).data(Qt::ForegroundRole).isValid());
    QTest::mouseClick(p.page.list()->viewport(), Qt::LeftButton, {}, p.centre(1));
    QCOMPARE(wanted.count(), 0);
    auto* delegate = qobject_cast<RowDelegate*>(p.page.list()->itemDelegate());
    const QPoint button = delegate->buttonRect(p.page.list()->visualRect(p.index(1)), p.index(1)).center();
    QTest::mouseClick(p.page.list()->viewport(), Qt::LeftButton, {}, button);
    QTRY_COMPARE_WITH_TIMEOUT(removed.count(), 1, patience);
    QCOMPARE(removed.front().front().toString(), QStringLiteral("/data/gone.h5"));
    p.page.list()->setCurrentIndex(p.index(0));
    QTest::keyClick(p.page.list(), Qt::Key_Delete);
    QCOMPARE(removed.count(), 2);
    QCOMPARE(removed.back().front().toString(), QStringLiteral("/data/brain.h5"));
  }

  void withoutRecentFilesThereIsNoList() {
    Page p;
    QVERIFY(p.page.list()->isVisible());
    p.page.setRecent({});
    QVERIFY(!p.page.list()->isVisible());
  }
};

SPOKELAB_GUI_TEST(TestStartPage)

}  // namespace test_start_page

#include "test_start_page.moc"
