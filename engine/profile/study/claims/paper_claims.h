// The claims of each paper. Internal to the claims.
#pragma once

#include "engine/profile/study/claims/claims.h"

namespace spokelab {

std::vector<Claim> gnufftwClaims();
std::vector<Claim> cufinufftClaims();
std::vector<Claim> nfftJlClaims();
std::vector<Claim> multicoreClaims();

std::vector<PrintedNumber> gnufftwNumbers();

}  // namespace spokelab
