#include "app/gui/features/recon/iteration_watch.h"

#include "app/gui/session/iteration_control.h"
#include "app/gui/session/session.h"

namespace spokelab {
namespace {

constexpr int refreshMs = 100;

}  // namespace

IterationWatch::IterationWatch(IterationView& view, Session& session, QObject* parent)
    : QObject(parent), view_(view) {
  timer_.setInterval(refreshMs);
  connect(&timer_, &QTimer::timeout, this, &IterationWatch::refresh);
  connect(&session, &Session::iterationsStarted, this,
          [this](const QString& title, const std::shared_ptr<IterationControl>& control) {
            control_ = control;
            control_->setLive(view_.live());
            view_.start(title);
            timer_.start();
          });
  connect(&session, &Session::scanOpened, this, [this] {
    control_.reset();
    timer_.stop();
    view_.finish({});
    view_.clear();
  });
  connect(&session, &Session::iterationsEnded, this, [this](const QString& ending) {
    if (!control_) return;
    refresh();
    control_.reset();
    timer_.stop();
    view_.finish(ending);
  });
  const auto tell = [this](auto&& wish) {
    if (control_) wish(*control_);
  };
  connect(&view_, &IterationView::pauseRequested, this,
          [tell](bool on) { tell([on](IterationControl& c) { c.setPaused(on); }); });
  connect(&view_, &IterationView::lambdaRequested, this, [this, &session](double lambda) {
    if (!control_) return;
    control_->setLambda(lambda);
    Q_EMIT session.lambdaChanged(lambda);
  });
  connect(&view_, &IterationView::backRequested, this,
          [tell](int iteration) { tell([iteration](IterationControl& c) { c.goBack(iteration); }); });
  connect(&view_, &IterationView::stopRequested, this,
          [tell](bool best) { tell([best](IterationControl& c) { c.stop(best); }); });
  connect(&view_, &IterationView::liveRequested, this,
          [tell](bool on) { tell([on](IterationControl& c) { c.setLive(on); }); });
}

void IterationWatch::refresh() {
  if (!control_) return;
  const IterationControl::News news = control_->take();
  view_.addPoints(news.points);
  view_.dropImages(news.dropped);
  view_.keepImages(news.images);
  if (news.image) view_.setImage(news.image);
}

}  // namespace spokelab
