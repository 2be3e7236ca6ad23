#include "widgets/recon/parameters/kept_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace spokelab {
namespace {

constexpr int barMargin = 8, barGap = 4;

}  // namespace

KeptBar::KeptBar(QWidget* parent) : QFrame(parent), label_(new QLabel) {
  setObjectName(QStringLiteral("keptBar"));
  label_->setObjectName(QStringLiteral("keptText"));
  label_->setWordWrap(true);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(barMargin, barGap, barMargin, barGap);
  row->addWidget(label_, 1);
  const auto add = [&](const QString& text, const char* name, const QString& help, void (KeptBar::*asked)()) {
    auto* button = new QPushButton(text);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(help);
    connect(button, &QPushButton::clicked, this, [this, asked] {
      hide();
      Q_EMIT(this->*asked)();
    });
    row->addWidget(button, 0, Qt::AlignTop);
  };
  add(tr("Keep"), "keptKeep", tr("Set these for this scan, too"), &KeptBar::keepRequested);
  add(tr("Reset"), "keptReset", tr("Leave α and W to the tuner, and grid"), &KeptBar::resetRequested);
  hide();
}

void KeptBar::offer(const QStringList& changes) {
  label_->setText(tr("From the last scan: %1").arg(changes.join(QStringLiteral(", "))));
  setVisible(!changes.isEmpty());
}

QString KeptBar::text() const {
  return label_->text();
}

}  // namespace spokelab
