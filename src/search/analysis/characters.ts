/** What a character is to segmentation, as a number. */
export const kinds = {
  /** Not looked at yet: what an empty table is full of. */
  unknown: 0,
  /** Ends words. */
  gap: 1,
  /** A letter or digit. */
  letter: 2,
  /** Goes on with what stands before it. */
  mark: 3,
  /** Chinese or Japanese, which is searched by pairs. */
  ideograph: 4,
  /** Of a script that is written without spaces, whose words a dictionary knows. */
  unspaced: 5,
  emoji: 6,
  /** Belongs to the word when there are letters on both sides. */
  apostrophe: 7,
  /** Half of a character outside the basic plane, or half of none. */
  surrogate: 8,
}

/** The kind of the UTF-16 unit; `surrogate` for both halves of a pair. */
export const kindOfUnit = (unit: number): number => {
  const known = table[unit]
  if (known) return known
  const found = unit >= 0xd800 && unit <= 0xdfff ? kinds.surrogate : kindOf(String.fromCharCode(unit))
  table[unit] = found
  return found
}

/** The kind of a character outside the basic plane. */
export const kindOfPair = (text: string, at: number) => kindOf(String.fromCodePoint(text.codePointAt(at) ?? 0))

/** Filled as characters are met: to classify all of them at the start takes longer than a cold start may. */
const table = new Uint8Array(0x10000)

const kindOf = (character: string): number => {
  if (apostrophes.test(character)) return kinds.apostrophe
  if (marks.test(character)) return kinds.mark
  if (emoji.test(character)) return kinds.emoji
  if (!letters.test(character)) return kinds.gap
  if (ideographs.test(character)) return kinds.ideograph
  return unspaced.test(character) ? kinds.unspaced : kinds.letter
}

/** With the Hebrew geresh and gershayim, and the Catalan middle dot. */
const apostrophes = /['’‘＇\u05f3\u05f4·]/
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
/**
 * Soft hyphens and joiners too, and the half-width voicing marks, which are letters to Unicode; but not the space of no
 * width, which is there to part words.
 */
const marks = /(?!\u200b)[\p{M}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\uff9e\uff9f]/u
const letters = /[\p{L}\p{N}\p{Alphabetic}]/u
const ideographs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
