#include "widgets/recon/jobs/console_view.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "widgets/core/elided_label.h"
#include "widgets/core/tool_button.h"

namespace spokelab {
namespace {

constexpr int maxConsoleLines = 5000, consoleInset = 6;

}  // namespace

ConsoleView::ConsoleView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("consoleView"));
  const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  output_ = new QPlainTextEdit;
  output_->setReadOnly(true);
  output_->setMaximumBlockCount(maxConsoleLines);
  output_->setFrameShape(QFrame::NoFrame);
  output_->setFont(fixed);
  output_->setAccessibleName(tr("Output of Python"));
  output_->setPlaceholderText(
      tr("Python beside the window, in a process for itself. Start it; then show(array) shows an array here, "
         "Image and Scan hand over what the window has."));
  line_ = new QLineEdit;
  line_->setObjectName(QStringLiteral("consoleLine"));
  line_->setFont(fixed);
  line_->setAccessibleName(tr("Line of Python"));
  line_->setPlaceholderText(tr(">>> a line of Python"));
  line_->installEventFilter(this);
  connect(line_, &QLineEdit::returnPressed, this, &ConsoleView::enter);
  auto* status = new ElidedLabel(QString());
  status_ = status;
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(consoleInset, 2, consoleInset, 2);
  const auto add = [&](const char* name, const QString& text, const QString& help, auto signal) {
    auto* button = makeToolButton(QString::fromLatin1(name), text, help, false);
    button->setAutoRaise(false);
    connect(button, &QToolButton::clicked, this, signal);
    bar->addWidget(button);
    return button;
  };
  bar->addWidget(status_, 1);
  image_ = add("consoleImage", tr("Image"), tr("image = the array of the shown result"),
               &ConsoleView::imageRequested);
  scan_ =
      add("consoleScan", tr("Scan"), tr("scan = the open scan, read by Python"), &ConsoleView::scanRequested);
  interrupt_ = add("consoleInterrupt", tr("Interrupt"), tr("Interrupt the line that runs (Ctrl+C)"),
                   &ConsoleView::interruptRequested);
  start_ = add("consoleStart", tr("Start"), tr("Start or end Python"), [this] {
    if (running_)
      Q_EMIT stopRequested();
    else
      Q_EMIT startRequested();
  });
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(output_, 1);
  column->addWidget(line_);
  setRunning(false);
}

void ConsoleView::append(const QString& text) {
  QScrollBar& scroll = *output_->verticalScrollBar();
  const bool follows = scroll.value() == scroll.maximum();
  QTextCursor end(output_->document());
  end.movePosition(QTextCursor::End);
  end.insertText(text);
  if (follows) scroll.setValue(scroll.maximum());
}

void ConsoleView::setRunning(bool running) {
  running_ = running;
  start_->setText(running ? tr("End") : tr("Start"));
  for (QWidget* part : {static_cast<QWidget*>(line_), static_cast<QWidget*>(interrupt_),
                        static_cast<QWidget*>(image_), static_cast<QWidget*>(scan_)})
    part->setEnabled(running);
}

void ConsoleView::setStatus(const QString& text) {
  static_cast<ElidedLabel*>(status_)->setWhole(text);
}

void ConsoleView::clear() {
  output_->clear();
}

QString ConsoleView::text() const {
  return output_->toPlainText();
}

void ConsoleView::enter() {
  const QString line = line_->text();
  line_->clear();
  if (!line.isEmpty() && (history_.isEmpty() || history_.back() != line)) history_ << line;
  place_ = history_.size();
  Q_EMIT entered(line);
}

void ConsoleView::recall(int step) {
  place_ = std::clamp<qsizetype>(place_ + step, 0, history_.size());
  line_->setText(place_ < history_.size() ? history_[place_] : QString());
}

bool ConsoleView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != line_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) {
    recall(key->key() == Qt::Key_Up ? -1 : 1);
    return true;
  }
  if (key->matches(QKeySequence::Copy) && !line_->hasSelectedText()) {
    Q_EMIT interruptRequested();
    return true;
  }
  return false;
}

}  // namespace spokelab
