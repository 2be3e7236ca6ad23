#include "app/gui/features/profile/wisdom_feature.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include "engine/core/output/kept_values.h"
#include "engine/core/text.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

constexpr JobKind wisdomJob{.name = "wisdom"};

QString mergeText(const WisdomMerge& m) {
  QString text =
      WisdomFeature::tr("Wisdom: %1 added, %2 replaced, %3 kept").arg(m.added).arg(m.replaced).arg(m.kept);
  if (m.refused > 0) text += WisdomFeature::tr(", %1 refused: no wisdom").arg(m.refused);
  return text;
}

QFileDialog* fileDialog(QWidget* parent, const QString& title) {
  auto* dialog = new QFileDialog(parent, title, {}, WisdomFeature::tr("Wisdom (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setDefaultSuffix(QStringLiteral("json"));
  return dialog;
}

}  // namespace

WisdomFeature::WisdomFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), menu_(new QMenu(tr("&Wisdom"), views.window)) {
  menu_->setEnabled(session_.wisdom() != nullptr);
  const auto add = [this](const QString& text, const char* name, auto&& slot) {
    QAction* action = menu_->addAction(text, this, slot);
    action->setObjectName(QString::fromUtf8(name));
    action->setEnabled(menu_->isEnabled());  // the palette offers actions, not menus
  };
  add(tr("&Export…"), "action-wisdom-export", [this] { exportTo(); });
  add(tr("&Import…"), "action-wisdom-import",
      [this] { takeFrom(tr("Import wisdom"), QFileDialog::ExistingFile, WisdomRule::theirs); });
  add(tr("&Merge…"), "action-wisdom-merge", [this] {
    takeFrom(tr("Merge wisdom: the better measured plans count"), QFileDialog::ExistingFiles,
             WisdomRule::better);
  });
  add(tr("&Forget…"), "action-wisdom-forget", [this] { askToForget(); });
  add(tr("&Kept preprocessing…"), "action-wisdom-kept", [this] { showKept(); });
}

void WisdomFeature::run(const QString& title, std::function<QString(Wisdom&)> work) {
  session_.jobs().submit(wisdomJob, title,
                         [this, &session = session_, work = std::move(work)](const JobContext&) {
                           const QString text = work(*session.wisdom());
                           return [this, text] { views_.log->append(LogLevel::information, text); };
                         });
}

void WisdomFeature::exportTo() {
  auto* dialog = fileDialog(views_.window, tr("Export wisdom"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->selectFile(QStringLiteral("wisdom.json"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    run(tr("Export wisdom"), [file](Wisdom& wisdom) {
      return tr("Wisdom: %1 entries written to %2").arg(wisdom.exportTo(file.toStdString())).arg(file);
    });
  });
  dialog->open();
}

void WisdomFeature::takeFrom(const QString& title, QFileDialog::FileMode mode, WisdomRule rule) {
  auto* dialog = fileDialog(views_.window, title);
  dialog->setFileMode(mode);
  connect(dialog, &QFileDialog::filesSelected, this, [this, title, rule](const QStringList& files) {
    run(title, [files, rule](Wisdom& wisdom) {
      WisdomMerge sum;
      for (const QString& file : files) {
        const WisdomMerge m = wisdom.import(file.toStdString(), rule);
        sum.added += m.added;
        sum.replaced += m.replaced;
        sum.kept += m.kept;
        sum.refused += m.refused;
      }
      return mergeText(sum);
    });
  });
  dialog->open();
}

void WisdomFeature::askToForget() {
  auto* box = new QMessageBox(QMessageBox::Question, tr("Forget wisdom"),
                              tr("Forget what tuning has found out? Plans will be tuned again."),
                              QMessageBox::Cancel, views_.window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  auto* foreign = box->addButton(tr("Other machines"), QMessageBox::AcceptRole);
  foreign->setObjectName(QStringLiteral("forget-foreign"));
  auto* all = box->addButton(tr("Everything"), QMessageBox::DestructiveRole);
  all->setObjectName(QStringLiteral("forget-all"));
  connect(foreign, &QPushButton::clicked, this, &WisdomFeature::forgetForeign);
  connect(all, &QPushButton::clicked, this, &WisdomFeature::forgetAll);
  box->open();
}

void WisdomFeature::forgetForeign() {
  const std::vector<Backend*>& backends = session_.backends();
  const std::vector<std::string> here =
      Wisdom::fingerprintsOf(std::vector<NufftBackend*>(backends.begin(), backends.end()));
  run(tr("Forget wisdom of other machines"), [here](Wisdom& wisdom) {
    std::vector<std::string> keys;
    for (const WisdomLine& line : wisdom.list(here))
      if (!line.here) keys.push_back(line.key);
    return tr("Wisdom: %1 entries of other machines forgotten").arg(wisdom.forget(keys));
  });
}

void WisdomFeature::forgetAll() {
  run(tr("Forget wisdom"), [](Wisdom& wisdom) {
    const std::size_t count = wisdom.size();
    wisdom.forget();
    return tr("Wisdom: %1 entries forgotten").arg(count);
  });
}

// The values that earlier jobs have kept of their points, to see and to remove.
void WisdomFeature::showKept() {
  constexpr std::size_t maxLines = 12;
  const std::filesystem::path folder = KeptValues::folderBeside(session_.wisdom()->file());
  const std::vector<KeptItem> items = KeptValues(folder).list();
  double bytes = 0;
  QStringList lines;
  for (const KeptItem& item : items) {
    bytes += double(item.bytes);
    if (std::size_t(lines.size()) < maxLines)
      lines << QString::fromStdString(item.what + ": " + secondsText(item.seconds) + ", " +
                                      bytesText(double(item.bytes)));
  }
  if (items.size() > maxLines) lines << tr("and %1 more").arg(items.size() - maxLines);
  auto* box = new QMessageBox(
      QMessageBox::Information, tr("Kept preprocessing"),
      items.empty() ? tr("No density weights or point spread functions are kept.")
                    : tr("Kept for later starts: %1, %2")
                          .arg(QString::fromStdString(countText(std::int64_t(items.size()), "file")),
                               QString::fromStdString(bytesText(bytes))),
      QMessageBox::Close, views_.window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(lines.join(u'\n'));
  if (!items.empty()) {
    auto* remove = box->addButton(tr("Remove all"), QMessageBox::DestructiveRole);
    remove->setObjectName(QStringLiteral("remove-kept"));
    connect(remove, &QPushButton::clicked, this, [this, folder] {
      run(tr("Remove kept preprocessing"), [folder](Wisdom&) {
        return tr("Kept preprocessing: %1 removed")
            .arg(QString::fromStdString(countText(std::int64_t(KeptValues(folder).clear()), "file")));
      });
    });
  }
  box->open();
}

}  // namespace spokelab
