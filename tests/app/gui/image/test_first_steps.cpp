// The strip of first steps: after the first result, and never again once it was read.
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>

#include "app/gui/features/image/first_steps_feature.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/step_strip.h"

namespace test_first_steps {

using namespace spokelab;

class TestFirstSteps : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theyGoForEverWhenTheyWereRead() {
    const QTemporaryDir folder;
    Workbench bench;
    QSettings().remove(QStringLiteral("window/firstStepsRead"));
    FirstStepsFeature none(bench.session, bench.window.views(), false, nullptr);
    QVERIFY(!none.strip());
    FirstStepsFeature steps(bench.session, bench.window.views(), true, nullptr);
    QVERIFY(steps.strip() && steps.strip()->isHidden());  // there is no image yet
    openSmall(bench, folder);
    QVERIFY(steps.strip()->isVisible());
    for (const char* name : {"stepImage", "stepAlpha", "stepSweep"}) {
      auto* step = steps.strip()->findChild<QLabel*>(QString::fromUtf8(name));
      QVERIFY(step && step->height() >= step->heightForWidth(step->width()));  // no line is cut
    }
    keepPicture(bench.window, "first-steps");
    QSignalSpy sweep(&steps, &FirstStepsFeature::sweepRequested);
    Q_EMIT steps.strip()->findChild<QLabel*>(QStringLiteral("stepSweep"))->linkActivated({});
    QCOMPARE(sweep.count(), 1);
    steps.strip()->findChild<QToolButton*>(QStringLiteral("stepsRead"))->click();
    QVERIFY(!steps.strip());
    FirstStepsFeature later(bench.session, bench.window.views(), true, nullptr);
    QVERIFY(!later.strip());
    QSettings().remove(QStringLiteral("window/firstStepsRead"));
  }
};

SPOKELAB_WINDOW_TEST(TestFirstSteps)

}  // namespace test_first_steps

#include "test_first_steps.moc"
