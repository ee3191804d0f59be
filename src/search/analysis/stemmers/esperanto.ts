/** Stems an Esperanto word, by the algorithm of Snowball: https://snowballstem.org/algorithms/esperanto/stemmer.html */
export const esperanto = (word: string): string => {
  const { text, isForeign } = spell(word)
  if (isForeign) return text
  const begun = text.replace(/^'(?=st(as|i|is|os|u|us)$)/, 'e')
  if (pronoun.test(begun)) return begun.replace(/n$/, '')
  const whole = completeEnd(begun)
  if (correlative.test(whole)) return whole.replace(/(?<=e)n$|(?<=[aou])j?n?$/, '')
  if (uninflected.test(whole) || /(cent|dek)(du|tri|unu)$/.test(whole)) return whole
  if (/(^|-)(aliu|unu)j?n?$/.test(whole)) return whole.replace(/j?n?$/, '')
  return isLong(whole) ? whole.replace(/-?(aj?n?|en?|i|[aiou]s|u|oj?n?)$|(?<=\d)(jn?|n)$|-(jn?|n)$/, '') : whole
}

/**
 * Replaces the spelling `cx` by `ĉ` and so on. A word is foreign if it has letters after its last hyphen that Esperanto does not
 * use.
 */
const spell = (word: string) => {
  let isForeign = false
  const text = word.replace(/[cghjsu]x|[áéíóú]|[qwxy-]/g, (found) => {
    if (found.length === 2) return letters[found.charAt(0)] ?? found
    isForeign = found !== '-'
    return found.normalize('NFD').charAt(0)
  })
  return { text, isForeign }
}

const letters: Record<string, string> = { c: 'ĉ', g: 'ĝ', h: 'ĥ', j: 'ĵ', s: 'ŝ', u: 'ŭ' }

const pronoun = /(^|-)(ci|gi|ĝi|hi|ili|iŝi|ivi|li|malŝi|mi|ni|oni|ri|si|ŝi|ŝli|vi)n?$/

/** Replaces an apostrophe at the end by the letters for which it stands. */
const completeEnd = (word: string) => {
  if (!word.endsWith("'")) return word
  const begun = word.slice(0, -1)
  if (begun === 'l') return 'la'
  if (begun === 'un') return 'unu'
  return begun + (adverb.test(begun) ? 'aŭ' : 'o')
}

const adverb =
  /(^|-)(adi|almen|amb|ank|ankor|anstat|antaŭhier|apen|bald|ĉirk|hier|hodi|kontr|kvaz|malbald|malgr|morg|postmorg|presk|tutĉirk)$/

const correlative = /(^|-)(ĉ|k|kelk|mult|nen|samt|t)?i(en?|[aou]j?n?)$/

const uninflected =
  /(^|-)(aha|amen|dirlididi|disde|ehe|ekde|elde|haha|haleluja|hola|hosana|hura|ĥaĥa|malĉi|malkaj|malpli|maltra|maltre|maltro|minus|muu|oho|tamen|uhu)$/

/** Whether endings may be removed: only from a word with two syllables, with a digit, or with a hyphen. */
const isLong = (word: string) => /[aeiou].*[aeiou]|\d|.-[^-]*$/.test(word)
