#include "app/gui/features/recon/points_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "app/gui/features/views.h"

namespace spokelab {
namespace {

constexpr int fileWidth = 320;

}  // namespace

PointsDialog::PointsDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("points"));
  setWindowTitle(tr("Points to points"));
  auto* form = new QFormLayout(this);
  auto* what = new QLabel(
      tr("y_k = Σ_j c_j e^{± 2πi s_k·x_j}: values at points x, in any unit, to values at points s, "
         "in cycles per that unit. Accuracy, ratios and machine are the parameters'."));
  what->setWordWrap(true);
  what->setProperty("role", "note");
  form->addRow(what);
  sources_ = addFile(*form, "pointsSources", tr("&Sources"), tr("Points x: .npy [point, dimension] or .cfl"));
  targets_ = addFile(*form, "pointsTargets", tr("&Targets"), tr("Points s: .npy [point, dimension] or .cfl"));
  direction_ = new QComboBox;
  direction_->setObjectName(QStringLiteral("pointsDirection"));
  direction_->addItems({tr("forward: sources to targets"), tr("adjoint: targets to sources")});
  form->addRow(tr("&Direction"), direction_);
  sign_ = new QComboBox;
  sign_->setObjectName(QStringLiteral("pointsSign"));
  sign_->addItems({QStringLiteral("−1"), QStringLiteral("+1")});
  sign_->setToolTip(tr("Sign of forward's exponent"));
  form->addRow(tr("Si&gn"), sign_);
  values_ = addFile(
      *form, "pointsValues", tr("&Values"),
      tr("Values of the sources (adjoint: of the targets): .npy [..., point] or .cfl; a sweep needs none"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  sweep_ = buttons->addButton(tr("S&weep"), QDialogButtonBox::ActionRole);
  sweep_->setObjectName(QStringLiteral("pointsSweep"));
  sweep_->setToolTip(tr("Time all ratios and machines, for the charts"));
  transform_ = buttons->addButton(tr("T&ransform…"), QDialogButtonBox::ActionRole);
  transform_->setObjectName(QStringLiteral("pointsTransform"));
  transform_->setToolTip(tr("Tune, transform the values, and write the others to a file"));
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(sweep_, &QPushButton::clicked, this, [this] { Q_EMIT sweepRequested(job()); });
  connect(transform_, &QPushButton::clicked, this, [this] { Q_EMIT transformRequested(job()); });
  update();
}

QLineEdit* PointsDialog::addFile(QFormLayout& form, const char* name, const QString& label,
                                 const QString& help) {
  auto* line = new QLineEdit;
  line->setObjectName(QString::fromUtf8(name));
  line->setMinimumWidth(fileWidth);
  line->setToolTip(help);
  line->setAccessibleName(QString(label).remove(QLatin1Char('&')));
  auto* browse = new QPushButton(tr("Choose…"));
  browse->setAccessibleName(tr("Choose the file of %1").arg(line->accessibleName()));
  auto* row = new QHBoxLayout;
  row->addWidget(line, 1);
  row->addWidget(browse);
  form.addRow(label, row);
  if (auto* title = qobject_cast<QLabel*>(form.labelForField(row))) title->setBuddy(line);
  connect(line, &QLineEdit::textChanged, this, &PointsDialog::update);
  connect(browse, &QPushButton::clicked, this, [this, line] {
    auto* dialog = dialogToOpen(this, tr("Choose the file of %1").arg(line->accessibleName()), "",
                                lastFolder(), tr("Arrays (*.npy *.cfl *.npz *.mat);;All files (*)"));
    connect(dialog, &QFileDialog::fileSelected, line, &QLineEdit::setText);
    dialog->open();
  });
  return line;
}

void PointsDialog::update() {
  const bool points = !sources_->text().isEmpty() && !targets_->text().isEmpty();
  sweep_->setEnabled(points);
  transform_->setEnabled(points && !values_->text().isEmpty());
}

PointsJob PointsDialog::job() const {
  return {sources_->text(), targets_->text(), values_->text(), direction_->currentIndex() == 1,
          sign_->currentIndex() == 1 ? 1 : -1};
}

}  // namespace spokelab
