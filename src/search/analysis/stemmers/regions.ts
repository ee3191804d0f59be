/** The offset after the first consonant that follows a vowel, from an offset on: the word's length if there is none. */
export const regionAfter = (word: string, vowels: string, from = 0) => {
  let at = from
  while (at < word.length && !vowels.includes(word.charAt(at))) at++
  while (at < word.length && vowels.includes(word.charAt(at))) at++
  return Math.min(at + 1, word.length)
}

/**
 * The offset after the next vowel behind a second letter that is a consonant, after the next consonant behind two vowels,
 * and after the third letter of the rest: the word's length if there is none.
 */
export const verbRegion = (word: string, vowels: string) => {
  const isVowel = (at: number) => vowels.includes(word.charAt(at))
  if (word.length < 3 || (!isVowel(0) && isVowel(1))) return Math.min(word.length, 3)
  const isWanted = !isVowel(1)
  for (let at = 2; at < word.length; at++) if (isVowel(at) === isWanted) return at + 1
  return word.length
}
