// The window's themes: readable in each, taken by all views at once, and kept.
#include <qcustomplot.h>
#include <QAction>
#include <QApplication>
#include <QSettings>
#include <QToolBar>

#include <array>
#include <cmath>

#include "app/gui/window/theme_menu.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/colour_map.h"
#include "widgets/core/image_theme.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/recon/jobs/log_view.h"

namespace test_themes {

using namespace spokelab;

namespace {

constexpr std::array themes{ScreenTheme::dark, ScreenTheme::light, ScreenTheme::highContrast};

// Relative luminance and contrast (WCAG 2).
double luminance(const QColor& c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// Of one kind, that arrive at any object.
class EventCount : public QObject {
 public:
  explicit EventCount(QEvent::Type type) : type_(type) { qApp->installEventFilter(this); }
  qsizetype count() const { return count_; }
  bool eventFilter(QObject*, QEvent* event) override {
    count_ += event->type() == type_;
    return false;
  }

 private:
  QEvent::Type type_;
  qsizetype count_ = 0;
};

QAction& action(const MainWindow& window, const char* name) {
  auto* found = window.findChild<QAction*>(QString::fromUtf8(name));
  if (!found) qFatal("there is no %s", name);
  return *found;
}

}  // namespace

class TestThemes : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

 private Q_SLOTS:
  void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }
  void init() { QSettings().clear(); }
  void cleanup() {
    applyTheme(*qApp);
    setMapColours(QStringLiteral("lagoon"));
  }

  void textIsReadableInEachTheme() {
    for (const ScreenTheme theme : themes) {
      applyTheme(*qApp, theme);
      const double least = theme == ScreenTheme::highContrast ? 7 : 4.5;
      const QPalette palette = QApplication::palette();
      for (const QPalette::ColorRole ground : {QPalette::Window, QPalette::Base, QPalette::Button})
        QVERIFY(contrast(palette.color(ground), palette.color(QPalette::Text)) >= least);
      QVERIFY(contrast(palette.color(QPalette::Base), palette.color(QPalette::PlaceholderText)) >= least);
      QVERIFY(contrast(palette.color(QPalette::Highlight), palette.color(QPalette::HighlightedText)) >= 3);
      QVERIFY(contrast(palette.color(QPalette::Base), palette.color(QPalette::Disabled, QPalette::Text)) >=
              3);
      const ChartTheme chart = ChartTheme::onScreen();
      for (const QColor& colour : {chart.foreground, chart.muted})
        QVERIFY(contrast(chart.background, colour) >= least);
      for (const QColor& colour : {chart.interpolation, chart.fft, chart.rest, chart.limit, chart.chosen,
                                   chart.selected, chart.setUp})
        QVERIFY2(contrast(chart.background, colour) >= 3, qPrintable(colour.name()));
      for (const QColor& colour : {ImageTheme::text(), ImageTheme::letters(), ImageTheme::hint()})
        QVERIFY(contrast(ImageTheme::background(), colour) >= least);
      for (int stage = 0; stage < 3; ++stage)
        for (const QColor& ground : {chart.interpolation, chart.fft, chart.rest, chart.grid})
          QVERIFY(contrast(ground, ChartTheme::textOn(ground)) >= 3);
    }
  }

  void theSheetHasAColourForEachName() {
    for (const ScreenTheme theme : themes) {
      applyTheme(*qApp, theme);
      QVERIFY(qApp->styleSheet().size() > 1000);
      QVERIFY(!qApp->styleSheet().contains(QLatin1Char('@')));
    }
  }

