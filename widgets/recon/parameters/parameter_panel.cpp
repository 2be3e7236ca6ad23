#include "widgets/recon/parameters/parameter_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace spokelab {
namespace {

constexpr int margin = 8, groupGap = 8, rowGap = 3, columnGap = 8;
constexpr std::size_t maxUnitLetters = 3;       // beside a label; others are in the tool tip
constexpr int editorShare = 5, labelShare = 4;  // of the width

}  // namespace

ParameterPanel::ParameterPanel(QWidget* parent) : QWidget(parent) {
  auto* form = new QWidget;
  auto* grid = new QGridLayout(form);
  grid->setContentsMargins(margin, margin / 2, margin, margin);
  grid->setVerticalSpacing(rowGap);
  grid->setHorizontalSpacing(columnGap);
  grid->setColumnStretch(0, labelShare);
  grid->setColumnStretch(1, editorShare);
  int line = 0;
  std::string group;
  for (const OptionSpec& spec : reconOptionTable()) {
    if (spec.group != group) {
      group = spec.group;
      auto* heading = new QLabel(QString::fromStdString(group));
      heading->setProperty("role", "heading");
      if (line > 0) grid->setRowMinimumHeight(line++, groupGap);
      grid->addWidget(heading, line++, 0, 1, 2);
    }
    auto* editor = new OptionEditor(spec);
    const bool shortUnit = !spec.unit.empty() && spec.unit.size() <= maxUnitLetters;
    const QString unit =
        !shortUnit ? QString() : QStringLiteral(" (%1)").arg(QString::fromStdString(spec.unit));
    auto* label = new QLabel(QString::fromStdString(spec.label) + unit);
    label->setBuddy(editor);
    label->setWordWrap(true);
    label->setToolTip(editor->toolTip());
    grid->addWidget(label, line, 0);
    grid->addWidget(editor, line++, 1);
    connect(editor, &OptionEditor::edited, this, &ParameterPanel::read);
    rows_.push_back({label, editor});
  }
  grid->setRowStretch(line, 1);

  auto* scroll = new QScrollArea;
  scroll->setWidget(form);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setProperty("role", "error");
  problem_->setContentsMargins(margin, 0, margin, 0);
  problem_->hide();
  hint_ = new QLabel;
  hint_->setObjectName(QStringLiteral("parameterHint"));
  hint_->setWordWrap(true);
  hint_->setProperty("role", "warning");
  hint_->setContentsMargins(margin, 0, margin, 0);
  reset_ = new QPushButton(tr("Reset to defaults"));
  connect(reset_, &QPushButton::clicked, this, &ParameterPanel::reset);
  auto* footer = new QHBoxLayout;
  footer->setContentsMargins(margin, margin / 2, margin, margin / 2);
  footer->addStretch(1);
  footer->addWidget(reset_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(scroll, 1);
  layout->addWidget(problem_);
  layout->addWidget(hint_);
  layout->addLayout(footer);
  setOptions({});
}

OptionEditor* ParameterPanel::editor(const std::string& name) const {
  return editorNamed(rows_, name);
}

void ParameterPanel::setOptions(const ReconOptions& options) {
  showValues(rows_, options);
  read();
}

void ParameterPanel::reset() {
  setOptions({});
}

void ParameterPanel::setSettled(const ReconOptions& settled) {
  for (const OptionRow& row : rows_) {
    row.editor->setSettled(QString::fromStdString(optionValue(settled, row.name())));
  }
}

void ParameterPanel::read() {
  ReconOptions options;
  const QString problem = readRows(rows_, options);
  valid_ = problem.isEmpty();
  problem_->setText(problem);
  problem_->setVisible(!valid_);
  markChanged();
  const QString unused = valid_ ? QString::fromStdString(unusedOptions(options)) : QString();
  hint_->setText(tr("Not used by the method gridding: %1. Choose sense or pcsense.").arg(unused));
  hint_->setVisible(!unused.isEmpty());
  if (!valid_) return;
  options_ = options;
  Q_EMIT optionsChanged(options_);
}

void ParameterPanel::markChanged() {
  const ReconOptions defaults;
  bool any = false;
  for (const OptionRow& row : rows_) {
    const bool changed = row.editor->value().toStdString() != optionValue(defaults, row.name());
    QFont font = row.label->font();
    font.setBold(changed);
    row.label->setFont(font);
    any = any || changed;
  }
  reset_->setEnabled(any);
}

}  // namespace spokelab
