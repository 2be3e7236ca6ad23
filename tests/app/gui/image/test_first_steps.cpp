// The strip of first steps: after the first result, and never again once it was read.
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>

#include "app/gui/features/image/first_steps_feature.h"
#include "app/gui/features/recon/reconstruct_feature.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/step_strip.h"
#include "widgets/recon/parameters/parameter_panel.h"

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
    // A picture that is dragged out is of the image alone, and the step says what made it.
    const QWidget* panel = bench.window.views().image;
    const DragContent dragged = panel->findChild<DragGrip*>(QStringLiteral("dragImage"))->content();
    const double scale = dragged.picture.devicePixelRatio();
    QVERIFY(dragged.picture.height() / scale < panel->height() - steps.strip()->height());
    const auto* made = steps.strip()->findChild<QLabel*>(QStringLiteral("stepImage"));
    QVERIFY(made->text().contains(QStringLiteral("Gridding")));
    ReconOptions options = bench.window.views().parameters->options();
    setOption(options, "method", "sense");
    setOption(options, "iterations", "2");
    bench.window.views().parameters->setOptions(options);
    bench.window.features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(made->text().contains(QStringLiteral("Iterations")), patience);
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
