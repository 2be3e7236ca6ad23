// The panel returns every option of the table unchanged; impossible values remain in its row.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include <tuple>

#include "tests/test_main.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_parameter_panel {

using namespace spokelab;

namespace {

// A value other than the default that the option takes.
std::string otherValue(const OptionSpec& spec) {
  const std::string usual = optionValue({}, spec.name);
  switch (spec.type) {
    case OptionType::choice:
      return spec.choices.front() != usual ? spec.choices.front() : spec.choices.back();
    case OptionType::flag:
      return usual == "true" ? "false" : "true";
    case OptionType::integer:
      return std::to_string(int(spec.minimum) + 1);
    case OptionType::number: {
      const double value = spec.name == "accuracy" ? 1e-4 : spec.minimum + (spec.maximum - spec.minimum) / 4;
      return QString::number(value, 'g', 6).toStdString();
    }
    case OptionType::text:
      if (spec.name == "echo-times") return "5,10";
      if (spec.name == "t2-range" || spec.name == "t1-range") return "20-500";
      if (spec.name == "flip-angles") return "5,10";
      if (spec.name == "backend") return "cpu";
      if (spec.name == "bins") return "16x16x8";
      if (spec.name == "axis-alpha") return "1x1.5x2";
      return spec.name == "scheduler-off" ? "queue,private" : "0-2";
  }
  return {};
}

}  // namespace

class TestParameterPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyOptionOfTheTableHasAnEditor() {
    ParameterPanel panel;
    for (const OptionSpec& spec : reconOptionTable()) QVERIFY2(panel.editor(spec.name), spec.name.c_str());
  }

  void everyOptionGoesInAndComesOutTheSame() {
    for (const OptionSpec& spec : reconOptionTable()) {
      ParameterPanel panel;
      ReconOptions options;
      setOption(options, spec.name, otherValue(spec));
      QVERIFY2(optionValue(options, spec.name) != optionValue({}, spec.name), spec.name.c_str());
      panel.setOptions(options);
      QVERIFY2(panel.isValid(), spec.name.c_str());
      for (const OptionSpec& each : reconOptionTable()) {
        QCOMPARE(optionValue(panel.options(), each.name), optionValue(options, each.name));
      }
    }
  }

  void everyOptionIsReadFromItsEditor() {
    for (const OptionSpec& spec : reconOptionTable()) {
      ParameterPanel panel;
      QSignalSpy spy(&panel, &ParameterPanel::optionsChanged);
      OptionEditor* editor = panel.editor(spec.name);
      editor->setValue(QString::fromStdString(otherValue(spec)));
      Q_EMIT editor->edited();
      QCOMPARE(spy.count(), 1);
      ReconOptions wanted;
      setOption(wanted, spec.name, otherValue(spec));
      QCOMPARE(optionValue(panel.options(), spec.name), optionValue(wanted, spec.name));
    }
  }

  void typingANumberChangesTheOptions() {
    ParameterPanel panel;
    auto* line = panel.editor("alpha")->findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("1.375"));
    QCOMPARE(panel.options().nufft.alpha, 1.375);
    line->clear();
    QTest::keyClicks(line, QStringLiteral(" "));
    QCOMPARE(panel.options().nufft.alpha, 0.0);  // automatic again
  }

  void aValueOutOfRangeIsMarkedAndNeverLeavesThePanel() {
    ParameterPanel panel;
    QSignalSpy spy(&panel, &ParameterPanel::optionsChanged);
    auto* line = panel.editor("alpha")->findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("9"));
    QVERIFY(!panel.isValid());
    QVERIFY(line->property("invalid").toBool());
    QCOMPARE(spy.count(), 0);
    QCOMPARE(panel.options().nufft.alpha, 0.0);
    panel.editor("alpha")->setValue(QStringLiteral("words"));
    Q_EMIT panel.editor("alpha")->edited();
    QVERIFY(!panel.isValid());
    panel.reset();
    QVERIFY(panel.isValid());
    QVERIFY(!line->property("invalid").toBool());
  }

  void resetBringsTheDefaultsBack() {
    ParameterPanel panel;
    ReconOptions options;
    for (const OptionSpec& spec : reconOptionTable()) setOption(options, spec.name, otherValue(spec));
    panel.setOptions(options);
    panel.reset();
    for (const OptionSpec& spec : reconOptionTable()) {
      QCOMPARE(optionValue(panel.options(), spec.name), optionValue({}, spec.name));
    }
  }

  void optionsOfIterationsThatGriddingLeavesUnusedAreNamed() {
    ParameterPanel panel;
    panel.show();
    const auto* hint = panel.findChild<QLabel*>(QStringLiteral("parameterHint"));
    QVERIFY(!hint->isVisible());
    ReconOptions options;
    setOption(options, "regularization", "tv");
    panel.setOptions(options);
    QVERIFY(hint->isVisible() && hint->text().contains(QStringLiteral("regularization")));
    setOption(options, "method", "sense");
    panel.setOptions(options);
    QVERIFY(!hint->isVisible());
  }

  void theTunersChoiceShowsBesideAutomaticValues() {
    ParameterPanel panel;
    ReconOptions settled;
    settled.nufft.alpha = 1.25;
    settled.nufft.width = 5.5;
    settled.backend = "cpu";
    panel.setSettled(settled);
    QVERIFY(
        panel.editor("alpha")->findChild<QLineEdit*>()->placeholderText().contains(QStringLiteral("1.25")));
    QVERIFY(
        panel.editor("width")->findChild<QLineEdit*>()->placeholderText().contains(QStringLiteral("5.5")));
    QVERIFY(panel.editor("backend")->findChild<QComboBox*>()->itemText(0).contains(QStringLiteral("cpu")));
    QCOMPARE(panel.options().nufft.alpha, 0.0);  // still automatic
    panel.setSettled({});
    QVERIFY(
        !panel.editor("alpha")->findChild<QLineEdit*>()->placeholderText().contains(QStringLiteral("1.25")));
  }

  // Whatever method the shown result had.
  void theMethodsOwnValuesShowBesideAuto() {
    ParameterPanel panel;
    const auto shown = [&panel](const char* name) {
      return panel.editor(name)->findChild<QLineEdit*>()->placeholderText();
    };
    ReconOptions settled;
    setOption(settled, "method", "grasp");
    setOption(settled, "iterations", "150");
    panel.setSettled(settled);
    ReconOptions options;
    for (const auto& [method, iterations, lambda] :
         {std::tuple("sense", "auto: 10", "auto: 0.001"), std::tuple("wavelet", "auto: 60", "auto: 0.001"),
          std::tuple("pnp", "auto: 60", "auto: 0.01")}) {
      setOption(options, "method", method);
      panel.setOptions(options);
      QCOMPARE(shown("iterations"), QString::fromLatin1(iterations));
      QCOMPARE(shown("lambda"), QString::fromLatin1(lambda));
      QCOMPARE(optionValue(panel.options(), "iterations"), std::string("auto"));
    }
  }
};

SPOKELAB_GUI_TEST(TestParameterPanel)

}  // namespace test_parameter_panel

#include "test_parameter_panel.moc"
