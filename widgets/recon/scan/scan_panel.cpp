#include "widgets/recon/scan/scan_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

#include "widgets/core/number_text.h"
#include "widgets/recon/row_delegate.h"
#include "widgets/recon/scan/decision_model.h"

namespace spokelab {
namespace {

constexpr int panelMargin = 8;
constexpr int minEditorPixels = 140;

// Opens a list of choices (or a line for free text) over the value of a decision.
class DecisionDelegate : public RowDelegate {
 public:
  using RowDelegate::RowDelegate;

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&,
                        const QModelIndex& index) const override {
    auto* box = new QComboBox(parent);
    box->addItems(index.data(AlternativesRole).toStringList());
    box->setEditable(static_cast<const DecisionModel*>(index.model())->takesFreeText(index));
    auto* self = const_cast<DecisionDelegate*>(this);
    connect(box, &QComboBox::activated, self, [self, box] {
      Q_EMIT self->commitData(box);
      Q_EMIT self->closeEditor(box);
    });
    return box;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    static_cast<QComboBox*>(editor)->setCurrentText(index.data(Qt::EditRole).toString());
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
    model->setData(index, static_cast<QComboBox*>(editor)->currentText(), Qt::EditRole);
  }
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override {
    QRect rect = valueRect(option.rect, index);
    rect.setLeft(std::min(rect.left(), rect.right() - std::max(minEditorPixels, editor->sizeHint().width())));
    rect.setHeight(editor->sizeHint().height());
    editor->setGeometry(rect);
  }
};

}  // namespace

QString scanSummary(const Scan& scan) {
  const auto count = [](int n, const char* one, const char* many) {
    return QStringLiteral("%1 %2").arg(n).arg(QString::fromUtf8(n == 1 ? one : many));
  };
  QStringList numbers{count(scan.coils, "coil", "coils")};
  if (scan.slices > 1) numbers << count(scan.slices, "slice", "slices");
  if (scan.frames > 1) numbers << count(scan.frames, "frame", "frames");
  const Trajectory& trajectory = scan.trajectory(0);
  const auto shots = int(trajectory.shots());
  const Vec3& fov = scan.geometry.fov;
  QString size = QStringLiteral("%1 × %2").arg(numberLabel(fov[0], 1), numberLabel(fov[1], 1));
  if (fov[2] > 0) size += QStringLiteral(" × %1").arg(numberLabel(fov[2], 1));
  return QStringLiteral("<b>%1</b><br>%2-D, matrix %3, %4 mm%5<br>%6 · %7 · %L8 samples")
      .arg(QString::fromStdString(scan.name).toHtmlEscaped())
      .arg(scan.dims())
      .arg(sizeLabel(scan.geometry.matrix), size,
           scan.geometry.nominal ? QStringLiteral(" (assumed)") : QString(),
           numbers.join(QStringLiteral(" · ")), count(shots, "shot", "shots"))
      .arg(qlonglong(trajectory.samples()));
}

ScanPanel::ScanPanel(QWidget* parent) : QWidget(parent) {
  summary_ = new QLabel;
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  warnings_ = new QLabel;
  warnings_->setWordWrap(true);
  warnings_->setProperty("role", "warning");
  nothing_ = new QLabel(tr("This scan was simulated. No file had to be interpreted."));
  doubtful_ = new QLabel;
  doubtful_->setObjectName(QStringLiteral("doubtfulDecisions"));
  doubtful_->setWordWrap(true);
  doubtful_->setProperty("role", "warning");
  nothing_->setWordWrap(true);
  nothing_->setEnabled(false);
  for (QLabel* label : {summary_, warnings_, nothing_, doubtful_})
    label->setContentsMargins(panelMargin, panelMargin / 2, panelMargin, panelMargin / 2);
  list_ = makeRowList(this);
  list_->setAccessibleName(tr("Decisions of the reader"));
  // A click or F2 opens the choices: the focus alone must not turn typing into editing.
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  connect(list_, &QListView::clicked, list_, [this](const QModelIndex& index) {
    if (index.flags() & Qt::ItemIsEditable) list_->edit(index);
  });
  model_ = new DecisionModel(this);
  list_->setModel(model_);
  list_->setItemDelegate(new DecisionDelegate(list_));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(summary_);
  layout->addWidget(warnings_);
  layout->addWidget(nothing_);
  layout->addWidget(doubtful_);
  layout->addWidget(list_, 1);
  connect(model_, &DecisionModel::overrideRequested, this, &ScanPanel::overrideRequested);
  setScan(nullptr);
}

void ScanPanel::setScan(std::shared_ptr<const Scan> scan) {
  summary_->setText(scan ? scanSummary(*scan)
                         : tr("No scan yet. Open a file, drop one here, or take the demo."));
  QStringList warnings;
  if (scan) {
    for (const auto& warning : scan->warnings) warnings << QString::fromStdString(warning);
  }
  nothing_->setVisible(scan && scan->decisions.empty());
  warnings_->setText(warnings.join(QLatin1Char('\n')));
  warnings_->setVisible(!warnings.isEmpty());
  model_->setScan(std::move(scan));
  list_->scrollToTop();
  const int doubtful = model_->doubtful();
  doubtful_->setText(doubtful == 1 ? tr("1 decision is doubtful: look at its evidence.")
                                   : tr("%1 decisions are doubtful: look at their evidence.").arg(doubtful));
  doubtful_->setVisible(doubtful > 0);
  Q_EMIT doubtfulChanged(doubtful);
}

void ScanPanel::setChoices(const QMap<QString, QStringList>& choices) {
  model_->setChoices(choices);
}

}  // namespace spokelab
