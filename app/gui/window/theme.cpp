#include "app/gui/window/theme.h"

#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QStyleFactory>

#include <map>

#include "app/gui/window/restyle.h"
#include "app/gui/window/themed_icon.h"
#include "widgets/core/chart_theme.h"

namespace spokelab {
namespace {

using Colours = std::map<QString, QString>;  // by the names in window.qss

Colours coloursOf(ScreenTheme theme) {
  const auto named = [](std::initializer_list<std::pair<const char*, const char*>> list) {
    Colours colours;
    for (const auto& [name, colour] : list) colours[QString::fromLatin1(name)] = QString::fromLatin1(colour);
    return colours;
  };
  switch (theme) {
    case ScreenTheme::light:
      return named({{"window", "#f1f3f5"},      {"base", "#ffffff"},        {"raised", "#e3e7eb"},
                    {"panel", "#e6e9ed"},       {"hover", "#d5dbe1"},       {"line", "#cdd3d9"},
                    {"edge", "#a9b2bb"},        {"gap", "#d9dde2"},         {"text", "#1b1f24"},
                    {"muted", "#59626c"},       {"disabled", "#848d97"},    {"accent", "#1f6fbf"},
                    {"warning", "#8a5200"},     {"error", "#b3261e"},       {"good", "#1f7a31"},
                    {"banner", "#fbe3e1"},      {"banner-text", "#5f1410"}, {"grip", "#8b949e"},
                    {"accent-text", "#ffffff"}, {"icon", "#3a424b"}});
    case ScreenTheme::highContrast:
      return named({{"window", "#000000"},      {"base", "#000000"},        {"raised", "#1c1c1c"},
                    {"panel", "#000000"},       {"hover", "#3a3a3a"},       {"line", "#ffffff"},
                    {"edge", "#ffffff"},        {"gap", "#ffffff"},         {"text", "#ffffff"},
                    {"muted", "#e6e6e6"},       {"disabled", "#a8a8a8"},    {"accent", "#ffd800"},
                    {"warning", "#ffb000"},     {"error", "#ff8080"},       {"good", "#6bff7c"},
                    {"banner", "#5a0000"},      {"banner-text", "#ffffff"}, {"grip", "#ffd800"},
                    {"accent-text", "#000000"}, {"icon", "#ffffff"}});
    case ScreenTheme::dark:
      break;
  }
  return named(
      {{"window", "#1d2126"},      {"base", "#16191d"},  {"raised", "#2a3037"},      {"panel", "#23282e"},
       {"hover", "#343b44"},       {"line", "#323941"},  {"edge", "#3a424b"},        {"gap", "#0f1114"},
       {"text", "#d7dce2"},        {"muted", "#8e97a3"}, {"disabled", "#6d7680"},    {"accent", "#3d87d6"},
       {"warning", "#f0a33e"},     {"error", "#f06464"}, {"good", "#74d680"},        {"banner", "#4a2326"},
       {"banner-text", "#ffe3e3"}, {"grip", "#505a65"},  {"accent-text", "#ffffff"}, {"icon", "#c8ced6"}});
}

// A sheet whose colours are names, as in @window.
QString sheet(const QString& file, const Colours& colours) {
  QFile resource(file);
  if (!resource.open(QIODevice::ReadOnly)) return {};
  const QString text = QString::fromUtf8(resource.readAll());
  static const QRegularExpression name(QStringLiteral("@([a-z-]+)"));
  QString filled;
  qsizetype at = 0;
  for (auto match = name.globalMatch(text); match.hasNext();) {
    const QRegularExpressionMatch found = match.next();
    filled += text.mid(at, found.capturedStart() - at) + colours.at(found.captured(1));
    at = found.capturedEnd();
  }
  return filled + text.mid(at);
}

QPalette paletteOf(const Colours& colours) {
  const auto colour = [&colours](const char* name) { return QColor(colours.at(QString::fromLatin1(name))); };
  QPalette palette;
  const std::pair<QPalette::ColorRole, const char*> roles[] = {{QPalette::Window, "window"},
                                                               {QPalette::Base, "base"},
                                                               {QPalette::AlternateBase, "raised"},
                                                               {QPalette::Button, "raised"},
                                                               {QPalette::ToolTipBase, "raised"},
                                                               {QPalette::PlaceholderText, "muted"},
                                                               {QPalette::BrightText, "accent-text"},
                                                               {QPalette::Highlight, "accent"},
                                                               {QPalette::HighlightedText, "accent-text"},
                                                               {QPalette::Link, "accent"},
                                                               {QPalette::LinkVisited, "accent"},
                                                               {QPalette::Mid, "line"},
                                                               {QPalette::Light, "line"},
                                                               {QPalette::Midlight, "line"},
                                                               {QPalette::Dark, "edge"}};
  for (const auto& [role, name] : roles) palette.setColor(role, colour(name));
  for (QPalette::ColorRole role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
    palette.setColor(role, colour("text"));
    palette.setColor(QPalette::Disabled, role, colour("disabled"));
  }
  palette.setColor(QPalette::Shadow, Qt::black);
  return palette;
}

// Docks ask for the size of their buttons thousands of times when a window is laid out, which an
// icon from a file answers by its name in a cache: half of what a layout took.
class WindowStyle : public QProxyStyle {
 public:
  WindowStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

