// A reader's decisions about a file, one row a decision. Editing a row asks for an override; the
// owner of the model reads the scan again, and then the rows change.
#pragma once

#include <QAbstractListModel>

#include <memory>

#include "engine/scan/scan.h"

namespace spokelab {

enum DecisionRole {
  TopicRole = Qt::UserRole + 100,
  AlternativesRole
};  // QString; QStringList, its own choice first

class DecisionModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  void setScan(std::shared_ptr<const Scan> scan);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void overrideRequested(const QString& topic, const QString& choice);

 private:
  std::shared_ptr<const Scan> scan_;
};

}  // namespace spokelab