  void allViewsTakeAThemeAtOnce() {
    Workbench bench;
    bench.window.views().log->append(LogLevel::information, QStringLiteral("a line"));
    for (const ScreenTheme theme : {ScreenTheme::light, ScreenTheme::highContrast, ScreenTheme::dark}) {
      applyTheme(*qApp, theme);
      QCoreApplication::processEvents();
      const ChartTheme colours = ChartTheme::onScreen();
      for (QCustomPlot* plot : bench.window.findChildren<QCustomPlot*>())
        QCOMPARE(plot->xAxis->tickLabelColor(), colours.foreground);
      for (const QCPColorScale* scale : bench.window.findChildren<QCPColorScale*>())
        QCOMPARE(scale->axis()->tickLabelColor(), colours.foreground);
      QVERIFY(bench.window.views().log->document()->toHtml().contains(colours.foreground.name()));
      auto* tools = bench.window.findChild<QToolBar*>();
      QCOMPARE(tools->grab().toImage().pixelColor(1, tools->height() / 2),
               QApplication::palette().color(QPalette::Window));
      // The drawing of an icon stands out from its ground.
      const QImage icon = action(bench.window, "action-open").icon().pixmap(32, 32).toImage();
      double best = 1;
      for (int y = 0; y < icon.height(); ++y)
        for (int x = 0; x < icon.width(); ++x)
          if (icon.pixelColor(x, y).alpha() == 255)
            best = std::max(best,
                            contrast(icon.pixelColor(x, y), QApplication::palette().color(QPalette::Window)));
      QVERIFY(best >= 4.5);
    }
  }

  // A coloured part, as the red square of Cancel, would look as if it could be used.
  void anIconThatIsDisabledIsGreyInAllParts() {
    Workbench bench;
    for (const ScreenTheme theme : themes) {
      applyTheme(*qApp, theme);
      const QColor grey = QApplication::palette().color(QPalette::Disabled, QPalette::Text);
      for (const QAction* one : bench.window.findChild<QToolBar*>()->actions()) {
        const QImage picture = one->icon().pixmap(QSize(64, 64), 1, QIcon::Disabled).toImage();
        for (int y = 0; y < picture.height(); ++y)
          for (int x = 0; x < picture.width(); ++x) {
            const QColor colour = picture.pixelColor(x, y);
            if (colour.alpha() == 255) QVERIFY2(colour == grey, qPrintable(one->text() + colour.name()));
          }
      }
    }
    const QIcon cancel = action(bench.window, "action-cancel").icon();
    QVERIFY(cancel.pixmap(QSize(64, 64), 1, QIcon::Normal).toImage().pixelColor(32, 32).hsvSaturation() >
            100);
  }

  // Qt styles widgets once for each of their ancestors where a sheet takes another's place: 0.4 s.
  void aThemeStylesEachWidgetTwiceAtMost() {
    const Workbench bench;
    const EventCount styled(QEvent::StyleChange);
    applyTheme(*qApp, ScreenTheme::light);
    const auto widgets = QApplication::allWidgets().size();
    QVERIFY2(styled.count() <= 2 * widgets,
             qPrintable(QStringLiteral("%1 times, %2 widgets").arg(styled.count()).arg(widgets)));
    QVERIFY(styled.count() > widgets / 2);
  }

  void theMenuChangesAndKeepsTheTheme() {
    {
      Backends backends;
      Session session{backends.all()};
      MainWindow window{session, backends.badges(), true};
      QVERIFY(action(window, "theme-dark").isChecked());
      action(window, "theme-light").trigger();
      QTRY_COMPARE_WITH_TIMEOUT(screenTheme(), ScreenTheme::light, patience);
      action(window, "maps-dusk").trigger();
      QCOMPARE(mapColours(), QStringLiteral("dusk"));
    }
    applyTheme(*qApp);
    setMapColours(QStringLiteral("lagoon"));
    applyKeptTheme();
    QCOMPARE(screenTheme(), ScreenTheme::light);
    QCOMPARE(mapColours(), QStringLiteral("dusk"));
    Backends backends;
    Session session{backends.all()};
    const MainWindow window{session, backends.badges(), true};
    QVERIFY(action(window, "theme-light").isChecked() && action(window, "maps-dusk").isChecked());
  }

  void anUnknownThemeIsNone() {
    QVERIFY(!themeNamed(QStringLiteral("purple")));
    QVERIFY(themeNamed(QStringLiteral("system")));
    QCOMPARE(*themeNamed(QStringLiteral("high-contrast")), ScreenTheme::highContrast);
  }

  void theColoursOfMapsReachTheCharts() {
    const QColor before = ChartTheme::onScreen().ofFamily(0, 3);
    setMapColours(QStringLiteral("dusk"));
    QVERIFY(ChartTheme::onScreen().ofFamily(0, 3) != before);
    setMapColours(QStringLiteral("no such map"));
    QCOMPARE(mapColours(), QStringLiteral("dusk"));
  }
};

SPOKELAB_WINDOW_TEST(TestThemes)

}  // namespace test_themes

#include "test_themes.moc"
