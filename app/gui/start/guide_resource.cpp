// The guide's pages and pictures as a part of the program: the assembler copies the file that rcc
// has made, and Qt finds them under ":/guide" before main() begins.
#include <QResource>

asm(R"(
  .pushsection .rodata
  .balign 16
  .globl spokelabGuide
  .hidden spokelabGuide
spokelabGuide:
  .incbin ")" SPOKELAB_GUIDE_FILE R"("
  .byte 0
  .popsection
)");

extern "C" const unsigned char spokelabGuide[];

namespace {

[[maybe_unused]] const bool guideIsKnown = QResource::registerResource(spokelabGuide);

}  // namespace
