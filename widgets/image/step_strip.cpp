#include "widgets/image/step_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/core/drag/drag_grip.h"

namespace spokelab {
namespace {

constexpr int besideSteps = 10, aboveSteps = 4, betweenSteps = 14;

}  // namespace

StepStrip::StepStrip(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("stepStrip"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(besideSteps, aboveSteps, aboveSteps, aboveSteps);
  row->setSpacing(betweenSteps);
  const auto add = [this, row](const QString& title, const QString& text, const char* name) {
    auto* step = new QLabel(QStringLiteral("<b>%1</b> %2").arg(title, text));
    step->setObjectName(QString::fromUtf8(name));
    step->setTextFormat(Qt::RichText);
    step->setWordWrap(true);
    step->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    row->addWidget(step, 1);
    return step;
  };
  // A picture that is dragged out of the view leaves the strip out.
  setProperty(notInPictures, true);
  image_ = add(tr("1 The image"), {}, "stepImage");
  setIterative(false);  // fills step 1
  add(tr("2 Move α"),
      tr("α is the size of the grid over the size of the image. A small α is fast, and needs a wide kernel W."),
      "stepAlpha");
  QLabel* sweep = add(tr("3 Sweep"),
                      tr("<a href=\"sweep\">Time all plans</a> over α and W: the charts say which one is the "
                         "fastest for your error."),
                      "stepSweep");
  connect(sweep, &QLabel::linkActivated, this, [this] { Q_EMIT sweepRequested(); });
  auto* done = new QToolButton;
  done->setObjectName(QStringLiteral("stepsRead"));
  done->setText(tr("Got it"));
  done->setToolTip(tr("Do not show these steps again"));
  connect(done, &QToolButton::clicked, this, &StepStrip::read);
  row->addWidget(done, 0, Qt::AlignTop);
}

void StepStrip::setIterative(bool iterative) {
  image_->setText(
      QStringLiteral("<b>%1</b> %2")
          .arg(
              tr("1 The image"),
              iterative
                  ? tr("Iterations made it: each spreads samples onto a grid, and an FFT transforms the grid.")
                  : tr("Gridding made it: samples are spread onto a grid, and an FFT transforms the grid.")));
}

}  // namespace spokelab
