// Finds the regions R1 and R2 of a Dutch word, and the prefixes and infixes of participles.

/** Returns the offsets of R1 and R2. Each region begins after a syllable, where `ij` counts as one vowel. */
export const measure = (word: string) => {
  const r1 = syllable.exec(word)?.[0].length
  if (r1 === undefined) return { r1: word.length, r2: word.length }
  const second = syllable.exec(word.slice(r1))?.[0].length
  return { r1, r2: second === undefined ? word.length : r1 + second }
}

const syllable = /^[^aeiouyäáàâëéèêïíìîöóòôüúùû]*(ij|(?!ij)[aeiouyäáàâëéèêïíìîöóòôüúùû])+[^aeiouyäáàâëéèêïíìîöóòôüúùû]/

/** Removes the prefix `ge-` of a participle. Returns `undefined` if the word has none. */
export const dropPrefix = (word: string) => {
  const rest = word.startsWith('ge') ? word.slice(2) : ''
  return isParticiple(rest) && !/^(eft|val(?!i)|vaa|vare)/.test(rest) ? withoutDiaeresis(rest) : undefined
}

/** Removes the first `-ge-` inside a participle, as in `aangekomen`. Returns `undefined` if the word has none. */
export const dropInfix = (word: string) => {
  const at = word.indexOf('ge', 1)
  const rest = at < 0 ? '' : word.slice(at + 2)
  return isParticiple(rest) ? word.slice(0, at) + withoutDiaeresis(rest) : undefined
}

const isParticiple = (rest: string) => rest.length >= 3 && syllable.test(rest)

const withoutDiaeresis = (rest: string) => rest.replace(/^ë/, 'e').replace(/^ï/, 'i')
