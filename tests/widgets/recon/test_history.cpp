// The list of results: names, pictures, renaming and deleting by key, what differs between two.
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QtTest>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/recon/difference_table.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/row_delegate.h"

namespace test_history {

using namespace spokelab;

namespace {

HistoryEntry entry(int id, double alpha) {
  auto result = std::make_shared<Reconstruction>();
  auto image = samples::blank({16, 16, 1});
  samples::fillBox(*image, {2, 2, 0}, {9, 9, 0}, cfloat(float(id)));
  samples::at(*image, {12, 12, 0}) = 1;
  result->image = image;
  result->plan.backend = "cpu";
  result->plan.options.alpha = alpha;
  result->plan.options.width = 4;
  result->seconds = id;
  return {id, QStringLiteral("scan"), result};
}

struct Results {
  HistoryModel model;
  QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
  HistoryList list{model};

  Results() {
    for (int id = 1; id <= 3; ++id) model.add(entry(id, 1 + 0.25 * id));
    list.resize(320, 600);
    list.show();
    QApplication::setActiveWindow(&list);
    list.list()->setFocus();
  }
  QStringList titles() const {
    QStringList all;
    for (const HistoryEntry& e : model.entries()) all << titleOf(e);
    return all;
  }
  void click(int row, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseClick(list.list()->viewport(), Qt::LeftButton, keys,
                      list.list()->visualRect(model.index(row)).center());
  }
  // The menu's entry, as a user finds it.
  QAction* entryOfMenu(const QString& text) {
    Q_EMIT list.list()->customContextMenuRequested(list.list()->visualRect(model.index(0)).center());
    for (QMenu* menu : list.findChildren<QMenu*>())
      for (QAction* action : menu->actions())
        if (action->text() == text) return action;
    return nullptr;
  }
};

}  // namespace

class TestHistory : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rowsHaveNamesAndPictures() {
    Results r;
    QCOMPARE(r.model.index(0).data().toString(), QStringLiteral("3  gridding α 1.75 W 4"));
    QVERIFY(r.model.index(0).data(SmallPrintRole).toString().startsWith(QStringLiteral("scan")));
    const auto picture = r.model.index(0).data(Qt::DecorationRole).value<QImage>();
    QVERIFY(!picture.isNull() && picture.width() <= 2 * rowPicturePixels);
    QVERIFY(r.list.list()->visualRect(r.model.index(0)).height() >= rowPicturePixels);
    // An entry without an image has a row without a picture.
    r.model.add({4, QStringLiteral("scan"), std::make_shared<Reconstruction>()});
    QVERIFY(!r.model.index(0).data(Qt::DecorationRole).isValid());
  }

  // lambda was changed while it was made: the name has both.
  void aNameTellsTheChangeOfLambda() {
    const HistoryEntry plain = entry(1, 2);
    auto result = std::make_shared<Reconstruction>(*plain.result);
    result->options.iterative.method = ReconMethod::sense;
    result->options.iterative.solver.lambda = 0.1;
    result->iterations.resize(1);
    result->iterations[0].lambdaChanges = {{3, 1e-3, 0.1}};
    const QString title = titleOf({1, QStringLiteral("scan"), result});
    QVERIFY2(title.contains(QStringLiteral("λ 0.001→0.1")), qPrintable(title));
  }

