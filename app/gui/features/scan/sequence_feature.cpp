#include "app/gui/features/scan/sequence_feature.h"

#include <algorithm>
#include <numeric>

#include <QFileInfo>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/pulseq/pulseq_curves.h"
#include "widgets/raw/sequence_view.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr JobKind sequenceJob{.name = "sequence"};

bool isSequence(const std::filesystem::path& file) {
  try {
    return !file.empty() && fileKind(file) == FileKind::sequence;
  } catch (const Error&) {
    return false;  // a trajectory's name, or a file that is gone
  }
}

// The readouts that the shots of a trajectory are; empty: they cannot be told.
std::vector<std::size_t> readoutsOf(const PlayedSequence& played, const Trajectory& trajectory) {
  std::vector<std::size_t> readouts = played.imaging;
  if (std::int64_t(readouts.size()) != trajectory.shots()) {
    readouts.resize(played.kspace.readouts.size());
    std::iota(readouts.begin(), readouts.end(), std::size_t{0});
  }
  return std::int64_t(readouts.size()) == trajectory.shots() ? readouts : std::vector<std::size_t>();
}

}  // namespace

SequenceFeature::SequenceFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new SequenceView) {
  addTab(views_, "sequence", tr("Sequence"), view_);
  connect(&session_, &Session::scanOpened, this, &SequenceFeature::takeScan);
  connect(views_.trajectory, &TrajectoryView::sampleLookedAt, this, &SequenceFeature::lookAt);
  connect(view_, &SequenceView::momentChosen, this, &SequenceFeature::choose);
}

void SequenceFeature::open(const QString& file) {
  read(file, true);
}

void SequenceFeature::takeScan(const std::shared_ptr<const Scan>& scan) {
  readouts_.clear();
  view_->setSequence(nullptr);
  const std::filesystem::path trajectory = session_.separate().trajectory;
  if (scan && isSequence(trajectory)) read(QString::fromStdString(trajectory.string()), false);
}

void SequenceFeature::read(const QString& file, bool alone) {
  session_.jobs().submit(
      sequenceJob, tr("Sequence %1").arg(QFileInfo(file).fileName()),
      [this, file, alone](const JobContext& context) -> JobQueue::Delivery {
        auto played =
            std::make_shared<const PlayedSequence>(playSequence(file.toStdString(), context.progress));
        return [this, played, alone] { take(played, alone); };
      },
      QString::fromStdString("spokelab info " + shellWord(file.toStdString())));
}

void SequenceFeature::take(const std::shared_ptr<const PlayedSequence>& sequence, bool alone) {
  const auto scan = session_.scan();
  if (!scan && sequence->trajectory) views_.trajectory->setTrajectory(sequence->trajectory, sequence->matrix);
  const auto& pattern = views_.trajectory->trajectory();
  // Frames and slices have some of the readouts each.
  const bool isWhole = pattern && (!scan || (!alone && scan->frames == 1 && scan->slices == 1));
  readouts_ = isWhole ? readoutsOf(*sequence, *pattern) : std::vector<std::size_t>();
  view_->setSequence(sequence);
  if (alone)
    bringUp(view_);
  else
    announce(views_, view_);
  Q_EMIT shown();
}

void SequenceFeature::lookAt(qint64 shot, qint64 sample) {
  if (shot < 0 || std::size_t(shot) >= readouts_.size()) return;
  view_->lookAt({std::int64_t(readouts_[std::size_t(shot)]), sample});
}

void SequenceFeature::choose(qint64 readout, qint64 sample) {
  const auto found = std::find(readouts_.begin(), readouts_.end(), std::size_t(readout));
  const auto& pattern = views_.trajectory->trajectory();
  if (found == readouts_.end() || !pattern) return;
  const auto shot = found - readouts_.begin();
  const std::int64_t first = pattern->shotOffsets[std::size_t(shot)];
  const std::int64_t length = pattern->shotOffsets[std::size_t(shot) + 1] - first;
  if (sample >= length) return;
  views_.trajectory->lookAt(first + sample);
  Q_EMIT lookedAt(shot, sample);
}

}  // namespace spokelab
