// The sequential maps rise evenly, the phase map closes at +-pi, and values that are not numbers
// have a separate colour.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <QTest>

#include "tests/test_main.h"
#include "widgets/core/colour_map.h"
#include "widgets/core/screen_theme.h"

namespace test_colour_maps {

using namespace spokelab;

namespace {

struct Lab {
  double lightness, a, b;
};

double decoded(int v) {
  const double s = v / 255.0;
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

// sRGB to OKLab, the other way round than the maps are made.
Lab lab(QRgb c) {
  const double r = decoded(qRed(c)), g = decoded(qGreen(c)), b = decoded(qBlue(c));
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double difference(QRgb x, QRgb y) {
  const Lab p = lab(x), q = lab(y);
  return std::hypot(p.lightness - q.lightness, p.a - q.a, p.b - q.b);
}

constexpr double pi = std::numbers::pi;

// The colours seen by people without the cones for red (protanopia) or green (deuteranopia).
// Source: G. Machado, M. Oliveira, L. Fernandes, "A physiologically-based model for simulation of
// color vision deficiency", 2009, severity 1.
using Cones = std::array<std::array<double, 3>, 3>;
constexpr Cones protan = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Cones deutan = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

QRgb seenBy(const Cones& cones, QRgb c) {
  const std::array<double, 3> light = {decoded(qRed(c)), decoded(qGreen(c)), decoded(qBlue(c))};
  std::array<int, 3> seen{};
  for (std::size_t i = 0; i < 3; ++i) {
    double v = 0;
    for (std::size_t j = 0; j < 3; ++j) v += cones[i][j] * light[j];
    v = std::clamp(v, 0.0, 1.0);
    seen[i] = int(std::lround(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055)));
  }
  return qRgb(seen[0], seen[1], seen[2]);
}

// The least difference of two phases that are a quarter of a turn apart or more.
double leastPhaseDifference(const Cones& cones) {
  constexpr int phases = 64;
  double least = 1;
  for (int i = 0; i < phases; ++i)
    for (int apart = phases / 4; apart <= phases / 2; ++apart) {
      const auto colour = [&](int place) {
        return seenBy(cones, ColourMap::phaseColour(2 * pi * place / phases));
      };
      least = std::min(least, difference(colour(i), colour(i + apart)));
    }
  return least;
}

}  // namespace

class TestColourMaps : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void greyIsTheDefaultAndRunsFromBlackToWhite() {
    const ColourMap& grey = ColourMap::sequential(QStringLiteral("no such map"));
    QCOMPARE(grey.name(), QStringLiteral("grey"));
    QCOMPARE(grey.size(), 256);
    for (int i = 0; i < 256; ++i) QCOMPARE(grey.entry(i), qRgb(i, i, i));
    QCOMPARE(grey.at(-3), qRgb(0, 0, 0));
    QCOMPARE(grey.at(7), qRgb(255, 255, 255));
    QCOMPARE(ColourMap::sequential(QStringLiteral("grey-inverted")).at(0), qRgb(255, 255, 255));
  }

  void colouredMapsRiseEvenlyInLightness_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("lagoon") << "lagoon";
    QTest::newRow("ember") << "ember";
    QTest::newRow("dusk") << "dusk";
  }
  void colouredMapsRiseEvenlyInLightness() {
    QFETCH(QString, name);
    const ColourMap& map = ColourMap::sequential(name);
    QCOMPARE(map.name(), name);
    QCOMPARE(map.size(), 256);
    const double first = lab(map.entry(0)).lightness, last = lab(map.entry(255)).lightness;
    QVERIFY(last - first > 0.7);
    constexpr double rounding = 0.02;  // of 8 bits a channel, largest near black
    for (int i = 0; i < 256; ++i) {
      const double expected = first + (last - first) * i / 255;
      QVERIFY2(std::abs(lab(map.entry(i)).lightness - expected) < rounding, qPrintable(QString::number(i)));
    }
    for (int i = 16; i < 256; i += 16)  // no step of 16 entries is more than 2.5 times the mean
      QVERIFY(difference(map.entry(i), map.entry(i - 16)) < 2.5 / 16 * 1.2);
  }

