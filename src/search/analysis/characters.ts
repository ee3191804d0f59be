// Classifies characters for the tokenizer, such as letters, marks, ideographs and emoji, with a table that is filled on demand.

/** The kinds of characters that the tokenizer distinguishes. */
export const kinds = {
  /** Initial value in the table: the character was not classified yet. */
  unknown: 0,
  /** A space or punctuation, which separates words. */
  gap: 1,
  /** A letter or digit. */
  letter: 2,
  /** A combining mark, which belongs to the character before it. */
  mark: 3,
  /** A Chinese or Japanese character. Texts of these are indexed as overlapping pairs, since they have no spaces. */
  ideograph: 4,
  /** A character of a script without spaces whose words a dictionary knows: Thai, Lao, Khmer, Burmese. */
  unspaced: 5,
  emoji: 6,
  /** An apostrophe, which belongs to a word if letters are on both sides. */
  apostrophe: 7,
  /** A surrogate: half of a character outside the basic multilingual plane, or a lone half. */
  surrogate: 8,
}

/** Returns the kind of a UTF-16 unit; `surrogate` for both halves of a pair. */
export const kindOfUnit = (unit: number): number => {
  const known = table[unit]
  if (known) return known
  const found = unit >= 0xd800 && unit <= 0xdfff ? kinds.surrogate : kindOf(String.fromCharCode(unit))
  table[unit] = found
  return found
}

/** Returns the kind of a character outside the basic multilingual plane. */
export const kindOfPair = (text: string, at: number) => kindOf(String.fromCodePoint(text.codePointAt(at) ?? 0))

/** Kinds by UTF-16 unit. Filled on demand, since classifying all characters at the start would slow down a cold start. */
const table = new Uint8Array(0x10000)

const kindOf = (character: string): number => {
  if (apostrophes.test(character)) return kinds.apostrophe
  if (marks.test(character)) return kinds.mark
  if (emoji.test(character)) return kinds.emoji
  if (!letters.test(character)) return kinds.gap
  if (ideographs.test(character)) return kinds.ideograph
  return unspaced.test(character) ? kinds.unspaced : kinds.letter
}

/** Characters that count as apostrophes, the Hebrew geresh and gershayim and the Catalan middle dot included. */
const apostrophes = /['’‘＇\u05f3\u05f4·]/
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
/**
 * Characters that combine with the one before. Soft hyphens, joiners and the half-width voicing marks (letters in Unicode) are
 * included. The zero width space is excluded, since it separates words.
 */
const marks = /(?!\u200b)[\p{M}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\uff9e\uff9f]/u
const letters = /[\p{L}\p{N}\p{Alphabetic}]/u
const ideographs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
