// Results of this session, newest first: what they were made with, which one is shown, which one is
// compared with.
#pragma once

#include <QAbstractListModel>
#include <QImage>
#include <QString>

#include <memory>
#include <vector>

#include "engine/recon/run/reconstruction.h"

namespace spokelab {

struct HistoryEntry {
  int id = 0;
  QString scan;  // its name
  std::shared_ptr<const Reconstruction> result;
  std::weak_ptr<const Scan> source{};  // the scan itself, while it is open
  QString name{};                      // given by the user; empty: see titleOf()
  QImage picture{};                    // made by the model
  // The result's plan as the job timed it, a single candidate; null: not known.
  std::shared_ptr<const TuneResult> timed{};
};

// The name that the user gave, else one that says what the result was made with.
QString titleOf(const HistoryEntry& entry);

enum HistoryRole { ResultIdRole = Qt::UserRole + 100 };

class HistoryModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  void add(
      const HistoryEntry& entry);  // a full history drops the oldest entry that is not shown or reference
  // newest first; none of them is shown or reference
  void setEntries(std::vector<HistoryEntry> entries);
  // Returns the removed entries. If the shown result or the reference is among them, the caller
  // chooses another one.
  std::vector<HistoryEntry> remove(const std::vector<int>& ids);
  void putBack(const std::vector<HistoryEntry>& removed);  // at their places
  void rename(int id, const QString& name);                // empty: the name it was made with
  void setShown(int id);                                   // 0: none
  void setReference(int id);                               // 0: none
  // Normalised root mean square difference of the shown result to the reference, or negative.
  void setDifference(double difference);

  const HistoryEntry* find(int id) const;
  const std::vector<HistoryEntry>& entries() const { return entries_; }  // newest first
  const HistoryEntry* newest() const { return entries_.empty() ? nullptr : &entries_.front(); }
  int shown() const { return shown_; }
  int reference() const { return reference_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;  // its name
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void renamed(int id, const QString& before, const QString& now);

 private:
  void insert(int row, HistoryEntry entry);
  void erase(int row);
  QString smallPrint(const HistoryEntry& entry) const;
  void changed();

  std::vector<HistoryEntry> entries_;
  int shown_ = 0, reference_ = 0;
  double difference_ = -1;
};

}  // namespace spokelab
