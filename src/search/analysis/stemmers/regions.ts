/** The offset after the first consonant that follows a vowel, from an offset on: the word's length if there is none. */
export const regionAfter = (word: string, vowels: string, from = 0) => {
  let at = from
  while (at < word.length && !vowels.includes(word.charAt(at))) at++
  while (at < word.length && vowels.includes(word.charAt(at))) at++
  return Math.min(at + 1, word.length)
}
