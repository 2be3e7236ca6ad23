#include "engine/recon/ranks/rank_messages.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr const char *misunderstood = "The ranks do not understand each other",
                     *remedy = "Start the same program on all";

// Slices of a frame, or frames, that lie side by side in an image.
struct Piece {
  std::int64_t first, count;
};

// Pieces of the whole image that `numbers` name, neighbours joined. inPart: places in the rank's.
std::vector<Piece> piecesOf(const Image& image, const std::vector<int>& numbers, bool ofFrames, bool inPart) {
  const std::int64_t unit = ofFrames ? image.volume() : image.size[0] * image.size[1];
  std::vector<Piece> runs;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && numbers[i] == numbers[i - 1] + 1)
      runs.back().count += unit;
    else
      runs.push_back({(inPart ? std::int64_t(i) : numbers[i]) * unit, unit});
  }
  if (ofFrames) return runs;
  std::vector<Piece> pieces;
  for (int f = 0; f < image.frames; ++f)
    for (const Piece& run : runs) pieces.push_back({f * image.volume() + run.first, run.count});
  return pieces;
}

// Room for the whole, described as the part is.
std::shared_ptr<Image> wholeOf(const Image& part, int frames, std::int64_t slices) {
  auto joined = std::make_shared<Image>();
  joined->frames = frames;
  joined->size = part.size;
  if (slices > 0) joined->size[2] = slices;
  joined->geometry = part.geometry;
  joined->name = part.name;
  joined->provenance = part.provenance;
  joined->makeRoom(part.isDouble(), "Cannot put the ranks' images together",
                   "Choose fewer frames, or a smaller matrix");
  return joined;
}

template <class Complex>
void takePieces(Ranks& ranks, int from, Complex* whole, const Complex* part, const std::vector<Piece>& to,
                const std::vector<Piece>& have, const Progress& progress) {
  constexpr std::int64_t pixelsPerTask = 1 << 18;
  for (std::size_t i = 0; i < to.size(); ++i) {
    Complex* const place = whole + to[i].first;
    if (from != 0) {
      ranks.receive(place, std::size_t(to[i].count) * sizeof(Complex), from, progress);
      continue;
    }
    parallelFor(to[i].count, 0, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      std::copy(part + have[i].first + begin, part + have[i].first + end, place + begin);
    });
  }
}

}  // namespace

void broadcastText(Ranks& ranks, std::string& text, const Progress& progress) {
  std::uint64_t size = text.size();
  ranks.broadcast(&size, sizeof size, progress);
  text.resize(size);
  ranks.broadcast(text.data(), size, progress);
}

std::vector<std::string> gatherTexts(Ranks& ranks, const std::string& text, const Progress& progress) {
  if (!ranks.isFirst()) {
    const std::uint64_t size = text.size();
    ranks.send(&size, sizeof size, 0, progress);
    ranks.send(text.data(), size, 0, progress);
    return {};
  }
  std::vector<std::string> texts = {text};
  for (int r = 1; r < ranks.size(); ++r) {
    std::uint64_t size = 0;
    ranks.receive(&size, sizeof size, r, progress);
    texts.emplace_back(size, ' ');
    ranks.receive(texts.back().data(), size, r, progress);
  }
  return texts;
}

nlohmann::json rankMessage(const std::string& text) {
  return parseDocument(text, misunderstood, remedy);
}

std::string packedMessage(const nlohmann::json& message) {
  std::string bytes;
  nlohmann::json::to_cbor(message, bytes);
  return bytes;
}

nlohmann::json unpackedMessage(const std::string& bytes) {
  nlohmann::json message = nlohmann::json::from_cbor(bytes, true, false);
  if (message.is_discarded()) throw Error(misunderstood, "a message is damaged", remedy);
  return message;
}

void gatherImage(Ranks& ranks, const std::vector<std::vector<int>>& parts, bool ofFrames,
                 std::shared_ptr<const Image>& image, const Progress& progress) {
  const Image& share = *image;
  const std::vector<Piece> have = piecesOf(share, parts[std::size_t(ranks.rank())], ofFrames, true);
  if (!ranks.isFirst()) {
    for (const Piece& piece : have) {
      const auto count = std::size_t(piece.count);
      if (share.isDouble())
        ranks.send(share.doubleData.data() + piece.first, count * sizeof(cdouble), 0, progress);
      else
        ranks.send(share.data.data() + piece.first, count * sizeof(cfloat), 0, progress);
    }
    return;
  }
  std::size_t all = 0;
  for (const std::vector<int>& part : parts) all += part.size();
  const auto whole = wholeOf(share, ofFrames ? int(all) : share.frames, ofFrames ? 0 : std::int64_t(all));
  for (int r = 0; r < ranks.size(); ++r) {
    const std::vector<Piece> to = piecesOf(*whole, parts[std::size_t(r)], ofFrames, false);
    if (share.isDouble())
      takePieces(ranks, r, whole->doubleData.data(), share.doubleData.data(), to, have, progress);
    else
      takePieces(ranks, r, whole->data.data(), share.data.data(), to, have, progress);
  }
  whole->settle();
  image = whole;
}

void combineOverRanks(Ranks& ranks, Image& image, const Progress& progress) {
  constexpr std::size_t atOnce = std::size_t{1} << 20;
  std::vector<double> squares(std::min(atOnce, image.data.size()));
  for (std::size_t first = 0; first < image.data.size(); first += atOnce) {
    const std::size_t count = std::min(atOnce, image.data.size() - first);
    for (std::size_t i = 0; i < count; ++i) squares[i] = std::norm(image.value(first + i));
    ranks.sum(squares.data(), count, progress);
    for (std::size_t i = 0; i < count; ++i) {
      const double root = std::sqrt(squares[i]);
      image.data[first + i] = cfloat(float(root));
      if (image.isDouble()) image.doubleData[first + i] = root;
    }
  }
}

void sumOverRanks(Ranks& ranks, Image& image, const Progress& progress) {
  ranks.sum(reinterpret_cast<float*>(image.data.data()), 2 * image.data.size(), progress);
  ranks.sum(reinterpret_cast<double*>(image.doubleData.data()), 2 * image.doubleData.size(), progress);
}

}  // namespace spokelab
