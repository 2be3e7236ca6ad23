#include "app/gui/window/theme.h"

#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QStyleFactory>

#include "widgets/core/chart_theme.h"

namespace spokelab {
namespace {

constexpr QRgb windowColour = 0xff1d2126, baseColour = 0xff16191d, raisedColour = 0xff2a3037,
               lineColour = 0xff323941, accentColour = 0xff3d87d6, disabledColour = 0xff5d6670;

}  // namespace

void applyTheme(QApplication& application) {
  const ChartTheme colours = ChartTheme::onScreen();
  application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QPalette palette;
  palette.setColor(QPalette::Window, QColor(windowColour));
  palette.setColor(QPalette::Base, QColor(baseColour));
  palette.setColor(QPalette::AlternateBase, QColor(raisedColour));
  palette.setColor(QPalette::Button, QColor(raisedColour));
  palette.setColor(QPalette::ToolTipBase, QColor(raisedColour));
  for (QPalette::ColorRole role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
    palette.setColor(role, colours.foreground);
    palette.setColor(QPalette::Disabled, role, QColor(disabledColour));
  }
  palette.setColor(QPalette::PlaceholderText, colours.muted);
  palette.setColor(QPalette::BrightText, Qt::white);
  palette.setColor(QPalette::Highlight, QColor(accentColour));
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, colours.fft);
  palette.setColor(QPalette::LinkVisited, colours.fft);
  palette.setColor(QPalette::Mid, QColor(lineColour));
  palette.setColor(QPalette::Light, QColor(lineColour));
  palette.setColor(QPalette::Midlight, QColor(lineColour));
  palette.setColor(QPalette::Dark, QColor(baseColour));
  palette.setColor(QPalette::Shadow, Qt::black);
  application.setPalette(palette);
  QFile sheet(QStringLiteral(":/spokelab/window.qss"));
  if (sheet.open(QIODevice::ReadOnly)) application.setStyleSheet(QString::fromUtf8(sheet.readAll()));
}

QIcon icon(const QString& name) {
  return QIcon(QStringLiteral(":/spokelab/icons/%1.svg").arg(name));
}

}  // namespace spokelab
