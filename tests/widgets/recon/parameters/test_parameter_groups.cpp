// The parameters by intent: essentials on top, groups that fold, a search, rows that do nothing,
// and files that are dropped.
#include <algorithm>

#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_parameter_groups {

using namespace spokelab;

namespace {

QToolButton* button(const ParameterPanel& panel, const char* name) {
  auto* found = panel.findChild<QToolButton*>(QString::fromUtf8(name));
  if (!found) qFatal("there is no %s", name);
  return found;
}

int visibleRows(const ParameterPanel& panel) {
  int count = 0;
  for (const OptionSpec& spec : reconOptionTable()) count += int(panel.editor(spec.name)->isVisible());
  return count;
}

// The text of a row for a screen reader and in its tool tip.
bool tells(const ParameterPanel& panel, const char* name, const char* why) {
  const OptionEditor* editor = panel.editor(name);
  const QString text = QString::fromLatin1(why);
  return editor->toolTip().contains(text) && editor->focusProxy()->accessibleDescription().contains(text) &&
         editor->focusProxy()->property("idle").toBool();
}

bool drop(QWidget& target, const QList<QUrl>& urls) {
  QMimeData data;
  data.setUrls(urls);
  const QPoint at = target.rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  enter.ignore();
  QCoreApplication::sendEvent(&target, &enter);
  if (!enter.isAccepted()) return false;
  QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&target, &event);
  return true;
}

}  // namespace

