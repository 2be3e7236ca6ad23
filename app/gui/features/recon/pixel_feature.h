// Asks a pixel of the shown result (Ctrl and a click in a slice, or the menu for the cursor): its
// point spread, the shots that it depends on, its error (engine/recon/explore/pixel).
#pragma once

#include <memory>
#include <vector>

#include "app/gui/features/feature.h"

class QAction;

namespace spokelab {

class PixelView;
struct ShownAnswer;

class PixelFeature : public Feature {
  Q_OBJECT

 public:
  PixelFeature(Session& session, const Views& views, QObject* parent);

  // index: in the shown image.
  void ask(const Index3& index);

  PixelView* view() const { return view_; }
  QAction* action() const { return action_; }

 Q_SIGNALS:
  void optionEdited(const QString& name, const QString& value);
  void reconstructRequested();

 private:
  struct Question;

  void take(const std::shared_ptr<const ShownAnswer>& answer, const std::weak_ptr<const Scan>& scan,
            const ReconOptions& options);
  void leaveOut(const std::vector<int>& shots);
  void showSpread();

  PixelView* view_;
  QAction* action_;
  std::weak_ptr<const Scan> scan_;  // of the answer
  ReconOptions options_;            // likewise
};

}  // namespace spokelab
