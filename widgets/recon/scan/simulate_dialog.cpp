#include "widgets/recon/scan/simulate_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace spokelab {
namespace {

constexpr int dialogMargin = 10, columnGap = 24, rowGap = 4, editorWidth = 150;
constexpr int preset = 0;  // the entry that leaves sizes alone

}  // namespace

SimulateDialog::SimulateDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("simulate"));
  setWindowTitle(tr("Simulate a scan"));
  setOption(options_, "matrix", "128");
  presets_ = new QComboBox;
  presets_->setObjectName(QStringLiteral("presets"));
  presets_->setAccessibleName(tr("Sizes of a study"));
  connect(presets_, &QComboBox::activated, this, &SimulateDialog::applyPreset);
  truth_ = new QCheckBox(tr("Show the phantom itself as a result, to compare with"));
  truth_->setChecked(true);
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setProperty("role", "error");

  auto* forms = new QHBoxLayout;
  forms->setSpacing(columnGap);
  forms->addWidget(makeForm("Trajectory"), 1);
  forms->addWidget(makeForm("Scan"), 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  simulate_ = buttons->addButton(tr("Simulate"), QDialogButtonBox::AcceptRole);
  simulate_->setDefault(true);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    Q_EMIT simulateRequested(options_, truth_->isChecked());
    accept();
  });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(dialogMargin, dialogMargin, dialogMargin, dialogMargin);
  layout->addLayout(forms, 1);
  layout->addWidget(truth_);
  layout->addWidget(problem_);
  layout->addWidget(buttons);
  showValues(rows_, options_);
  fillPresets();
  read();
}

QWidget* SimulateDialog::makeForm(const std::string& group) {
  auto* form = new QWidget;
  auto* grid = new QGridLayout(form);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setVerticalSpacing(rowGap);
  int line = 0;
  auto* heading = new QLabel(QString::fromStdString(group));
  heading->setProperty("role", "heading");
  grid->addWidget(heading, line++, 0, 1, 2);
  for (const OptionSpec& spec : simulateOptionTable()) {
    if (spec.group != group) continue;
    auto* editor = new OptionEditor(spec);
    editor->setMinimumWidth(editorWidth);
    const QString unit =
        spec.unit.empty() ? QString() : QStringLiteral(" (%1)").arg(QString::fromStdString(spec.unit));
    auto* label = new QLabel(QString::fromStdString(spec.label) + unit);
    label->setBuddy(editor);
    label->setToolTip(editor->toolTip());
    grid->addWidget(label, line, 0);
    grid->addWidget(editor, line++, 1);
    connect(editor, &OptionEditor::edited, this, [this, name = spec.name] {
      if (name == "pattern") fillPresets();
      read();
    });
    rows_.push_back({label, editor});
    if (spec.name == "pattern") {
      auto* presetLabel = new QLabel(tr("Sizes of a study"));
      presetLabel->setBuddy(presets_);
      presetLabel->setToolTip(tr("Sets matrix, shots and samples as in a published study"));
      presets_->setToolTip(presetLabel->toolTip());
      grid->addWidget(presetLabel, line, 0);
      grid->addWidget(presets_, line++, 1);
    }
  }
  grid->setRowStretch(line, 1);
  return form;
}

bool SimulateDialog::wantsTruth() const {
  return truth_->isChecked();
}

OptionEditor* SimulateDialog::editor(const std::string& name) const {
  return editorNamed(rows_, name);
}

void SimulateDialog::fillPresets() {
  SimulateOptions chosen;
  setOption(chosen, "pattern", editor("pattern")->value().toStdString());
  presets_->clear();
  presets_->addItem(tr("none"));
  for (const SimulatePreset& study : simulatePresets(chosen.trajectory.pattern)) {
    presets_->addItem(QString::fromStdString(study.name));
    presets_->setItemData(presets_->count() - 1, QString::fromStdString(study.help), Qt::ToolTipRole);
  }
  presets_->setEnabled(presets_->count() > 1);
}

void SimulateDialog::applyPreset(int index) {
  if (index <= preset) return;
  const auto studies = simulatePresets(options_.trajectory.pattern);
  for (const auto& [name, value] : studies[std::size_t(index - 1)].values)
    editor(name)->setValue(QString::fromStdString(value));
  read();
}

void SimulateDialog::showApplicable() {
  for (const OptionRow& row : rows_) {
    const bool applies = optionApplies(options_, row.name());
    row.label->setEnabled(applies);
    row.editor->setEnabled(applies);
  }
}

void SimulateDialog::read() {
  SimulateOptions options;
  const QString problem = readRows(rows_, options);
  valid_ = problem.isEmpty();
  if (valid_) {
    options_ = options;
    const SimulateOptions defaults;
    // Rows that are greyed out keep their default.
    for (const OptionRow& row : rows_) {
      const std::string& name = row.name();
      if (!optionApplies(options, name)) setOption(options_, name, optionValue(defaults, name));
    }
    showApplicable();
  }
  problem_->setText(problem);
  problem_->setVisible(!valid_);
  simulate_->setEnabled(valid_);
}

}  // namespace spokelab
