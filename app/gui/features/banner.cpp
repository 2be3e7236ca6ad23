#include "app/gui/features/banner.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QUrl>

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
  const auto button = [this](const QString& text, const char* name, auto act) {
    auto* made = new QToolButton;
    made->setText(text);
    made->setObjectName(QString::fromLatin1(name));
    connect(made, &QToolButton::clicked, this, act);
    return made;
  };
  open_ = button(tr("Open"), "bannerOpen", [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(file_)); });
  folder_ = button(tr("Folder"), "bannerFolder", [this] {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file_).absolutePath()));
  });
  auto* close = new QToolButton;
  close->setText(tr("Dismiss"));
  close->setAutoRaise(true);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(sideMargin, verticalMargin, verticalMargin, verticalMargin);
  layout->addWidget(label_, 1);
  layout->addWidget(open_, 0, Qt::AlignTop);
  layout->addWidget(folder_, 0, Qt::AlignTop);
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
  showText(text_, QStringLiteral("failure"));
}

void Banner::showWritten(const QString& text, const QString& file) {
  file_ = file;
  text_ = text;
  label_->setText(text.toHtmlEscaped());
  showText(text, QStringLiteral("written"));
}

void Banner::showText(const QString& text, const QString& role) {
  const bool written = role == QStringLiteral("written");
  open_->setVisible(written);
  folder_->setVisible(written);
  setAccessibleName(text);
  if (property("role") != role) {
    setProperty("role", role);
    style()->unpolish(this);
    style()->polish(this);
  }
  show();
}

}  // namespace spokelab
