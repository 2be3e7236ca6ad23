// The bar of the whole job: segments lie end to end, as wide as their stages' shares, and the
// pointer finds them; no account, no bar.
#include <QtTest>

#include <cmath>

#include "tests/test_main.h"
#include "widgets/profile/job_bar.h"

namespace test_job_bar {

using namespace spokelab;

class TestJobBar : public QObject {
  Q_OBJECT

 private slots:
  void segmentsAreTheStages() {
    JobAccount account;
    account[JobStage::read] = 0.1;
    account[JobStage::maps] = 0.3;
    account[JobStage::transforms] = 0.5;
    account.total = 1;
    JobBar bar;
    bar.resize(620, bar.sizeHint().height());
    bar.setAccount(account);
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    QVERIFY(bar.accessibleDescription().contains(QStringLiteral("1")));
    const double room = bar.width() - 20;
    double end = 10;
    for (int s = 0; s <= int(jobStageCount); ++s) {
      const QRectF area = bar.segment(s);
      QCOMPARE(area.isEmpty(), !(bar.secondsOf(s) > 0));
      if (area.isEmpty()) continue;
      QVERIFY(std::abs(area.left() - end) < 0.01);
      QVERIFY(std::abs(area.width() - room * bar.secondsOf(s)) < 0.01);
      QCOMPARE(bar.stageAt(area.center().toPoint()), s);
      end = area.right();
    }
    QVERIFY(std::abs(bar.secondsOf(int(jobStageCount)) - 0.1) < 1e-12);  // what nothing accounts for
    QVERIFY(std::abs(end - 10 - room) < 0.01);
    QCOMPARE(bar.stageAt({1, 1}), -1);
    // The picture has at least a colour for each stage.
    const QImage picture = bar.grab().toImage();
    QSet<QRgb> colours;
    for (int s = 0; s <= int(jobStageCount); ++s) {
      const QRectF area = bar.segment(s);
      if (!area.isEmpty())
        colours.insert(
            picture.pixel((area.topLeft() + QPointF(2, 2)).toPoint() * picture.devicePixelRatio()));
    }
    QCOMPARE(colours.size(), 4);
  }

  void whatWasExpectedStandsBesideIt() {
    JobAccount account, forecast;
    account[JobStage::maps] = 0.3;
    account[JobStage::startUp] = 0.7;
    account.total = 1;
    forecast[JobStage::maps] = 0.25;
    forecast.total = 0.25;
    JobBar bar;
    bar.setAccount(account);
    QVERIFY(!bar.accessibleDescription().contains(QStringLiteral("expected")));
    QVERIFY(!bar.tipOf(int(JobStage::maps)).contains(QStringLiteral("expected")));
    bar.setAccount(account, forecast);
    QVERIFY(bar.accessibleDescription().contains(QStringLiteral("expected")));
    QVERIFY(bar.tipOf(int(JobStage::maps)).contains(QStringLiteral("expected")));
    QVERIFY(bar.tipOf(int(JobStage::maps)).contains(QStringLiteral("250")));
    QVERIFY(!bar.tipOf(int(JobStage::startUp)).contains(QStringLiteral("expected")));
    QCOMPARE(JobBar::titleOf(int(JobStage::startUp)), QStringLiteral("Start up"));
  }

  void whatWasExpectedIsDrawnToTheSameScale() {
    JobAccount account, forecast;
    account[JobStage::maps] = 0.3;
    account[JobStage::transforms] = 0.7;
    account.total = 1;
    forecast[JobStage::maps] = 0.5;
    forecast[JobStage::transforms] = 1.5;
    forecast.total = 2;
    JobBar bar;
    bar.resize(620, bar.sizeHint().height());
    bar.setAccount(account);
    QVERIFY(bar.expectedSegment(int(JobStage::maps)).isEmpty());
    bar.setAccount(account, forecast);
    const QRectF measured = bar.segment(int(JobStage::transforms)),
                 expected = bar.expectedSegment(int(JobStage::transforms));
    QVERIFY(std::abs(expected.right() - (bar.width() - 10)) < 0.01);  // the longer one fills the room
    QVERIFY(std::abs(measured.width() / expected.width() - 0.7 / 1.5) < 1e-6);
    QVERIFY(expected.top() >= measured.bottom() && expected.bottom() <= bar.height());
    QCOMPARE(bar.stageAt(expected.center().toPoint()), int(JobStage::transforms));
    const QImage picture = bar.grab().toImage();
    const auto at = [&](const QRectF& area) {
      return picture.pixel(area.center().toPoint() * picture.devicePixelRatio());
    };
    QVERIFY(at(expected) != at(bar.expectedSegment(int(JobStage::maps))));
  }

  void withoutAnAccountItHides() {
    QWidget parent;
    auto* bar = new JobBar(&parent);
    QVERIFY(bar->isHidden());
    JobAccount account;
    account.total = account[JobStage::plan] = 1;
    bar->setAccount(account);
    QVERIFY(!bar->isHidden());
    bar->setAccount({});
    QVERIFY(bar->isHidden());
  }
};

SPOKELAB_GUI_TEST(TestJobBar)

}  // namespace test_job_bar

#include "test_job_bar.moc"