  void f2RenamesAndAnEmptyNameIsTheOneItWasMadeWith() {
    Results r;
    QSignalSpy renamed(&r.model, &HistoryModel::renamed);
    r.list.list()->setCurrentIndex(r.model.index(1));
    QTest::keyClick(r.list.list(), Qt::Key_F2);
    auto* editor = r.list.list()->findChild<QLineEdit*>();
    QVERIFY(editor);
    QCOMPARE(editor->text(), QStringLiteral("gridding α 1.5 W 4"));
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("  the good one "));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(titleOf(*r.model.find(2)), QStringLiteral("the good one"), patience);
    QCOMPARE(renamed.count(), 1);
    QCOMPARE(r.model.index(1).data().toString(), QStringLiteral("2  the good one"));
    QVERIFY(r.model.setData(r.model.index(1), QString(), Qt::EditRole));
    QCOMPARE(titleOf(*r.model.find(2)), QStringLiteral("gridding α 1.5 W 4"));
    QVERIFY(r.model.setData(r.model.index(1), QStringLiteral("gridding α 1.5 W 4"), Qt::EditRole));
    QVERIFY(r.model.find(2)->name.isEmpty());
  }

  void aClickShowsOneAndCtrlSelectsTwo() {
    Results r;
    QSignalSpy shown(&r.list, &HistoryList::showRequested);
    r.click(0);
    QCOMPARE(shown.count(), 1);
    r.click(2, Qt::ControlModifier);
    QCOMPARE(shown.count(), 1);
    QCOMPARE(r.list.selected(), (std::vector<int>{1, 3}));
  }

  void delDeletesWhatIsSelectedAndTheMenuAllOthers() {
    Results r;
    QSignalSpy deleted(&r.list, &HistoryList::deleteRequested);
    r.list.select({1, 3});
    QTest::keyClick(r.list.list(), Qt::Key_Delete);
    QCOMPARE(deleted.count(), 1);
    QCOMPARE(deleted[0][0].value<std::vector<int>>(), (std::vector<int>{1, 3}));
    r.list.select({2});
    QAction* others = r.entryOfMenu(QStringLiteral("Delete all others"));
    QVERIFY(others && others->isEnabled());
    others->trigger();
    QCOMPARE(deleted[1][0].value<std::vector<int>>(), (std::vector<int>{3, 1}));
    r.list.select({1, 2, 3});
    QVERIFY(!r.entryOfMenu(QStringLiteral("Delete all others"))->isEnabled());
  }

  void whatWasRemovedGoesBackToItsPlace() {
    Results r;
    const QStringList before = r.titles();
    const auto removed = r.model.remove({1, 3, 17});
    QCOMPARE(removed.size(), std::size_t(2));
    QCOMPARE(r.model.rowCount(), 1);
    r.model.add(entry(4, 2));
    r.model.putBack(removed);
    r.model.putBack(removed);  // no twice
    QCOMPARE(r.titles().mid(1), before);
  }

  void twoThatAreSelectedTellWhatDiffers() {
    Results r;
    DifferenceTable& table = *r.list.differences();
    QVERIFY(table.isHidden());
    r.list.select({1, 3});
    QVERIFY(table.isVisible());
    QCOMPARE(table.headerItem()->text(1), QStringLiteral("Result 1"));
    QCOMPARE(table.headerItem()->toolTip(2), QStringLiteral("3  gridding α 1.75 W 4"));
    const auto alpha = table.findItems(QStringLiteral("Oversampling ratio α"), Qt::MatchExactly);
    QCOMPARE(alpha.size(), 1);
    QCOMPARE(alpha.front()->text(1), QStringLiteral("1.25"));
    QCOMPARE(alpha.front()->text(2), QStringLiteral("1.75"));
    QCOMPARE(table.findItems(QStringLiteral("Time"), Qt::MatchExactly).front()->text(2),
             QStringLiteral("3 s"));
    const auto images = [&] { return table.findItems(QStringLiteral("Images (NRMSE)"), Qt::MatchExactly); };
    QTRY_COMPARE_WITH_TIMEOUT(images().size(), 1, patience);
    // |s a - b| / |b|: 64 pixels of 1 and one of 1 against 64 of 3 and one of 1.
    const double s = (64 * 3 + 1) / 65.0;
    const double expected = std::sqrt((64 * (s - 3) * (s - 3) + (s - 1) * (s - 1)) / (64 * 9 + 1));
    QVERIFY(std::abs(images().front()->text(1).toDouble() / expected - 1) < 0.05);
    r.list.select({3});
    QVERIFY(table.isHidden());
    r.list.select({1, 3});
    r.model.remove({1});
    QVERIFY(table.isHidden());
  }
};

SPOKELAB_GUI_TEST(TestHistory)

}  // namespace test_history

#include "test_history.moc"