  QIcon standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override {
    if (which == SP_TitleBarCloseButton) return close_;
    if (which == SP_TitleBarNormalButton) return float_;
    return QProxyStyle::standardIcon(which, option, widget);
  }

 private:
  QIcon close_ = themedIcon(QStringLiteral(":/spokelab/icons/close.svg")),
        float_ = themedIcon(QStringLiteral(":/spokelab/icons/float.svg"));
};

void takeColours(QApplication& application, const Colours& colours) {
  desktopTheme();  // before the palette is ours
  // Each style that is set styles all widgets anew.
  constexpr const char* styled = "spokelabStyle";
  if (!application.property(styled).toBool()) application.setStyle(new WindowStyle);
  application.setProperty(styled, true);
  application.setPalette(paletteOf(colours));
  setIconColour(QColor(colours.at(QStringLiteral("icon"))), QColor(colours.at(QStringLiteral("disabled"))));
}

// Removes the old style sheet before the new one is set. A sheet that replaces another styles each
// widget once for each of its ancestors (Qt's QStyleSheetStyle::repolish: 8 times here); a first
// sheet styles it once. Most widgets then need no palette change, which would take time, too.
void dropSheet(QApplication& application) {
  if (!application.styleSheet().isEmpty()) application.setStyleSheet({});
}

void takeSheet(QApplication& application, ScreenTheme theme) {
  const Colours colours = coloursOf(theme);
  QString style = sheet(QStringLiteral(":/spokelab/window.qss"), colours);
  if (theme == ScreenTheme::highContrast)
    style += sheet(QStringLiteral(":/spokelab/high_contrast.qss"), colours);
  application.setStyleSheet(style);
}

}  // namespace

void applyTheme(QApplication& application, ScreenTheme theme) {
  {
    const HeldDialogs held;
    takeColours(application, coloursOf(theme));
    dropSheet(application);
    takeSheet(application, theme);
  }
  setScreenTheme(theme);
}

void changeTheme(QApplication& application, ScreenTheme theme) {
  delete application.findChild<Restyle*>({}, Qt::FindDirectChildrenOnly);  // one that is under way
  new Restyle(
      application,
      {[&application, theme] { takeColours(application, coloursOf(theme)); },
       [&application] { dropSheet(application); }, [&application, theme] { takeSheet(application, theme); }},
      [theme] { setScreenTheme(theme); });
}

ScreenTheme desktopTheme() {
  static const ScreenTheme theme = [] {
    constexpr int middle = 128;
    return QApplication::palette().color(QPalette::Window).lightness() < middle ? ScreenTheme::dark
                                                                                : ScreenTheme::light;
  }();
  return theme;
}

QIcon icon(const QString& name) {
  const QString file = QStringLiteral(":/spokelab/icons/%1.svg").arg(name);
  return name == QStringLiteral("spokelab") ? QIcon(file) : themedIcon(file);
}

}  // namespace spokelab
