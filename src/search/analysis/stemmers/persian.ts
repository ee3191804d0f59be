import { endings } from './endings.ts'
import { apply, type SuffixRule } from './rules.ts'

/** Stems a Persian word, by the algorithm of Snowball: https://snowballstem.org/algorithms/persian/stemmer.html */
export const persian = (word: string): string => {
  const { text, isVerb } = dropPrefix(word.replace(/[كيئةہأإؤ]|\u200d| /g, (letter) => letters[letter] ?? ''))
  return dropSuffixes(text, Math.min(3, text.length), isVerb)
}

const letters: Record<string, string> = { ك: 'ک', ي: 'ی', ئ: 'ی', ة: 'ه', ہ: 'ه', أ: 'ا', إ: 'ا', ؤ: 'و' }

/** Removes the prefix of the present tense, which shows that the word is a verb. The prefix of a negated verb stays. */
const dropPrefix = (word: string) => ({
  text: word.replace(/^می\u200c(?=..)/s, '').replaceAll('\u200c', ''),
  isVerb: /^ن?می\u200c../s.test(word),
})

const dropSuffixes = (word: string, r1: number, isVerb: boolean): string => {
  const stem = endsInAn.test(word) ? undefined : dropSuffix(word, r1, isVerb)
  return stem === undefined ? word : dropSuffixes(stem, r1, isVerb)
}

/** Words that end in `-an` although they are no plurals. Their ending stays. */
const endsInAn =
  /(ستان|سان|ران|وان)$|^(آلمان|آسمان|ایمان|ایشان|امکان|اصفهان|آذربایجان|بیان|پایان|پیمان|جریان|درمان|رمان|زندان|سازمان|سلطان|گیلان|قهرمان|کرمان|خاندان|لبنان|میزان|مسلمان|نشان|همدان|یونان|کهکشان|آتشفشان|پریشان|درخشان|همزمان|ساختمان|سلیمان)$/

interface Context {
  r1: number
  isVerb: boolean
}

const dropSuffix = (word: string, r1: number, isVerb: boolean) => {
  const context = { r1, isVerb }
  return (
    apply(brokenPlurals, word, context) ??
    apply(nouns, word, context, r1) ??
    apply(copulas, word, context) ??
    apply(verbs, word, context)
  )
}

const inR1: SuffixRule<Context> = (stem, { r1 }) => (stem.length >= r1 ? stem : undefined)

const put =
  (ending: string): SuffixRule<Context> =>
  (stem) =>
    stem + ending

const brokenPlurals = endings<SuffixRule<Context>>({ اخبار: put('خبر'), اساتید: put('استاد') })

const nouns = endings<SuffixRule<Context>>({
  'ام اش یان گان های انی ها ات ان ین گاه بان گی یت یی ترین انه مند وار ناک گار': inR1,
  تر: (stem, { r1 }) => (stem.length > r1 ? stem : undefined),
})

const copulas = endings<SuffixRule<Context>>({ 'اید ایم اند است اس ای ید یم': inR1 })

const verbs = endings<SuffixRule<Context>>({
  'اند ید یم ام د م': (stem, { r1, isVerb }) => (isVerb && stem.length >= r1 ? stem : undefined),
  'رفتم رفتی رفتیم رفتید رفتاند': put('رفت'),
  'نده ان': inR1,
  ده: (stem) => (stem === '' ? undefined : `${stem}د`),
  ته: (stem) => (stem === '' ? undefined : `${stem}ت`),
})
