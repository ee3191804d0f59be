// Unifies the spelling of a Yiddish word for its stemmer, marks its prefixes, and finds the region R1.

/** Unifies the spelling: replaces final and double letters by one form, and removes vowel points. */
export const spell = (word: string) =>
  word
    .replace(/וו(?!\u05bc)|וי(?!\u05b4)|יי(?!\u05b4)|[ךםןףץ]/g, (letters) => spellings[letters] ?? letters)
    .replace(/[\u05b0-\u05b9\u05bb\u05bc\u05bf\u05c1\u05c2]/g, '')

const spellings: Record<string, string> = { וו: 'װ', וי: 'ױ', יי: 'ײ', ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }

/**
 * Writes the prefixes of participles and infinitives as `GE` and `TSU`, so that the stemmer can remove them at the end. `r1` is the
 * offset at which R1 begins.
 */
export const mark = (word: string): { marked: string; r1: number } => {
  const begun = word.replace(/^גע(?!לט|בנ|$)/, 'GE')
  const from = begun.startsWith('GE') ? 2 : 0
  const prefix = prefixes.exec(begun.slice(from))?.[0]
  if (!prefix) return { marked: begun, r1: regionOf(begun, from, word.length) }
  const after = from + prefix.length
  const rest = begun.slice(after)
  if (/^צו(גנ|קט|קנ)$|^געבנ/.test(rest)) return { marked: begun, r1: regionOf(begun, after, word.length) }
  const shown = rest.replace(/^גע/, 'GE').replace(/^צו/, 'TSU')
  const marked = begun.slice(0, after) + shown
  const end = shown === rest ? from : after + (shown.startsWith('GE') ? 2 : 3)
  return { marked, r1: regionOf(marked, end, word.length) }
}

/**
 * Returns the offset of R1: after three consonants or after the first vowels, and at least three letters after `from`. Returns
 * `otherwise` if there is no such offset.
 */
const regionOf = (word: string, from: number, otherwise: number) => {
  if (word.length < from + 3) return otherwise
  const start = from + (/^(שפר|שטר|שטש|דזש)/.test(word.slice(from)) ? 3 : 0)
  const rest = word.slice(start)
  if (threeConsonants.test(rest)) return start + 3
  const vowels = /^[^אויעױײ]*[אויעױײ]+(?=[^אויעױײ])/.exec(rest)
  return vowels ? Math.max(start + vowels[0].length, from + 3) : otherwise
}

const threeConsonants = /^[בגדהזחטךכלםמןנסףפץצקרשתװ]{3}/

const prefixes = new RegExp(
  `^(${[
    'אדורכ דורכ אהינ אהער אװעק מיט אנטקעגנ אקעגנ אנידער אראפ ארױס ארױפ ארומ ארײנ ארונטער אריבער נאכ פארבײ אהײמ אפיר',
    'פארױס פונאנדער צוזאמענ צונױפ צוריק אױס אױפ אומ אונטער איבער אײנ אנ אפ בײ פאר צו אנט בא דער צע',
  ]
    .join(' ')
    .split(' ')
    .sort((a, b) => b.length - a.length)
    .join('|')})`,
)
