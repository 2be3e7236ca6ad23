#include "widgets/recon/log_view.h"

#include <QTime>

#include "widgets/profile/chart_theme.h"

namespace spokelab {
namespace {

constexpr int mostLines = 2000;

}  // namespace

LogView::LogView(QWidget* parent) : QPlainTextEdit(parent) {
  setReadOnly(true);
  setMaximumBlockCount(mostLines);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Log"));
  setPlaceholderText(tr("What the program does appears here."));
}

void LogView::append(LogLevel level, const QString& text) {
  const ChartTheme theme = ChartTheme::onScreen();
  const QColor colour = level == LogLevel::error     ? theme.limit
                        : level == LogLevel::warning ? theme.interpolation
                                                     : theme.foreground;
  appendHtml(QStringLiteral("<span style='color:%1'>%2</span> <span style='color:%3'>%4</span>")
                 .arg(theme.muted.name(), QTime::currentTime().toString(QStringLiteral("HH:mm:ss")),
                      colour.name(),
                      text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))));
}

}  // namespace spokelab
