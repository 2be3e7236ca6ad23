// The view of a pixel's answer: lines, shots by influence, those that stand out chosen.
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/recon/pixel_view.h"

namespace test_pixel_view {

using namespace spokelab;

namespace {

std::shared_ptr<ShownAnswer> answerOf(int shots) {
  auto shown = std::make_shared<ShownAnswer>();
  Image image = nominalImage({16, 16, 1}, "spread");
  image.data.assign(256, cfloat(0.1F));
  shown->decibels = std::make_shared<const Image>(image);
  shown->title = QStringLiteral("Result 1, pixel 3,4");
  shown->answer.pixel = {3, 4, 0};
  shown->answer.value = 2;
  shown->answer.stays = 0.75;
  for (int s = 0; s < shots; ++s) shown->answer.shots.push_back({s, 1.0 / shots, 0.5 / (s + 10), -0.01});
  return shown;
}

}  // namespace

class TestPixelView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void answersReplaceTheHint() {
    PixelView view;
    view.resize(900, 250);
    view.show();
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("pixelHint"))->isVisible());
    view.setAnswer(answerOf(12));
    QVERIFY(!view.findChild<QLabel*>(QStringLiteral("pixelHint"))->isVisible());
    const QString text = view.findChild<QLabel*>(QStringLiteral("pixelText"))->text();
    QVERIFY2(text.contains(QStringLiteral("pixel 3,4")) && text.contains(QStringLiteral("point spread")),
             qPrintable(text));
    QCOMPARE(view.findChild<QTreeWidget*>(QStringLiteral("pixelShots"))->topLevelItemCount(), 12);
    view.setAnswer(nullptr);
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("pixelHint"))->isVisible());
  }

  void shotsThatStandOutAreChosen() {
    PixelView view;
    const auto shown = answerOf(500);
    shown->answer.shots[499].change = 3;  // far down the list
    view.setAnswer(shown);
    QCOMPARE(view.chosenShots(), std::vector<int>{499});
    auto* leave = view.findChild<QPushButton*>(QStringLiteral("pixelLeaveOut"));
    QVERIFY(leave->isEnabled());
    QSignalSpy wanted(&view, &PixelView::leaveOutRequested);
    QTest::mouseClick(leave, Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    view.findChild<QTreeWidget*>(QStringLiteral("pixelShots"))->clearSelection();
    QVERIFY(view.chosenShots().empty());
    QVERIFY(!leave->isEnabled());
  }
};

SPOKELAB_GUI_TEST(TestPixelView)

}  // namespace test_pixel_view

#include "test_pixel_view.moc"
