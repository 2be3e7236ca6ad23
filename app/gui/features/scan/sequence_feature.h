// The dock of a Pulseq sequence: of a file that is opened alone, or of the open scan's trajectory.
// Its cursor is linked with the trajectory view.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "app/gui/features/feature.h"

namespace spokelab {

struct PlayedSequence;
class SequenceView;

class SequenceFeature : public Feature {
  Q_OBJECT

 public:
  SequenceFeature(Session& session, const Views& views, QObject* parent);

  void open(const QString& file);  // a sequence alone; without a scan its trajectory is shown, too
  // The sample of a shot of the shown trajectory, by another view.
  void lookAt(qint64 shot, qint64 sample);
  SequenceView* view() const { return view_; }

 Q_SIGNALS:
  void shown();                               // a sequence was read
  void lookedAt(qint64 shot, qint64 sample);  // by the user, in the sequence

 private:
  void takeScan(const std::shared_ptr<const Scan>& scan);
  void read(const QString& file, bool alone);
  void take(const std::shared_ptr<const PlayedSequence>& sequence, bool alone);
  void choose(qint64 readout, qint64 sample);

  SequenceView* view_;
  std::vector<std::size_t> readouts_;  // of each shot of the shown trajectory; empty: not linked
};

}  // namespace spokelab