  // Equal steps of the value stay visible steps, and dusk looks nearly the same to all.
  void sequentialMapsAreReadWithoutRedAndGreen() {
    for (const char* name : {"lagoon", "ember", "dusk"}) {
      const ColourMap& map = ColourMap::sequential(QString::fromLatin1(name));
      for (const Cones& cones : {protan, deutan})
        for (int i = 16; i < 256; i += 16) {
          const QRgb seen = seenBy(cones, map.entry(i)), before = seenBy(cones, map.entry(i - 16));
          QVERIFY2(lab(seen).lightness > lab(before).lightness, name);
          QVERIFY2(difference(seen, before) > 0.02, name);
        }
    }
    const ColourMap& dusk = ColourMap::sequential(QStringLiteral("dusk"));
    for (const Cones& cones : {protan, deutan})
      for (int i = 0; i < 256; ++i) QVERIFY(difference(dusk.entry(i), seenBy(cones, dusk.entry(i))) < 0.05);
  }

  void phaseIsReadWithoutRedAndGreenWhereThatIsChosen() {
    for (const Cones& cones : {protan, deutan}) {
      setPhaseAvoidsRedAndGreen(true);
      QVERIFY(leastPhaseDifference(cones) > 0.1);
      QCOMPARE(ColourMap::phaseColour(-pi), ColourMap::phaseColour(pi));
      setPhaseAvoidsRedAndGreen(false);
      QVERIFY(leastPhaseDifference(cones) < 0.07);  // of all hues: the reason for the other one
    }
  }

  void phaseIsCyclicAndEven() {
    const ColourMap& map = ColourMap::phase();
    QCOMPARE(map.size(), 1024);
    QCOMPARE(ColourMap::phaseColour(-pi), ColourMap::phaseColour(pi));
    QCOMPARE(ColourMap::phaseColour(0.3), ColourMap::phaseColour(0.3 + 4 * pi));
    std::set<QRgb> different;
    double smallest = 1, largest = 0;
    constexpr int step = 32;
    for (int i = 0; i < 1024; i += step) {
      // also across the seam
      const double d = difference(map.entry(i), map.entry((i + step) % 1024));
      smallest = std::min(smallest, d);
      largest = std::max(largest, d);
      QVERIFY(std::abs(lab(map.entry(i)).lightness - 0.76) < 0.01);
      different.insert(map.entry(i));
    }
    QVERIFY2(largest < 1.35 * smallest, qPrintable(QStringLiteral("%1 %2").arg(smallest).arg(largest)));
    QCOMPARE(int(different.size()), 1024 / step);
    const double seam = difference(ColourMap::phaseColour(-pi + 1e-3), ColourMap::phaseColour(pi - 1e-3));
    QVERIFY(seam < 0.01);
    QVERIFY(difference(ColourMap::phaseColour(0), ColourMap::phaseColour(pi)) > 0.2);
  }

  void complexIsPhaseTimesBrightness() {
    QCOMPARE(ColourMap::complexColour(1, 0), qRgb(0, 0, 0));
    QCOMPARE(ColourMap::complexColour(1, 1), ColourMap::phaseColour(1));
    QCOMPARE(ColourMap::complexColour(1, 5), ColourMap::phaseColour(1));
    QVERIFY(qGreen(ColourMap::complexColour(1, 0.5)) < qGreen(ColourMap::phaseColour(1)));
  }

  void whatIsNotANumberIsNotInTheMap() {
    for (const QString& name : ColourMap::sequentialNames()) {
      const ColourMap& map = ColourMap::sequential(name);
      for (int i = 0; i < map.size(); ++i)
        QVERIFY(difference(map.entry(i), ColourMap::invalidColour(DisplayMode::magnitude)) > 0.1);
    }
    for (int i = 0; i < ColourMap::phaseSize; ++i)
      QVERIFY(difference(ColourMap::phase().entry(i), ColourMap::invalidColour(DisplayMode::phase)) > 0.1);
  }

  void legendsShowTheirMap() {
    const QImage grey = ColourMap::legend(DisplayMode::magnitude, ColourMap::sequential("grey"), {256, 2});
    QCOMPARE(grey.pixel(0, 0), qRgb(0, 0, 0));
    QCOMPARE(grey.pixel(255, 1), qRgb(255, 255, 255));
    const QImage phase = ColourMap::legend(DisplayMode::phase, ColourMap::sequential("grey"), {101, 1});
    QCOMPARE(phase.pixel(0, 0), phase.pixel(100, 0));
    QCOMPARE(phase.pixel(50, 0), ColourMap::phaseColour(0));
    const QImage complex = ColourMap::legend(DisplayMode::complex, ColourMap::sequential("grey"), {11, 11});
    QCOMPARE(complex.pixel(3, 10), qRgb(0, 0, 0));
    QCOMPARE(complex.pixel(5, 0), ColourMap::phaseColour(0));
  }
};

SPOKELAB_CORE_TEST(TestColourMaps)

}  // namespace test_colour_maps

#include "test_colour_maps.moc"
