#include "app/gui/features/image/first_steps_feature.h"

#include <QSettings>

#include "widgets/image/image_panel.h"
#include "widgets/image/step_strip.h"

namespace spokelab {
namespace {

const QString stepsRead = QStringLiteral("window/firstStepsRead");

}  // namespace

FirstStepsFeature::FirstStepsFeature(Session& session, const Views& views, bool remember, QObject* parent)
    : Feature(session, views, parent) {
  if (!remember || QSettings().value(stepsRead).toBool()) return;
  strip_ = new StepStrip;
  strip_->hide();
  views_.image->addFoot(strip_);
  connect(&session_, &Session::resultReady, strip_, [this](const HistoryEntry& entry) {
    if (isImported(*entry.result)) return;
    strip_->setIterative(!entry.result->iterations.empty());
    strip_->show();
  });
  connect(strip_, &StepStrip::sweepRequested, this, &FirstStepsFeature::sweepRequested);
  connect(strip_, &StepStrip::read, this, [this] {
    QSettings().setValue(stepsRead, true);
    strip_->deleteLater();
    strip_ = nullptr;
  });
}

}  // namespace spokelab
