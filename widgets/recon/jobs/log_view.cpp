#include "widgets/recon/jobs/log_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "widgets/core/chart_theme.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

constexpr std::size_t maxLines = 5000;

}  // namespace

QString levelName(LogLevel level) {
  switch (level) {
    case LogLevel::detail:
      return QStringLiteral("detail");
    case LogLevel::information:
      return QStringLiteral("information");
    case LogLevel::warning:
      return QStringLiteral("warning");
    case LogLevel::error:
      return QStringLiteral("error");
  }
  return {};
}

LogView::LogView(QWidget* parent) : QPlainTextEdit(parent) {
  setReadOnly(true);
  setMaximumBlockCount(int(maxLines));
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Log"));
  setPlaceholderText(tr("Messages of the program appear here."));
  followScreenTheme(this, [this] { fill(); });
}

void LogView::append(LogLevel level, const QString& text) {
  lines_.push_back({QTime::currentTime(), level, text});
  if (lines_.size() > maxLines) lines_.pop_front();
  if (passes(lines_.back())) show(lines_.back());
}

bool LogView::passes(const LogLine& line) const {
  return line.level >= level_ && line.text.contains(filter_, Qt::CaseInsensitive);
}

void LogView::show(const LogLine& line) {
  const ChartTheme theme = ChartTheme::onScreen();
  const QColor colour = line.level == LogLevel::error     ? theme.limit
                        : line.level == LogLevel::warning ? theme.interpolation
                        : line.level == LogLevel::detail  ? theme.muted
                                                          : theme.foreground;
  appendHtml(QStringLiteral("<span style='color:%1'>%2</span> <span style='color:%3'>%4</span>")
                 .arg(theme.muted.name(), line.time.toString(QStringLiteral("HH:mm:ss")), colour.name(),
                      line.text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))));
}

void LogView::fill() {
  clear();
  for (const LogLine& line : lines_)
    if (passes(line)) show(line);
}

void LogView::setLevel(LogLevel level) {
  if (level == level_) return;
  level_ = level;
  fill();
}

void LogView::setFilter(const QString& word) {
  if (word == filter_) return;
  filter_ = word;
  fill();
}

LogPanel::LogPanel(LogView* view, QWidget* parent) : QWidget(parent) {
  auto* levels = new QComboBox;
  levels->setObjectName(QStringLiteral("logLevel"));
  levels->setAccessibleName(tr("Level"));
  levels->setToolTip(tr("Shows messages of this level and more serious ones"));
  const std::pair<LogLevel, QString> choices[] = {{LogLevel::detail, tr("Details")},
                                                  {LogLevel::information, tr("Information")},
                                                  {LogLevel::warning, tr("Warnings")},
                                                  {LogLevel::error, tr("Errors")}};
  for (const auto& [level, title] : choices) levels->addItem(title, int(level));
  levels->setCurrentIndex(levels->findData(int(view->level())));
  connect(levels, &QComboBox::currentIndexChanged, view,
          [levels, view](int index) { view->setLevel(LogLevel(levels->itemData(index).toInt())); });
  auto* filter = new QLineEdit;
  filter->setObjectName(QStringLiteral("logFilter"));
  filter->setAccessibleName(tr("Filter"));
  filter->setPlaceholderText(tr("Filter"));
  filter->setClearButtonEnabled(true);
  connect(filter, &QLineEdit::textChanged, view, &LogView::setFilter);
  auto* row = new QHBoxLayout;
  constexpr int inset = 4;
  row->setContentsMargins(inset, inset / 2, inset, inset / 2);
  row->addWidget(levels);
  row->addWidget(filter, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(view, 1);
}

}  // namespace spokelab