class TestParameterGroups : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void onlyTheEssentialsAreOpenAtFirst() {
    ParameterPanel panel;
    panel.show();
    QCOMPARE(panel.unfolded(), QStringList{QStringLiteral("Essentials")});
    QCOMPARE(visibleRows(panel), 7);
    QVERIFY(panel.editor("lambda")->isVisible() && panel.editor("coil-maps")->isVisible());
    QVERIFY(!panel.editor("bins")->isVisible());
  }

  void aGroupUnfoldsByMouseOrKeyAndIsRemembered() {
    ParameterPanel panel;
    panel.show();
    QSignalSpy folds(&panel, &ParameterPanel::foldsChanged);
    QTest::mouseClick(button(panel, "group-Plan"), Qt::LeftButton);
    QVERIFY(panel.editor("bins")->isVisible());
    QTest::keyClick(button(panel, "group-Field"), Qt::Key_Space);
    QVERIFY(panel.editor("segments")->isVisible());
    QCOMPARE(folds.count(), 2);
    ParameterPanel other;
    other.show();
    other.setUnfolded(panel.unfolded());
    QVERIFY(other.editor("bins")->isVisible() && !other.editor("frames")->isVisible());
    QTest::mouseClick(button(panel, "group-Plan"), Qt::LeftButton);
    QVERIFY(!panel.editor("bins")->isVisible());
  }

  void theSearchFindsByNameLabelHelpAndChoice_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("name");
    QTest::addRow("name") << QStringLiteral("toeplitz-alpha") << QStringLiteral("toeplitz-alpha");
    QTest::addRow("label") << QStringLiteral("virtual coils") << QStringLiteral("compress-coils");
    QTest::addRow("help") << QStringLiteral("EIGENVALUE") << QStringLiteral("coil-crop");
    QTest::addRow("choice") << QStringLiteral("voronoi") << QStringLiteral("density");
  }
  void theSearchFindsByNameLabelHelpAndChoice() {
    QFETCH(const QString, words);
    QFETCH(const QString, name);
    ParameterPanel panel;
    panel.show();
    panel.searchLine()->setText(words);
    QVERIFY(panel.editor(name.toStdString())->isVisible());
    QVERIFY(visibleRows(panel) < 5);
    QVERIFY(!panel.editor("frames")->isVisible());
    // Return selects the row that was found, Escape folds the groups again.
    panel.activateWindow();
    panel.searchLine()->setFocus();
    QTest::keyClick(panel.searchLine(), Qt::Key_Return);
    QVERIFY(!panel.searchLine()->hasFocus());
    QTest::keyClick(panel.searchLine(), Qt::Key_Escape);
    QCOMPARE(visibleRows(panel), 7);
    QCOMPARE(panel.unfolded(), QStringList{QStringLiteral("Essentials")});
  }

  void aSearchWithoutSuccessSaysSo() {
    ParameterPanel panel;
    panel.show();
    panel.searchLine()->setText(QStringLiteral("no such word"));
    QCOMPARE(visibleRows(panel), 0);
    const auto labels = panel.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("No parameter"));
    }));
  }

  void rowsThatDoNothingAreGreyAndSayWhy() {
    ParameterPanel panel;
    QVERIFY(tells(panel, "lambda", "choose a method that iterates"));
    ReconOptions options;
    setOption(options, "method", "sense");
    setOption(options, "lambda", "0");
    panel.setOptions(options);
    QVERIFY(!tells(panel, "lambda", "a method that iterates"));
    QVERIFY(!panel.editor("lambda")->focusProxy()->property("idle").toBool());
    QVERIFY(tells(panel, "regularization", "is 0"));
    // By hand, too, and the row can be set all the same.
    OptionEditor* lambda = panel.editor("lambda");
    lambda->setValue(QStringLiteral("0.1"));
    Q_EMIT lambda->edited();
    QVERIFY(!panel.editor("regularization")->focusProxy()->property("idle").toBool());
    QVERIFY(panel.editor("walsh-block")->isEnabled());
  }

  void aGroupCountsItsChangesAndTakesThemBack() {
    ParameterPanel panel;
    panel.show();
    QVERIFY(!button(panel, "reset-Plan")->isVisible());
    ReconOptions options;
    for (const auto& [name, value] : {std::pair{"alpha", "1.5"}, {"width", "6"}, {"accuracy", "0.01"}})
      setOption(options, name, value);
    panel.setOptions(options);
    QVERIFY(button(panel, "group-Plan")->text().contains(QLatin1Char('2')));
    QSignalSpy changed(&panel, &ParameterPanel::optionsChanged);
    QTest::mouseClick(button(panel, "reset-Plan"), Qt::LeftButton);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(panel.options().nufft.alpha, 0.0);
    QCOMPARE(panel.options().nufft.width, 0.0);
    QCOMPARE(panel.options().nufft.accuracy, 0.01);  // of another group
    QVERIFY(!button(panel, "reset-Plan")->isVisible());
    QVERIFY(button(panel, "reset-Essentials")->isVisible());
  }

  void aFileThatIsDroppedOnARowIsItsMap() {
    ParameterPanel panel;
    const QUrl file = QUrl::fromLocalFile(QStringLiteral("/data/maps of coils.nii.gz"));
    QVERIFY(drop(*panel.editor("coil-maps"), {file}));
    QCOMPARE(panel.options().iterative.coilMaps, file.toLocalFile().toStdString());
    QVERIFY(!drop(*panel.editor("field-map"), {QUrl(QStringLiteral("https://a.org/map.nii"))}));
    QVERIFY(!drop(*panel.editor("field-map"), {file, file}));
    // Others leave it to the window, which opens a scan, and no line writes its address.
    for (const char* name : {"frames", "accuracy", "field-map"})
      QVERIFY2(!panel.editor(name)->findChild<QLineEdit*>()->acceptDrops(), name);
    QVERIFY(!panel.editor("frames")->acceptDrops());
  }

  void aRowOfAFileBrowses() {
    ParameterPanel panel;
    QSignalSpy wanted(&panel, &ParameterPanel::browseRequested);
    button(panel, "browse-field-map")->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toString(), QStringLiteral("field-map"));
  }

  void aRowThatIsWantedIsBroughtIntoView() {
    ParameterPanel panel;
    panel.resize(300, 200);
    panel.show();
    panel.searchLine()->setText(QStringLiteral("kernel"));
    panel.reveal("time-limit");
    QVERIFY(panel.editor("time-limit")->isVisible());
    QVERIFY(!panel.editor("time-limit")->visibleRegion().isEmpty());
    QVERIFY(panel.searchLine()->text().isEmpty());
  }
};

SPOKELAB_GUI_TEST(TestParameterGroups)

}  // namespace test_parameter_groups

#include "test_parameter_groups.moc"
