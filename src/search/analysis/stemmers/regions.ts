// Finds the regions of a word in which stemmers remove endings, as Snowball defines them.

/**
 * Returns the offset after the first consonant that follows a vowel, searched from an offset; the word's length if there is none.
 * R1 begins there, and R2 at the next such offset.
 */
export const regionAfter = (word: string, vowels: string, from = 0) => {
  let at = from
  while (at < word.length && !vowels.includes(word.charAt(at))) at++
  while (at < word.length && vowels.includes(word.charAt(at))) at++
  return Math.min(at + 1, word.length)
}

/**
 * Returns the offset at which the region RV begins. If the second letter is a consonant, RV begins after the next vowel; if the
 * first two letters are vowels, after the next consonant; otherwise after the third letter. Returns the word's length if there is
 * no such offset.
 */
export const verbRegion = (word: string, vowels: string) => {
  const isVowel = (at: number) => vowels.includes(word.charAt(at))
  if (word.length < 3 || (!isVowel(0) && isVowel(1))) return Math.min(word.length, 3)
  const isWanted = !isVowel(1)
  for (let at = 2; at < word.length; at++) if (isVowel(at) === isWanted) return at + 1
  return word.length
}
