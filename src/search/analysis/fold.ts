// Folds words so that differences of case, accents and Unicode forms do not matter. Normalizes words for stemmers: in lower
// case, but with their accents.

/** Hebrew vowel points, as a part of a character class in regular expressions. */
const hebrewPoints = '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7'

/** Arabic vowel points, Quranic signs and the tatweel, as a part of a character class in regular expressions. */
const arabicPoints =
  '\\u0610-\\u061a\\u0640\\u064b-\\u0652\\u0656-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed'

/** Unifies letters that Arabic and Persian keyboards type differently. Expects decomposed text (Unicode form NFD). */
const foldArabic = (text: string) =>
  text
    .replace(/\u0627[\u0653-\u0655]+|\u0671/g, '\u0627')
    .replace(/[\u0649\u06cc]/g, '\u064a')
    .replaceAll('\u06a9', '\u0643')

/**
 * Folds a word. Compatibility forms and cases are unified (`ß` becomes `ss`; `İ`, `I`, `ı` and `i` become `i`), Latin and Greek
 * letters lose their diacritics, Arabic and Hebrew letters their points, and the Cyrillic `ё` becomes `е`. `й` and the Kazakh
 * letters do not change. Idempotent.
 */
export const fold = (text: string): string => {
  if (ascii.test(text)) return text.toLowerCase().replaceAll("'", '')
  const folded = foldOnce(text)
  return folded === text ? text : fold(folded)
}

/**
 * Normalizes a word for stemmers: lower case, composed (Unicode form NFC), with its accents, by which stemmers recognise endings.
 * In Turkish, `ı` and `i` stay distinct.
 */
export const normalize = (text: string, isTurkish = false): string => {
  if (ascii.test(text) && !isTurkish) return text.toLowerCase()
  const plain = text.normalize('NFKC').replace(ignorable, '').replace(apostrophes, "'")
  return (isTurkish ? lowerTurkish(plain) : lower(plain)).normalize('NFKC')
}

const ascii = /^[\0-\x7f]*$/

const foldOnce = (text: string) =>
  foldArabic(lower(text.normalize('NFKC')).normalize('NFKD').replace(dropped, '').replace(accented, '$1'))
    .replace(strokes, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')

/** Converts to lower case by way of upper case, so that letters with the same capital become the same letter. */
const lower = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i̇', 'i')

const lowerTurkish = (text: string) => text.replaceAll('İ', 'i').replaceAll('I', 'ı').toLowerCase()

/**
 * Characters without a visible form (default ignorable code points). The zero width non-joiner is excluded, since Persian stemming
 * needs it, and so are the tags of flags.
 */
const ignorable = /[\p{Default_Ignorable_Code_Point}--[\u200c\u{e0020}-\u{e007f}]]/gv

const apostrophes = /['’‘ʼ]/g

/** Characters that are removed from words before they are compared. */
const dropped = new RegExp(
  `${ignorable.source}|['’‘ʼʻ·\\u05f3\\u05f4\\u200c\\p{Me}\\p{Emoji_Modifier}${hebrewPoints}${arabicPoints}]`,
  'gv',
)

/**
 * A letter with marks that folding removes: Latin and Greek letters with any marks, Cyrillic vowels with a stress mark, and `ё`.
 */
const accented = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+|(?<=е)\u0308|(?<=[аеиоуыэюяєіѵ])[\u0300\u0301]/gu

const plainLetters: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', ı: 'i' },
}

const strokes = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
