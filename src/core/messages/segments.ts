/**
 * The number of SMS segments of a text. A segment holds 160 septets if all characters are in the GSM 7-bit default alphabet
 * (3GPP TS 23.038, section 6.2.1), else 70 UTF-16 units (UCS-2). In a text of several segments it holds 153 septets or 67 units
 * (3GPP TS 23.040, section 9.2.3.24.1). No grapheme cluster, such as a flag, is split.
 */
export function countSegments(text: string): number {
  const isShort = isGsm(text)
  const lengths = isShort ? [...text].map(septetsOf) : graphemeLengths(text, 67)
  const { single, part } = isShort ? { single: 160, part: 153 } : { single: 70, part: 67 }
  if (lengths.reduce((sum, length) => sum + length, 0) <= single) return 1
  return partsOf(lengths, part)
}

/** Whether all characters of a text are in the GSM 7-bit default alphabet. */
export const isGsm = (text: string) => [...text].every((character) => septetsOf(character) > 0)

/** The number of segments of `maxLength` that hold items of these lengths in order, without splitting an item. */
function partsOf(lengths: number[], maxLength: number): number {
  let parts = 1
  let used = 0
  for (const length of lengths) {
    used += length
    if (used <= maxLength) continue
    parts++
    used = length
  }
  return parts
}

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Characters of the GSM extension table, which take two septets: an escape and the character (section 6.2.1.1). */
const extended = new Set('\f^{}\\[~]|€')

/** The septets of a character; 0 if it is not in the alphabet. */
const septetsOf = (character: string) => (basic.has(character) ? 1 : extended.has(character) ? 2 : 0)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The length of each grapheme cluster (UAX #29) in UTF-16 units, since a segment must not split one. A cluster longer
 * than a segment is split between its characters.
 */
function graphemeLengths(text: string, part: number): number[] {
  const clusters = [...graphemes.segment(text)].map(({ segment }) => segment)
  return clusters.flatMap((cluster) =>
    cluster.length <= part ? cluster.length : [...cluster].map((character) => character.length),
  )
}
