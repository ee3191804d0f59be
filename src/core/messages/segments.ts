/**
 * How many short messages a text takes: one of 160 septets where the GSM 7-bit default alphabet has all its characters
 * (3GPP TS 23.038, section 6.2.1), else one of 70 units of UCS-2; as parts of a longer one 153 or 67 (3GPP TS 23.040,
 * section 9.2.3.24.1). No character is split between two parts, nor is what a reader sees as one, such as a flag.
 */
export function countSegments(text: string): number {
  const isShort = isGsm(text)
  const lengths = isShort ? [...text].map(septetsOf) : graphemeLengths(text, 67)
  const { single, part } = isShort ? { single: 160, part: 153 } : { single: 70, part: 67 }
  if (lengths.reduce((sum, length) => sum + length, 0) <= single) return 1
  return partsOf(lengths, part)
}

/** Whether the GSM 7-bit default alphabet has all characters of a text. */
export const isGsm = (text: string) => [...text].every((character) => septetsOf(character) > 0)

/** Parts of `most` that take items of these lengths in their order, none of them divided. */
function partsOf(lengths: number[], most: number): number {
  let parts = 1
  let used = 0
  for (const length of lengths) {
    used += length
    if (used <= most) continue
    parts++
    used = length
  }
  return parts
}

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** After an escape (section 6.2.1.1). */
const extended = new Set('\f^{}\\[~]|€')

/** 0 where the alphabet does not have the character. */
const septetsOf = (character: string) => (basic.has(character) ? 1 : extended.has(character) ? 2 : 0)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** UTF-16 units of each grapheme cluster (UAX #29). One that is longer than a part can only be split between its characters. */
function graphemeLengths(text: string, part: number): number[] {
  const clusters = [...graphemes.segment(text)].map(({ segment }) => segment)
  return clusters.flatMap((cluster) =>
    cluster.length <= part ? cluster.length : [...cluster].map((character) => character.length),
  )
}
