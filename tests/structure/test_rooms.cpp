// The rooms inside the folders keep their arrows, without circles; and the checks find what breaks
// them.
#include <QtTest>

#include "tests/structure/planted.h"
#include "tests/structure/room_rules.h"
#include "tests/test_main.h"

namespace test_rooms {

using namespace spokelab::structure;

namespace {

// A header in a room of the area.
std::string headerIn(const std::string& area, const std::string& room) {
  if (room == ".") return area + "/root.h";
  return area + "/" + room + (room.ends_with(".h") ? "" : "/one.h");
}

// Number of the source's includes that the area's table forbids. A folder may be a room and an area
// at once.
int forbidden(const std::string& area, const Source& source) {
  int count = 0;
  for (const std::string& message : checkRooms({source})) {
    const std::size_t why = message.find(": " + area + "/");
    count += why != std::string::npos && message.find(" may not include ", why) != std::string::npos;
  }
  return count;
}

}  // namespace

class TestRooms : public QObject {
  Q_OBJECT

 private slots:
  void theTreeKeepsItsRooms() {
    const auto sources = readSources(SPOKELAB_SOURCE_DIR);
    QVERIFY2(!sources.empty(), "no sources were read");
    const auto violations = checkRooms(sources);
    QVERIFY2(violations.empty(), qPrintable(joined(violations)));
  }

  void theTreeHasNoCircles() {
    const auto circles = findCircles(readSources(SPOKELAB_SOURCE_DIR));
    QVERIFY2(circles.empty(), qPrintable(joined(circles)));
  }

  void anArrowCountsInItsDirectionOnly_data() {
    QTest::addColumn<std::string>("area");
    QTest::addColumn<std::string>("above");
    QTest::addColumn<std::string>("below");
    for (const Area& area : areas())
      for (const Room& room : area.rooms)
        for (const std::string& used : room.uses)
          QTest::addRow("%s: %s to %s", area.folder.c_str(), room.name.c_str(), used.c_str())
              << area.folder << room.name << used;
  }

  void anArrowCountsInItsDirectionOnly() {
    QFETCH(std::string, area);
    QFETCH(std::string, above);
    QFETCH(std::string, below);
    const std::string upper = headerIn(area, above), lower = headerIn(area, below);
    QCOMPARE(forbidden(area, planted(upper, {lower})), 0);
    QCOMPARE(forbidden(area, planted(lower, {upper})), 1);
  }

  void roomsWithoutAnArrowDoNotMeet_data() {
    QTest::addColumn<std::string>("from");
    QTest::addColumn<std::string>("to");
    const auto row = [](const char* from, const char* to) {
      QTest::addRow("%s: %s", from, to) << std::string(from) << std::string(to);
    };
    row("engine/nufft/spread/a.cpp", "engine/nufft/fft/b.h");
    row("engine/nufft/exact/a.cpp", "engine/nufft/spread/b.h");
    row("engine/nufft/points/a.cpp", "engine/nufft/nufft.h");
    row("engine/nufft/kernel/a.cpp", "engine/nufft/plan/b.h");
    row("engine/scan/formats/images/a.cpp", "engine/scan/simulate/b.h");
    row("engine/scan/scan.cpp", "engine/scan/formats/b.h");
    row("engine/nufft/plugin/a.cpp", "engine/nufft/plan/b.h");
    row("engine/recon/coils/a.cpp", "engine/recon/sense/backend.h");
    row("engine/profile/baseline/a.cpp", "engine/profile/study/b.h");
    row("cuda/nufft/plan/a.cpp", "cuda/recon/sense/b.h");
    row("cuda/recon/field/a.cu", "cuda/recon/coils/b.h");
    row("widgets/image/slice/a.cpp", "widgets/recon/jobs/b.h");
    row("app/gui/session/a.cpp", "app/gui/features/scan/b.h");
  }

  void roomsWithoutAnArrowDoNotMeet() {
    QFETCH(std::string, from);
    QFETCH(std::string, to);
    QCOMPARE(checkRooms({planted(from, {to})}).size(), std::size_t(1));
  }

  void aRoomThatTheTableDoesNotKnowIsNamed() {
    QCOMPARE(joined(checkRooms({planted("engine/nufft/attic/a.cpp")})),
             QString("engine/nufft/attic/a.cpp: the table of rooms has no engine/nufft/attic"));
  }

  void aCircleIsFound() {
    const Source up = planted("engine/core/memory/a.h", {"engine/core/simd/b.h"});
    const Source round = planted("engine/core/simd/b.h", {"engine/core/text/c.h"});
    QVERIFY(findCircles({up, round}).empty());
    const Source back = planted("engine/core/text/d.cpp", {"engine/core/memory/e.h"});
    QCOMPARE(joined(findCircles({up, round, back})),
             QString("engine/core: memory -> simd -> text -> memory"));
    const Source top = planted("engine/recon/a.h", {"engine/profile/b.h"});
    const Source topBack = planted("engine/profile/c.h", {"engine/recon/d.h"});
    QCOMPARE(joined(findCircles({top, topBack})), QString("engine: profile -> recon -> profile"));
  }
};

SPOKELAB_TEST(TestRooms)

}  // namespace test_rooms

#include "test_rooms.moc"
