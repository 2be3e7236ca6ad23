// A capability of the window: one object with its jobs and signals. It knows the session and the
// views, but not the window and, if possible, not the other features; window/features.cpp connects
// features.
#pragma once

#include <QObject>

#include "app/gui/features/views.h"
#include "app/gui/session/session.h"

namespace spokelab {

class Feature : public QObject {
 public:
  // Session and views outlive the feature. A job's work may use the session, never the feature: the
  // work may go on when the window is gone. Its delivery may use both.
  Feature(Session& session, const Views& views, QObject* parent)
      : QObject(parent), session_(session), views_(views) {}

 protected:
  Session& session_;
  const Views& views_;
};

}  // namespace spokelab
