// Classifies characters for the tokenizer: letter, mark, ideograph, emoji and others, from a table that is filled on demand.

/** Classes of characters. */
export const kinds = {
  /** Not classified yet: the initial value of the table. */
  unknown: 0,
  /** Separates words. */
  gap: 1,
  /** A letter or digit. */
  letter: 2,
  /** Combines with the character before it. */
  mark: 3,
  /** Chinese or Japanese, which is indexed as pairs of characters. */
  ideograph: 4,
  /** A script without spaces, whose words a dictionary knows: Thai, Lao, Khmer, Burmese. */
  unspaced: 5,
  emoji: 6,
  /** Belongs to a word if letters are on both sides. */
  apostrophe: 7,
  /** Half of a character outside the basic multilingual plane, or a lone half. */
  surrogate: 8,
}

/** The kind of a UTF-16 unit; `surrogate` for both halves of a pair. */
export const kindOfUnit = (unit: number): number => {
  const known = table[unit]
  if (known) return known
  const found = unit >= 0xd800 && unit <= 0xdfff ? kinds.surrogate : kindOf(String.fromCharCode(unit))
  table[unit] = found
  return found
}

/** The kind of a character outside the basic multilingual plane. */
export const kindOfPair = (text: string, at: number) => kindOf(String.fromCodePoint(text.codePointAt(at) ?? 0))

/** Filled on demand: classifying all characters at start would slow down a cold start. */
const table = new Uint8Array(0x10000)

const kindOf = (character: string): number => {
  if (apostrophes.test(character)) return kinds.apostrophe
  if (marks.test(character)) return kinds.mark
  if (emoji.test(character)) return kinds.emoji
  if (!letters.test(character)) return kinds.gap
  if (ideographs.test(character)) return kinds.ideograph
  return unspaced.test(character) ? kinds.unspaced : kinds.letter
}

/** Includes the Hebrew geresh and gershayim, and the Catalan middle dot. */
const apostrophes = /['’‘＇\u05f3\u05f4·]/
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
/**
 * Includes soft hyphens, joiners and the half-width voicing marks, which are letters in Unicode; excludes the zero width space,
 * which separates words.
 */
const marks = /(?!\u200b)[\p{M}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\uff9e\uff9f]/u
const letters = /[\p{L}\p{N}\p{Alphabetic}]/u
const ideographs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
