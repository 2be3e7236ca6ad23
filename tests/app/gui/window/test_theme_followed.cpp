// Open views and dialogs follow a change of the theme as if opened afterwards.
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSpinBox>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>

#include <memory>
#include <set>
#include <vector>

#include "app/gui/window/help_viewer.h"
#include "app/gui/window/theme.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/image_theme.h"
#include "widgets/core/toned_item.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/scan/start_page.h"

namespace test_theme_followed {

using namespace spokelab;

namespace {

constexpr double maxDiffering = 0.002;  // of a dialog's pixels: a cursor may blink

QDialog* shownDialog(const MainWindow& window, const char* action) {
  window.findChild<QAction*>(QString::fromUtf8(action))->trigger();
  for (auto* dialog : window.findChildren<QDialog*>()) {
    if (!dialog->isVisible()) continue;
    const auto* text = dialog->findChild<QTextBrowser*>();
    return !text || QTest::qWaitFor([text] { return !text->toPlainText().isEmpty(); }) ? dialog : nullptr;
  }
  return nullptr;
}

double differing(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return 1;
  qint64 count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  return double(count) / (double(a.width()) * a.height());
}

// Once it stays as it is: views take a theme in events of their own.
QImage settledPicture(QDialog& dialog) {
  constexpr int quietMs = 300;
  QImage last, picture;
  do {
    last = picture;
    QTest::qWait(quietMs);
    picture = dialog.grab().toImage();
  } while (differing(last, picture) > maxDiffering);
  return picture;
}

std::set<QString> linkColours(const QTextDocument& document) {
  std::set<QString> colours;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto at = block.begin(); !at.atEnd(); ++at)
      if (const QTextCharFormat format = at.fragment().charFormat(); format.isAnchor())
        colours.insert(format.foreground().color().name());
  return colours;
}

}  // namespace

