// Texts and images between ranks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Rank 0's, to all.
void broadcastText(Ranks& ranks, std::string& text, const Progress& progress);
// Of all ranks, to rank 0, in their order; the others get nothing.
std::vector<std::string> gatherTexts(Ranks& ranks, const std::string& text, const Progress& progress);

// What a rank wrote. Throws Error where another program did.
nlohmann::json rankMessage(const std::string& text);
// The same as bytes (CBOR), which take a fraction of the time to write and to read: for many numbers.
std::string packedMessage(const nlohmann::json& message);
nlohmann::json unpackedMessage(const std::string& bytes);

// Takes parts of an image to rank 0. parts[r]: the frames or slices (`ofFrames`) of the whole image
// that rank r has, in its order; `image`: of this rank, on rank 0 replaced by the whole.
void gatherImage(Ranks& ranks, const std::vector<std::vector<int>>& parts, bool ofFrames,
                 std::shared_ptr<const Image>& image, const Progress& progress);

// Images of own coils (root sum of squares) to that of all, on rank 0.
void combineOverRanks(Ranks& ranks, Image& image, const Progress& progress);

// Images that are zero but for own slabs to that of all, on rank 0.
void sumOverRanks(Ranks& ranks, Image& image, const Progress& progress);

}  // namespace spokelab
