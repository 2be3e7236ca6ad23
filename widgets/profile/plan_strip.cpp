#include "widgets/profile/plan_strip.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <cmath>

#include "widgets/core/candidate_text.h"
#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr int stripSideMargin = 8, stripLineMargin = 2;

}  // namespace

double wholeCost(const Candidate& plan, const std::optional<Workload>& workload) {
  if (!workload || !plan.timed() || !std::isfinite(workload->executions)) return 0;
  return plan.cost() * workload->executions * workload->pointSets;
}

PlanStrip::PlanStrip(QWidget* parent) : QWidget(parent), text_(new ElidedLabel(QString())) {
  setObjectName(QStringLiteral("planStrip"));
  button_ = new QPushButton;
  button_->setObjectName(QStringLiteral("reconstructPlan"));
  button_->setToolTip(tr("Make the image of this plan; Enter or a double click on its point does the same"));
  connect(button_, &QPushButton::clicked, this, &PlanStrip::reconstructRequested);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(stripSideMargin, stripLineMargin, stripSideMargin, stripLineMargin);
  row->addWidget(text_, 1);
  row->addWidget(button_);
  hide();
}

void PlanStrip::setPlan(const Candidate* plan, const std::optional<Workload>& workload) {
  setVisible(plan != nullptr);
  if (!plan) return;
  QStringList parts{candidateTitle(*plan)};
  if (plan->timed()) parts << secondsLabel(plan->cost());
  if (plan->predictedError() > 0 || plan->measuredError)
    parts << tr("error %1").arg(errorLabel(plan->measuredError.value_or(plan->predictedError())));
  static_cast<ElidedLabel*>(text_)->setWhole(parts.join(QStringLiteral(" · ")));
  const double seconds = wholeCost(*plan, workload);
  button_->setText(seconds > 0 ? tr("Reconstruct, about %1").arg(secondsLabel(seconds)) : tr("Reconstruct"));
  button_->setEnabled(plan->refused.empty());
}

}  // namespace spokelab