class TestThemeFollowed : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { applyTheme(*qApp, ScreenTheme::dark); }
  void cleanupTestCase() { applyTheme(*qApp); }

  void anOpenDialogLooksAsOneOpenedAfterwards_data() {
    QTest::addColumn<QString>("action");
    // The dialog of a sweep says how long it will take, which changes from one opening to the next.
    for (const char* name :
         {"action-simulate", "action-studies", "action-suite", "action-keys", "action-help"})
      QTest::newRow(name) << QString::fromUtf8(name);
  }
  void anOpenDialogLooksAsOneOpenedAfterwards() {
    QFETCH(QString, action);
    const QByteArray name = action.toUtf8();
    const QTemporaryDir folder;
    Workbench before;
    openSmall(before, folder);
    QDialog* open = shownDialog(before.window, name.constData());
    QVERIFY(open);
    QVERIFY(QTest::qWaitForWindowExposed(open));
    const QImage dark = settledPicture(*open);
    applyTheme(*qApp, ScreenTheme::light);
    const QImage followed = settledPicture(*open);
    QVERIFY(differing(dark, followed) > 0.5);
    Workbench after;
    openSmall(after, folder);
    QDialog* fresh = shownDialog(after.window, name.constData());
    QVERIFY(fresh && QTest::qWaitForWindowExposed(fresh));
    const QImage opened = settledPicture(*fresh);
    QCOMPARE(followed.size(), opened.size());
    const double share = differing(followed, opened);
    QVERIFY2(share <= maxDiffering, qPrintable(QString::number(share)));
  }

  // Qt tells widgets of a style in the order of a hash, which differs from run to run.
  // 16 dialogs have many orders.
  void openDialogsKeepTheirSizes_data() {
    QTest::addColumn<bool>("inSteps");
    QTest::newRow("at once") << false;
    QTest::newRow("in steps") << true;
  }
  void openDialogsKeepTheirSizes() {
    QFETCH(bool, inSteps);
    constexpr int count = 16, rows = 3;
    std::vector<std::unique_ptr<QDialog>> dialogs;
    std::vector<QSize> sizes;
    for (int i = 0; i < count; ++i) {
      QDialog& dialog = *dialogs.emplace_back(std::make_unique<QDialog>());
      // It is styled before the others.
      auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
      auto* layout = new QVBoxLayout(&dialog);
      for (int row = 0; row < rows; ++row) {
        layout->addWidget(new QComboBox);
        layout->addWidget(new QSpinBox);
        layout->addWidget(new QCheckBox(QStringLiteral("x")));
        layout->addWidget(new QLineEdit);
        layout->addWidget(new QLabel(QStringLiteral("x")));
      }
      layout->addWidget(buttons);
      dialog.show();
      QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    }
    for (const auto& dialog : dialogs) sizes.push_back(dialog->size());
    if (inSteps)
      changeTheme(*qApp, ScreenTheme::light);
    else
      applyTheme(*qApp, ScreenTheme::light);
    QTRY_COMPARE_WITH_TIMEOUT(screenTheme(), ScreenTheme::light, patience);
    settledPicture(*dialogs.back());
    for (std::size_t i = 0; i < dialogs.size(); ++i) QCOMPARE(dialogs[i]->size(), sizes[i]);
  }

  void linksOfTheGuideTakeTheThemesColour() {
    HelpViewer guide;
    guide.resize(500, 260);
    guide.show();
    QTRY_VERIFY_WITH_TIMEOUT(guide.browser()->verticalScrollBar()->maximum() > 5, patience);
    for (const ScreenTheme theme : {ScreenTheme::light, ScreenTheme::highContrast, ScreenTheme::dark}) {
      guide.browser()->verticalScrollBar()->setValue(5);
      applyTheme(*qApp, theme);
      const std::set<QString> expected{QApplication::palette().color(QPalette::Link).name()};
      QTRY_COMPARE_WITH_TIMEOUT(linkColours(*guide.browser()->document()), expected, patience);
      QTRY_COMPARE_WITH_TIMEOUT(guide.browser()->verticalScrollBar()->value(), 5, patience);
    }
  }

  void cellsWithAMeaningTakeTheThemesColours() {
    const TonedItem bad(QStringLiteral("slower"), Tone::bad), plain(QStringLiteral("same"), Tone::plain);
    const auto colour = [](const QTableWidgetItem& item) { return item.foreground().color(); };
    QCOMPARE(colour(bad), ChartTheme::onScreen().limit);
    const QColor dark = colour(bad);
    applyTheme(*qApp, ScreenTheme::light);
    QCOMPARE(colour(bad), ChartTheme::onScreen().limit);
    QVERIFY(colour(bad) != dark);
    QVERIFY(!plain.data(Qt::ForegroundRole).isValid());
  }

  void filesThatAreGoneTakeTheThemesGrey() {
    StartPage page({});
    page.setRecent({{QStringLiteral("/gone.h5"), {}, {}, false}});
    const auto colour = [&] {
      return page.list()->model()->index(0, 0).data(Qt::ForegroundRole).value<QBrush>().color();
    };
    for (const ScreenTheme theme : {ScreenTheme::light, ScreenTheme::dark}) {
      applyTheme(*qApp, theme);
      QTRY_COMPARE_WITH_TIMEOUT(colour(), QApplication::palette().color(QPalette::Disabled, QPalette::Text),
                                patience);
    }
  }

  void imagesTakeTheirGroundInHighContrast() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    ImagePanel& panel = *bench.window.views().image;
    const auto* grid = panel.findChild<QWidget*>(QStringLiteral("imageGrid"));
    const auto* caption = panel.findChild<QLabel*>(QStringLiteral("volumeCaption"));
    for (const ScreenTheme theme : {ScreenTheme::highContrast, ScreenTheme::dark}) {
      applyTheme(*qApp, theme);
      QTRY_COMPARE_WITH_TIMEOUT(grid->palette().color(QPalette::Window), ImageTheme::frame(), patience);
      if (caption)
        QTRY_COMPARE_WITH_TIMEOUT(caption->palette().color(QPalette::WindowText), ImageTheme::text(),
                                  patience);
    }
  }
};

SPOKELAB_WINDOW_TEST(TestThemeFollowed)

}  // namespace test_theme_followed

#include "test_theme_followed.moc"
