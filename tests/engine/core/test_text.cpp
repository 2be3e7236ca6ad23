// Numbers, sizes, bytes and times read the same in every locale, and a shell reads quoted words
// back.
#include <QtTest>

#include <clocale>
#include <cmath>
#include <cstdio>

#include "engine/core/array.h"
#include "engine/core/text.h"
#include "tests/comma_locale.h"
#include "tests/test_main.h"

namespace test_text {

using namespace spokelab;

namespace {

std::string printed(const char* format, int digits, double value) {
  char text[512];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

}  // namespace

class TextTest : public QObject {
  Q_OBJECT

 private slots:
  void numbersReadAsPrintfWritesThem();
  void numbersDoNotDependOnTheLocale();
  void exactNumbersReadBack();
  void sizesAndShapesAreJoined();
  void bytesChooseTheirUnit();
  void secondsChooseTheirUnit();
  void countsKnowTheirPlural();
  void columnsAreFilled();
  void wordsForAShellAreQuotedWhereNeeded();
  void aMistypedNameHasItsNearest();
};

void TextTest::numbersReadAsPrintfWritesThem() {
  for (const double value :
       {0.0, -0.0, 1.0, 1.25, 0.1, 7.1e-6, 123456.0, 1e300, 5e-324, -3.5, 2.5, 1 / 3.0, HUGE_VAL, -HUGE_VAL})
    for (const int digits : {0, 1, 2, 3, 4, 5, 9}) {
      QCOMPARE(numberText(value, digits), printed("%.*g", digits, value));
      QCOMPARE(fixedText(value, digits), printed("%.*f", digits, value));
      QCOMPARE(scientificText(value, digits), printed("%.*e", digits, value));
    }
  QCOMPARE(numberText(1.25), std::string("1.25"));
  QCOMPARE(numberText(7.1e-6), std::string("7.1e-06"));
  QCOMPARE(numberText(std::nan("")), std::string("nan"));
  QCOMPARE(percentText(0.125, 1), std::string("12.5%"));
  QCOMPARE(hashText(0xcbf29ce484222325), std::string("cbf29ce484222325"));
  QCOMPARE(hashText(1), std::string("0000000000000001"));
}

void TextTest::numbersDoNotDependOnTheLocale() {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  const bool found = test::takeCommaLocale();
  const std::string half = numberText(0.5), fixed = fixedText(0.5, 2), exact = exactNumberText(0.5);
  const double read = leadingNumber(" 2.5 mm");
  std::setlocale(LC_ALL, before.c_str());
  QCOMPARE(half, std::string("0.5"));
  QCOMPARE(fixed, std::string("0.50"));
  QCOMPARE(exact, std::string("0.5"));
  QCOMPARE(read, 2.5);
  if (!found) QSKIP("no locale with a decimal comma can be made: install the package locales");
}

void TextTest::exactNumbersReadBack() {
  for (const double value : {0.1, 1 / 3.0, 1e-300, 12345678.9, 2.0})
    QCOMPARE(std::stod(exactNumberText(value)), value);
  QCOMPARE(exactNumberText(2), std::string("2"));
}

void TextTest::sizesAndShapesAreJoined() {
  QCOMPARE(sizeText(Index3{256, 128, 1}, 2), std::string("256x128"));
  QCOMPARE(sizeText(Index3{256, 128, 64}, 3, " x "), std::string("256 x 128 x 64"));
  QCOMPARE(shapeText({4, 4894}), std::string("4 x 4894"));
  QCOMPARE(shapeText({}), std::string("1"));
  QCOMPARE(dimensions(Index3{256, 1, 1}), 1);
  QCOMPARE(dimensions(Index3{256, 256, 1}), 2);
  QCOMPARE(dimensions(Index3{256, 1, 4}), 3);
  QCOMPARE(joined({"a", "b"}), std::string("a, b"));
  QCOMPARE(joined({}), std::string());
}

void TextTest::bytesChooseTheirUnit() {
  QCOMPARE(bytesText(0), std::string("0 bytes"));
  QCOMPARE(bytesText(999), std::string("999 bytes"));
  QCOMPARE(bytesText(3.4e9), std::string("3.4 GB"));
  QCOMPARE(bytesText(12e6), std::string("12 MB"));
  QCOMPARE(megabytesText(12000001), std::string("13 MB"));
}

void TextTest::secondsChooseTheirUnit() {
  QCOMPARE(secondsText(4.214), std::string("4.21 s"));
  QCOMPARE(secondsText(0.0132), std::string("13.2 ms"));
  QCOMPARE(secondsText(2e-6), std::string("2 us"));
  QCOMPARE(secondsText(2e-6, 3, "µs"), std::string("2 µs"));
  QCOMPARE(millisecondsText(1.5), std::string("1500 ms"));  // a time is never 1.5e+03
  QCOMPARE(millisecondsText(0.1234, 2), std::string("123 ms"));
  QCOMPARE(secondsText(12345.6), std::string("12346 s"));
  QCOMPARE(secondsText(0.9996), std::string("1000 ms"));
}

void TextTest::countsKnowTheirPlural() {
  QCOMPARE(countText(1, "shot"), std::string("1 shot"));
  QCOMPARE(countText(0, "shot"), std::string("0 shots"));
  QCOMPARE(countText(3, "entry", "entries"), std::string("3 entries"));
}

void TextTest::columnsAreFilled() {
  QCOMPARE(rightAligned("ab", 4), std::string("  ab"));
  QCOMPARE(rightAligned("7", 3, '0'), std::string("007"));
  QCOMPARE(leftAligned("ab", 4), std::string("ab  "));
  QCOMPARE(leftAligned("abcde", 4), std::string("abcde"));
  QCOMPARE(fixedText(1.5, 2, 6), std::string("  1.50"));
}

void TextTest::wordsForAShellAreQuotedWhereNeeded() {
  QCOMPARE(shellWord("k-unit=1/m"), std::string("k-unit=1/m"));
  QCOMPARE(shellWord(""), std::string("''"));
  QCOMPARE(shellWord("my scan.h5"), std::string("'my scan.h5'"));
  QCOMPARE(shellWord("it's"), std::string("'it'\\''s'"));
  QCOMPARE(shellWord("$HOME"), std::string("'$HOME'"));
}

void TextTest::aMistypedNameHasItsNearest() {
  const std::vector<std::string> names{"accuracy", "alpha", "axis-alpha", "width", "reconstruct"};
  const auto nearest = [&](const char* word) { return nearestName(word, names); };
  QCOMPARE(nearest("accuraccy"), std::string("accuracy"));
  QCOMPARE(nearest("aplha"), std::string("alpha"));  // swapped
  QCOMPARE(nearest("WIDHT"), std::string("width"));  // in capitals, too
  QCOMPARE(nearest("recon"), std::string("reconstruct"));
  QCOMPARE(nearest("alpha"), std::string("alpha"));
  for (const char* far : {"", "eps", "kernel", "x", "accident"}) QCOMPARE(nearest(far), std::string());
  QCOMPARE(didYouMean("witdh", names), std::string("Did you mean 'width'? "));
  QCOMPARE(didYouMean("zzz", names), std::string());
}

SPOKELAB_TEST(TextTest)

}  // namespace test_text

#include "test_text.moc"
