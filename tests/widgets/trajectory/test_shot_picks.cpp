// Picked shots are toggled and ranged, and samples that are left out lie behind the others.
#include <QTest>

#include "tests/test_main.h"
#include "widgets/trajectory/shot_picks.h"
#include "widgets/trajectory/trajectory_view.h"

namespace test_shot_picks {

using namespace spokelab;

class TestShotPicks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aClickPicksAControlClickTogglesAShiftClickPicksARange() {
    using Shots = std::vector<int>;
    Trajectory t;
    t.points.assign(10, 0.0);
    t.shotOffsets = {0, 1, 2, 3, 4, 5};
    ShotPicks picks;
    QCOMPARE(picks.pick(t, 1, PickMode::alone).value(), Shots({1}));
    picks.set({1});
    QCOMPARE(picks.pick(t, 3, PickMode::range).value(), Shots({1, 2, 3}));
    picks.set({1, 2, 3});
    QCOMPARE(picks.pick(t, 2, PickMode::toggle).value(), Shots({1, 3}));
    picks.set({2});
    QVERIFY(!picks.pick(t, 2, PickMode::toggle));  // none would be left
    picks.set({1, 2, 3, 4});
    QCOMPARE(picks.pick(t, 0, PickMode::toggle).value(), Shots());  // all
    picks.reset();
    QCOMPARE(picks.pick(t, 0, PickMode::toggle).value(), Shots({1, 2, 3, 4}));
  }

  // Samples that are left out are drawn grey, and hide nothing that is selected.
  void samplesLeftOutLieBehind() {
    TrajectoryView view;
    view.resize(300, 300);
    auto t = std::make_shared<Trajectory>();
    t->points = {5, 5, 5, 5, -5, 5};  // the second covers the first
    t->shotOffsets = {0, 1, 2, 3};
    view.setTrajectory(t, {32, 32, 1});
    QCOMPARE(view.sampleAt(view.project({5, 5, 0})).value_or(-1), 1);
    view.setSelection({0}, {1, 0, 0});
    QCOMPARE(view.sampleAt(view.project({5, 5, 0})).value_or(-1), 0);
    const QImage picture = view.grab().toImage();
    const QColor in = picture.pixel(view.project({5, 5, 0}).toPoint()),
                 out = picture.pixel(view.project({-5, 5, 0}).toPoint());
    QVERIFY(out.saturation() < 40 && out.value() > view.grab().toImage().pixelColor(150, 150).value());
    QVERIFY(in.value() > out.value());
    QVERIFY(view.isChosen(0) && !view.isChosen(1));
    view.setSelection({}, {});
    QCOMPARE(view.sampleAt(view.project({5, 5, 0})).value_or(-1), 1);
    // A selection of another trajectory is dropped.
    view.setSelection({0}, {1, 0});
    QVERIFY(view.isChosen(2));
  }
};

SPOKELAB_GUI_TEST(TestShotPicks)

}  // namespace test_shot_picks

#include "test_shot_picks.moc"
