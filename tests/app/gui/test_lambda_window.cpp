// The choice of λ in the window: one run, then an image for each place of the slider, and the
// parameter that is made of it.
#include <QSlider>
#include <QToolButton>

#include "app/gui/features/recon/lambda_feature.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/lambda_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_lambda_window {

using namespace spokelab;

namespace {

constexpr double allowedSeconds = 0.1;

template <class Widget>
Widget* child(QWidget& parent, const char* name) {
  auto* found = parent.findChild<Widget*>(QString::fromLatin1(name));
  if (!found) qFatal("there is no %s", name);
  return found;
}

}  // namespace

class TestLambdaWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theImageFollowsTheSlider() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    LambdaFeature& feature = *bench.window.features().lambda;
    LambdaView& view = *feature.view();
    QSignalSpy found(&feature, &LambdaFeature::rangeFound), images(&view, &LambdaView::imageReady);
    feature.find(bench.window.views().parameters->options());
    QTRY_COMPARE_WITH_TIMEOUT(found.count(), 1, patience);
    QVERIFY(view.choice() && view.choice()->range->points.size() > 10);
    QTRY_VERIFY_WITH_TIMEOUT(images.count() > 0, patience);
    const auto first = bench.window.views().image->image();
    auto* slider = child<QSlider>(view, "lambdaSlider");
    for (const int place : {0, 400, 1000}) {
      const auto before = images.count();
      slider->setValue(place == slider->value() ? place + 1 : place);
      QTRY_VERIFY_WITH_TIMEOUT(images.count() > before, patience);
      QVERIFY2(view.secondsOfImage() < allowedSeconds, qPrintable(QString::number(view.secondsOfImage())));
      QVERIFY(bench.window.views().image->showsPreview());
    }
    QVERIFY(bench.window.views().image->image() != first);
  }

  void theLambdaOfTheSliderBecomesTheParameter() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    LambdaFeature& feature = *bench.window.features().lambda;
    QSignalSpy found(&feature, &LambdaFeature::rangeFound);
    feature.find(bench.window.views().parameters->options());
    QTRY_COMPARE_WITH_TIMEOUT(found.count(), 1, patience);
    feature.view()->setLambda(0.02);
    child<QToolButton>(*feature.view(), "useLambda")->click();
    const ReconOptions& options = bench.window.views().parameters->options();
    QVERIFY(options.iterative.method == ReconMethod::sense);
    QVERIFY(std::abs(options.iterative.solver.lambda / 0.02 - 1) < 0.02);
    bench.window.open(QStringLiteral("demo"));  // another scan has another range
    QTRY_VERIFY_WITH_TIMEOUT(!feature.view()->choice(), patience);
  }
};

SPOKELAB_WINDOW_TEST(TestLambdaWindow)

}  // namespace test_lambda_window

#include "test_lambda_window.moc"
