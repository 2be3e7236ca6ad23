#include "app/gui/features/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace spokelab {
namespace {

constexpr int sideMargin = 12, verticalMargin = 6;

}  // namespace

Banner::Banner(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("banner"));
  label_ = new QLabel;
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::RichText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new QToolButton;
  close->setText(tr("Dismiss"));
  close->setAutoRaise(true);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(sideMargin, verticalMargin, verticalMargin, verticalMargin);
  layout->addWidget(label_, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void Banner::showFailure(const Failure& failure) {
  const auto sentence = [](QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text.isEmpty() || text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
  };
  text_ = failure.summary + QStringLiteral(". ") + sentence(failure.reason);
  if (!failure.remedy.isEmpty()) text_ += QLatin1Char(' ') + sentence(failure.remedy);
  label_->setText(QStringLiteral("<b>%1.</b> %2 <i>%3</i>")
                      .arg(failure.summary.toHtmlEscaped(), sentence(failure.reason).toHtmlEscaped(),
                           sentence(failure.remedy).toHtmlEscaped()));
  setAccessibleName(text_);
  show();
}

}  // namespace spokelab
