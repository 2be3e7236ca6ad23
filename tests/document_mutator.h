// Damages documents at random: cut, changed, nested, with other values and parts twice.
#pragma once

#include <QByteArray>

#include <array>
#include <random>

namespace spokelab::test {

class DocumentMutator {
 public:
  explicit DocumentMutator(unsigned seed) : random_(seed) {}

  QByteArray operator()(QByteArray text) {
    for (int n = upTo(2); n >= 0; --n) change(text);
    return text;
  }

 private:
  int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  int place(const QByteArray& text) { return upTo(int(text.size())); }

  void change(QByteArray& text) {
    static const std::array<QByteArray, 12> pieces = {"null",     "[]",   "{}",   "-1",
                                                      "1e999",    "\"\"", "true", "9223372036854775808",
                                                      "\xff\xfe", ",",    "}",    "\"\\ud800\""};
    const int at = place(text);
    switch (upTo(6)) {
      case 0:
        text.truncate(at);
        break;
      case 1:
        if (at < text.size()) text[at] = char(upTo(255));
        break;
      case 2:
        text.insert(at, QByteArray(20'000, upTo(1) ? '[' : '{'));
        break;
      case 3:
        text.insert(at, pieces[std::size_t(upTo(int(pieces.size()) - 1))]);
        break;
      case 4:
        text.remove(at, upTo(60));
        break;
      case 5:
        text.insert(at, text.mid(place(text), upTo(300)));
        break;
      default:
        replaceValue(text, at, pieces[std::size_t(upTo(int(pieces.size()) - 1))]);
    }
  }

  // The value behind the next colon: still JSON, more often than not.
  static void replaceValue(QByteArray& text, int at, const QByteArray& by) {
    const auto colon = text.indexOf(": ", at);
    const auto end = colon < 0 ? -1 : text.indexOf(QByteArray(",\n"), colon);
    if (end > 0) text.replace(colon + 2, end - colon - 2, by);
  }

  std::mt19937 random_;
};

}  // namespace spokelab::test
