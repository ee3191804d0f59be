/** Vowel points of Hebrew, as part of a class of characters. */
export const hebrewPoints = '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7'

/** Vowel points of Arabic, signs of recitation and the stroke that lengthens words, as part of a class of characters. */
export const arabicPoints =
  '\\u0610-\\u061a\\u0640\\u064b-\\u0652\\u0656-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed'

/** The letters that Arabic and Persian keyboards write in several ways, in one; of text that is taken apart (NFD). */
export const foldArabic = (text: string) =>
  text
    .replace(/\u0627[\u0653-\u0655]+|\u0671/g, '\u0627')
    .replace(/[\u0649\u06cc]/g, '\u064a')
    .replaceAll('\u06a9', '\u0643')
