#include "widgets/recon/parameters/option_group_view.h"

#include <QGridLayout>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace spokelab {
namespace {

constexpr std::size_t linesPerRow = 2;  // the option, and a note
constexpr int margin = 8, rowGap = 3, columnGap = 8;
constexpr std::size_t maxUnitLetters = 3;       // beside a label; others are in the tool tip
constexpr int editorShare = 5, labelShare = 4;  // of the width

bool holdsAll(const OptionSpec& spec, const QStringList& words) {
  QStringList text;
  for (const std::string* part : {&spec.name, &spec.label, &spec.help, &spec.unit, &spec.group})
    text << QString::fromStdString(*part);
  for (const std::string& choice : spec.choices) text << QString::fromStdString(choice);
  const QString all = text.join(QLatin1Char('\n'));
  return std::all_of(words.begin(), words.end(),
                     [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

OptionGroupView::OptionGroupView(const OptionGroup& group, QWidget* parent)
    : QWidget(parent), title_(QString::fromStdString(group.title)) {
  heading_ = new QToolButton;
  heading_->setObjectName(QStringLiteral("group-") + title_);
  heading_->setProperty("role", "group");
  heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heading_->setFocusPolicy(Qt::StrongFocus);
  heading_->setCheckable(true);
  connect(heading_, &QToolButton::clicked, this, [this](bool on) {
    setFolded(!on);
    Q_EMIT foldClicked();
  });
  reset_ = new QToolButton;
  reset_->setObjectName(QStringLiteral("reset-") + title_);
  reset_->setText(tr("Reset"));
  reset_->setAccessibleName(tr("Reset %1").arg(title_));
  reset_->setToolTip(tr("Back to this group's defaults"));
  QSizePolicy place = reset_->sizePolicy();  // keeps the layout when it is shown or hidden
  place.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(place);
  connect(reset_, &QToolButton::clicked, this, &OptionGroupView::resetRequested);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(0, 0, margin, 0);
  head->addWidget(heading_);
  head->addStretch(1);
  head->addWidget(reset_);
  body_ = new QWidget;
  auto* grid = new QGridLayout(body_);
  grid->setContentsMargins(margin, 0, margin, margin / 2);
  grid->setVerticalSpacing(rowGap);
  grid->setHorizontalSpacing(columnGap);
  grid->setColumnStretch(0, labelShare);
  grid->setColumnStretch(1, editorShare);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(rowGap);
  column->addLayout(head);
  column->addWidget(body_);
  for (const OptionSpec& spec : group.options) makeRow(spec);
  showState({}, {});
  showBody();
}

void OptionGroupView::makeRow(const OptionSpec& spec) {
  auto* editor = new OptionEditor(spec);
  const bool shortUnit = !spec.unit.empty() && spec.unit.size() <= maxUnitLetters;
  const QString unit = shortUnit ? QStringLiteral(" (%1)").arg(QString::fromStdString(spec.unit)) : QString();
  auto* label = new QLabel(QString::fromStdString(spec.label) + unit);
  label->setBuddy(editor);
  label->setWordWrap(true);
  auto* grid = static_cast<QGridLayout*>(body_->layout());
  const int line = int(linesPerRow * rows_.size());
  grid->addWidget(label, line, 0);
  grid->addWidget(editor, line, 1);
  rows_.push_back({label, editor});
}

void OptionGroupView::setFolded(bool folded) {
  folded_ = folded;
  showBody();
}

// Made when it is first needed; null where the option is not of this group.
QLabel* OptionGroupView::lineBelow(const std::string& name) {
  const auto row =
      std::find_if(rows_.begin(), rows_.end(), [&name](const OptionRow& r) { return r.name() == name; });
  if (row == rows_.end()) return nullptr;
  QLabel*& label = lines_[name];
  if (!label) {
    label = new QLabel;
    label->setObjectName(QStringLiteral("note-") + QString::fromStdString(name));
    label->setWordWrap(true);
    const int line = int(linesPerRow * std::size_t(row - rows_.begin())) + 1;
    static_cast<QGridLayout*>(body_->layout())->addWidget(label, line, 0, 1, 2);
  }
  return label;
}

void OptionGroupView::setNote(const std::string& name, const QString& note) {
  if (note.isEmpty() && !notes_.contains(name)) return;
  if (!lineBelow(name)) return;
  notes_[name] = note;
  showNotes();
}

void OptionGroupView::showProblems() {
  for (const OptionRow& row : rows_)
    if (!row.editor->problem().isEmpty()) lineBelow(row.name());
  showNotes();
}

// An error of a value is shown before other notes on it.
void OptionGroupView::showNotes() {
  for (const OptionRow& row : rows_) {
    const auto line = lines_.find(row.name());
    if (line == lines_.end()) continue;
    const QString &problem = row.editor->problem(), range = row.editor->rangeText();
    const auto note = notes_.find(row.name());
    QString text = note == notes_.end() ? QString() : note->second;
    if (!problem.isEmpty()) text = range.isEmpty() ? problem : tr("%1: %2").arg(problem, range);
    const QString role = problem.isEmpty() ? QStringLiteral("note") : QStringLiteral("error");
    QLabel& label = *line->second;
    label.setText(text);
    label.setVisible(!text.isEmpty() && !row.editor->isHidden());
    if (label.property("role") == role) continue;
    label.setProperty("role", role);
    label.style()->unpolish(&label);
    label.style()->polish(&label);
  }
}

int OptionGroupView::search(const QStringList& words) {
  searching_ = !words.isEmpty();
  int found = 0;
  for (const OptionRow& row : rows_) {
    const bool shown = holdsAll(row.editor->spec(), words);
    row.label->setVisible(shown);
    row.editor->setVisible(shown);
    found += int(shown);
  }
  showNotes();
  showBody();
  setVisible(found > 0);
  return found;
}

void OptionGroupView::showBody() {
  const bool open = searching_ || !folded_;
  body_->setVisible(open);
  heading_->setChecked(open);
  heading_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
}

void OptionGroupView::showState(const ReconOptions& options,
                                const std::map<std::string, QString>& unavailable) {
  const ReconOptions defaults;
  int changed = 0;
  for (const OptionRow& row : rows_) {
    const bool differs = row.editor->value().toStdString() != optionValue(defaults, row.name());
    changed += int(differs);
    const auto here = unavailable.find(row.name());
    const QString why = here != unavailable.end() && !here->second.isEmpty()
                            ? here->second
                            : QString::fromStdString(whyIdle(options, row.name()));
    row.editor->setIdle(why);
    row.label->setToolTip(row.editor->toolTip());
    // The style makes it bold: a font set here would be lost when the style changes.
    const QVariant idle = !why.isEmpty(), isChanged = differs;
    if (row.label->property("idle") == idle && row.label->property("changed") == isChanged) continue;
    row.label->setProperty("idle", idle);
    row.label->setProperty("changed", isChanged);
    row.label->style()->unpolish(row.label);
    row.label->style()->polish(row.label);
  }
  heading_->setText(changed == 0 ? title_ : tr("%1 · %n changed", nullptr, changed).arg(title_));
  heading_->setToolTip(tr("Fold or unfold %1").arg(title_));
  heading_->setAccessibleName(tr("Group %1").arg(heading_->text()));
  reset_->setVisible(changed > 0);
}

}  // namespace spokelab
