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
// Rank 0 gets the texts of all ranks, in their order; the others get nothing.
std::vector<std::string> gatherTexts(Ranks& ranks, const std::string& text, const Progress& progress);

// The message that a rank wrote. Throws Error where another program wrote it.
nlohmann::json rankMessage(const std::string& text);
// The same as bytes (CBOR), far faster to write and read: for many numbers.
std::string packedMessage(const nlohmann::json& message);
nlohmann::json unpackedMessage(const std::string& bytes);

// Takes parts of an image to rank 0. parts[r]: the frames or slices (`ofFrames`) of the whole image
// that rank r has, in its order; `image`: of this rank, on rank 0 replaced by the whole.
void gatherImage(Ranks& ranks, const std::vector<std::vector<int>>& parts, bool ofFrames,
                 std::shared_ptr<const Image>& image, const Progress& progress);

// Combines the ranks' coils (root sum of squares) into the image of all, on rank 0.
void combineOverRanks(Ranks& ranks, Image& image, const Progress& progress);

// Adds the images of all ranks, each zero outside its own slabs, into the whole image, on rank 0.
void sumOverRanks(Ranks& ranks, Image& image, const Progress& progress);

}  // namespace spokelab
