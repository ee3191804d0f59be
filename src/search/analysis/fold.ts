/** Vowel points of Hebrew, as part of a class of characters. */
const hebrewPoints = '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7'

/** Vowel points of Arabic, signs of recitation and the stroke that lengthens words, as part of a class of characters. */
const arabicPoints =
  '\\u0610-\\u061a\\u0640\\u064b-\\u0652\\u0656-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed'

/** The letters that Arabic and Persian keyboards write in several ways, in one; of text that is taken apart (NFD). */
const foldArabic = (text: string) =>
  text
    .replace(/\u0627[\u0653-\u0655]+|\u0671/g, '\u0627')
    .replace(/[\u0649\u06cc]/g, '\u064a')
    .replaceAll('\u06a9', '\u0643')

/**
 * What a word is looked up by, whatever its case, accents and spelling in Unicode: compatibility forms and cases are one
 * (`ß` is `ss`, `İ`, `I`, `ı` and `i` are alike), Latin and Greek letters are without diacritics, Arabic and Hebrew without
 * points, and of Cyrillic `ё` is `е`, while `й` and the letters of Kazakh stay what they are. Idempotent.
 */
export const fold = (text: string): string => {
  if (ascii.test(text)) return text.toLowerCase().replaceAll("'", '')
  const folded = foldOnce(text)
  return folded === text ? text : fold(folded)
}

/** A word as stemmers expect it: in lower case and composed, with its accents; `ı` stays apart from `i` in Turkish. */
export const normalise = (text: string, isTurkish = false): string => {
  if (ascii.test(text) && !isTurkish) return text.toLowerCase()
  const plain = text.normalize('NFKC').replace(ignorable, '').replace(apostrophes, "'")
  return (isTurkish ? lowerTurkish(plain) : lower(plain)).normalize('NFKC')
}

const ascii = /^[\0-\x7f]*$/

const foldOnce = (text: string) =>
  foldArabic(lower(text.normalize('NFKC')).normalize('NFKD').replace(dropped, '').replace(accented, '$1'))
    .replace(strokes, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')

/** By way of the capitals, so that letters meet that have one capital between them. */
const lower = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i̇', 'i')

const lowerTurkish = (text: string) => text.replaceAll('İ', 'i').replaceAll('I', 'ı').toLowerCase()

/** All that Unicode says to ignore but for the joiner that Persian stems need, and the tags that tell flags apart. */
const ignorable = /[\p{Default_Ignorable_Code_Point}--[\u200c\u{e0020}-\u{e007f}]]/gv

const apostrophes = /['’‘ʼ]/g

/** What a word is found without. */
const dropped = new RegExp(
  `${ignorable.source}|['’‘ʼʻ·\\u05f3\\u05f4\\u200c\\p{Me}\\p{Emoji_Modifier}${hebrewPoints}${arabicPoints}]`,
  'gv',
)

/** Latin and Greek letters with any marks, Cyrillic ones with a stress, and `ё`. */
const accented = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+|(?<=е)\u0308|(?<=[аеиоуыэюяєіѵ])[\u0300\u0301]/gu

const plainLetters: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', ı: 'i' },
}

const strokes = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
