#include "widgets/recon/parameters/parameter_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

#include "engine/recon/options/recipe_table.h"
#include "widgets/recon/parameters/kept_bar.h"
#include "widgets/recon/parameters/option_group_view.h"

namespace spokelab {
namespace {

constexpr int panelMargin = 8, groupGap = 4;

QLabel* note(const char* role) {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setProperty("role", role);
  label->setContentsMargins(panelMargin, 0, panelMargin, 0);
  label->hide();
  return label;
}

}  // namespace

ParameterPanel::ParameterPanel(QWidget* parent) : QWidget(parent) {
  auto* form = new QWidget;
  scroll_ = new QScrollArea;
  scroll_->setWidget(form);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);  // its rows have the keys
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  found_ = note("note");
  problem_ = note("error");
  hint_ = note("warning");
  hint_->setObjectName(QStringLiteral("parameterHint"));
  reset_ = new QPushButton(tr("Reset to defaults"));
  connect(reset_, &QPushButton::clicked, this, &ParameterPanel::reset);
  auto* footer = new QHBoxLayout;
  footer->setContentsMargins(panelMargin, panelMargin / 2, panelMargin, panelMargin / 2);
  footer->addStretch(1);
  footer->addWidget(reset_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  kept_ = new KeptBar;
  layout->addWidget(kept_);
  layout->addWidget(makeSearch());
  layout->addWidget(found_);
  layout->addWidget(scroll_, 1);
  layout->addWidget(problem_);
  layout->addWidget(hint_);
  layout->addLayout(footer);
  makeGroups(form);
  setUnfolded({groups_.front()->title()});
  setOptions({});
}

QWidget* ParameterPanel::makeSearch() {
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("parameterSearch"));
  search_->setPlaceholderText(tr("Find a parameter"));
  search_->setAccessibleName(tr("Find a parameter by its name or help"));
  search_->setClearButtonEnabled(true);
  search_->setAcceptDrops(false);
  search_->installEventFilter(this);
  connect(search_, &QLineEdit::textChanged, this, &ParameterPanel::search);
  auto* place = new QWidget;
  auto* row = new QHBoxLayout(place);
  row->setContentsMargins(panelMargin, panelMargin / 2, panelMargin, panelMargin / 2);
  row->addWidget(search_);
  return place;
}

void ParameterPanel::makeGroups(QWidget* form) {
  auto* column = new QVBoxLayout(form);
  column->setContentsMargins(0, 0, 0, panelMargin);
  column->setSpacing(groupGap);
  for (const OptionGroup& group : optionGroups()) {
    auto* view = new OptionGroupView(group);
    groups_.push_back(view);
    column->addWidget(view);
    connect(view, &OptionGroupView::foldClicked, this, &ParameterPanel::foldsChanged);
    connect(view, &OptionGroupView::resetRequested, this, [this, view] { resetGroup(*view); });
    for (const OptionRow& row : view->rows()) {
      rows_.push_back(row);
      connect(row.editor, &OptionEditor::edited, this, &ParameterPanel::read);
      connect(row.editor, &OptionEditor::browseRequested, this,
              [this, name = QString::fromStdString(row.name())] { Q_EMIT browseRequested(name); });
    }
  }
  column->addStretch(1);
}

OptionEditor* ParameterPanel::editor(const std::string& name) const {
  return editorNamed(rows_, name);
}

void ParameterPanel::reveal(const std::string& name) {
  OptionEditor* optionEditor = editor(name);
  if (!optionEditor) return;
  search_->clear();
  for (OptionGroupView* group : groups_)
    if (group->isAncestorOf(optionEditor)) group->setFolded(false);
  scroll_->widget()->layout()->activate();
  scroll_->ensureWidgetVisible(optionEditor);
  optionEditor->setFocus(Qt::OtherFocusReason);
}

QString ParameterPanel::problem() const {
  return problem_->text();
}

void ParameterPanel::revealProblem() {
  for (const OptionRow& row : rows_)
    if (!row.editor->problem().isEmpty()) return reveal(row.name());
}

QStringList ParameterPanel::unfolded() const {
  QStringList titles;
  for (const OptionGroupView* group : groups_)
    if (!group->isFolded()) titles << group->title();
  return titles;
}

void ParameterPanel::setUnfolded(const QStringList& titles) {
  for (OptionGroupView* group : groups_) group->setFolded(!titles.contains(group->title()));
}

void ParameterPanel::search() {
  const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  int found = 0;
  for (OptionGroupView* group : groups_) found += group->search(words);
  found_->setText(tr("No parameter has that in its name or help"));
  found_->setVisible(found == 0);
}

bool ParameterPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (watched != search_ || !isKey) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (event->type() == QEvent::ShortcutOverride) {
    const bool clears = key == Qt::Key_Escape && !search_->text().isEmpty();  // before it cancels a job
    if (clears) event->accept();
    return clears;
  }
  if (key == Qt::Key_Escape) {
    search_->clear();
    return true;
  }
  if (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Down) return false;
  const auto first =
      std::find_if(rows_.begin(), rows_.end(), [](const OptionRow& row) { return row.editor->isVisible(); });
  if (first != rows_.end()) first->editor->setFocus(Qt::TabFocusReason);
  return true;
}

void ParameterPanel::setOptions(const ReconOptions& options) {
  showValues(rows_, options);
  read();
}

void ParameterPanel::reset() {
  setOptions({});
}

void ParameterPanel::resetGroup(const OptionGroupView& group) {
  showValues(group.rows(), ReconOptions{});
  read();
}

void ParameterPanel::setSettled(const ReconOptions& settled) {
  settled_ = settled;
  showSettled();
}

void ParameterPanel::showSettled() {
  const ReconOptions own = withRecipeDefaults(options_);
  for (const OptionRow& row : rows_) {
    const std::string name = row.name(), left = optionValue(options_, name), set = optionValue(own, name);
    const bool isMethods = left == automaticOption && set != left;
    row.editor->setSettled(QString::fromStdString(isMethods ? set : optionValue(settled_, name)));
  }
}

void ParameterPanel::setUnavailable(const std::string& name, const QString& why) {
  if (unavailable_[name] == why) return;
  unavailable_[name] = why;
  read();
}

void ParameterPanel::setNote(const std::string& name, const QString& note) {
  for (OptionGroupView* group : groups_) group->setNote(name, note);
}

void ParameterPanel::read() {
  ReconOptions options;
  const QString problem = readRows(rows_, options);
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  for (OptionGroupView* group : groups_) {
    group->showState(options, unavailable_);
    group->showProblems();
  }
  const ReconOptions defaults;
  reset_->setEnabled(std::any_of(rows_.begin(), rows_.end(), [&defaults](const OptionRow& row) {
    return row.editor->value().toStdString() != optionValue(defaults, row.name());
  }));
  const QString unused = isValid() ? QString::fromStdString(unusedOptions(options)) : QString();
  hint_->setText(tr("Not used by the method gridding: %1. Choose a method that iterates (%2).")
                     .arg(unused, QString::fromStdString(iteratingMethods())));
  hint_->setVisible(!unused.isEmpty());
  if (!isValid()) return;
  options_ = options;
  showSettled();
  Q_EMIT optionsChanged(options_);
}

}  // namespace spokelab
