import { endings, replace } from './endings.ts'
import { markConsonants, regionsOf, unmark } from './french-letters.ts'
import { type SuffixRule as AnyRule, apply, within } from './rules.ts'

/** Stems a French word, by the algorithm of Snowball: https://snowballstem.org/algorithms/french/stemmer.html */
export const french = (word: string): string => {
  const marked = markConsonants(word.replace(/^([cdjlmnstz]|qu)'(?=.)/, ''))
  const regions = regionsOf(marked)
  const { stem, isDone } = dropStandard(marked, regions)
  const dropped = isDone ? stem : (dropVerbInI(stem, regions) ?? apply(verbs, stem, regions, regions.rv))
  const ended = dropped === undefined ? dropResidue(stem, regions) : dropped.replace(/Y$/, 'i').replace(/ç$/, 'c')
  return unmark(simplify(ended))
}

type Regions = ReturnType<typeof regionsOf>

type Rule = AnyRule<Regions>

/** A rule that removes an ending in R2, and then a further ending: if that lies in R2 too, it is removed, else replaced. */
const withFurther = (further: Record<string, string | undefined>): Rule => {
  const find = endings(further)
  return (stem, { r2 }) => {
    if (stem.length < r2) return undefined
    const ending = find(stem)
    if (!ending) return stem
    const shorter = replace(stem, ending.suffix)
    return shorter.length >= r2 ? shorter : ending.action === undefined ? stem : shorter + ending.action
  }
}

const dropEuse: Rule = (stem, { r1, r2 }) => (stem.length >= r2 ? stem : stem.length >= r1 ? `${stem}eux` : undefined)

const dropIf: Rule = (stem, { r2 }) => {
  if (stem.length < r2) return undefined
  if (!stem.endsWith('at') || stem.length - 2 < r2) return stem
  const shorter = stem.slice(0, -2)
  if (!shorter.endsWith('ic')) return shorter
  return shorter.length - 2 >= r2 ? shorter.slice(0, -2) : `${shorter.slice(0, -2)}iqU`
}

const dropEment: Rule = (stem, { rv, r1, r2 }) => {
  if (stem.length < rv) return undefined
  const further = /(iv|eus|abl|iqU|[iI]èr)$/.exec(stem)?.[0]
  if (!further) return stem
  const shorter = replace(stem, further)
  if (further.endsWith('èr')) return shorter.length >= rv ? `${shorter}i` : stem
  if (shorter.length < r2) return further === 'eus' && shorter.length >= r1 ? `${shorter}eux` : stem
  return further === 'iv' && shorter.endsWith('at') && shorter.length - 2 >= r2 ? shorter.slice(0, -2) : shorter
}

const standard = endings<Rule>({
  'ance iqUe isme able iste eux ances iqUes ismes ables istes': within('r2'),
  'atrice ateur ation atrices ateurs ations': withFurther({ ic: 'iqU' }),
  'logie logies': within('r2', 'log'),
  'usion ution usions utions': within('r2', 'u'),
  'ence ences': within('r2', 'ent'),
  'ement ements': dropEment,
  'ité ités': withFurther({ abil: 'abl', ic: 'iqU', iv: undefined }),
  'if ive ifs ives': dropIf,
  eaux: (stem) => `${stem}eau`,
  aux: within('r1', 'al'),
  oux: (stem) => (/[bhjlnp]$/.test(stem) ? `${stem}ou` : undefined),
  'euse euses': dropEuse,
  'issement issements': (stem, { r1 }) => (stem.length >= r1 && /[^aeiouyâàëéêèïîôûù]$/.test(stem) ? stem : undefined),
})

/** Endings of adverbs. The stem may then have an ending of a verb, which is removed too. */
const adverbs = endings<Rule>({
  amment: within('rv', 'ant'),
  emment: within('rv', 'ent'),
  'ment ments': (stem, { rv }) => (stem.length > rv && /[aeiouyâàëéêèïîôûù]$/.test(stem) ? stem : undefined),
})

const dropStandard = (word: string, regions: Regions) => {
  const ending = standard(word)
  const adverb = adverbs(word)
  if (adverb && adverb.suffix.length > (ending?.suffix.length ?? 0)) {
    return { stem: adverb.action(replace(word, adverb.suffix), regions) ?? word, isDone: false }
  }
  const stem = ending?.action(replace(word, ending.suffix), regions)
  return { stem: stem ?? word, isDone: stem !== undefined }
}

const verbsInI = endings({
  'îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons iront is issaIent': true,
  'issais issait issant issante issantes issants isse issent isses issez issiez issions issons it': true,
})

const dropVerbInI = (word: string, { rv }: Regions) => {
  const ending = verbsInI(word, rv)
  const stem = ending && replace(word, ending.suffix)
  return stem && stem.length > rv && /[^Haeiouyâàëéêèïîôûù]$/.test(stem) ? stem : undefined
}

const verbs = endings<Rule>({
  ions: within('r2'),
  'é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez eais': (stem) => stem,
  'âmes ât âtes a ai aIent ait ant ante antes ants as asse assent asses assiez assions': (stem, { rv }) =>
    stem.endsWith('e') && stem.length > rv ? stem.slice(0, -1) : stem,
  'ais aise aises': (stem) => (/^.al$|(auv|épl)$/.test(stem) ? undefined : stem),
})

const residues = endings<Rule>({
  ion: (stem, { rv, r2 }) => (stem.length >= r2 && stem.length > rv && /[st]$/.test(stem) ? stem : undefined),
  'ier ière Ier Ière': (stem) => `${stem}i`,
  e: (stem) => stem,
})

const dropResidue = (word: string, regions: Regions) => {
  const singular = word.replace(/(?<=Hi|[^aiouès])s$/, '')
  return apply(residues, singular, regions, regions.rv) ?? singular
}

/** Removes a letter of a double consonant at the end, and the accent of an `e` before the last consonants. */
const simplify = (word: string) =>
  word
    .replace(/(enn|onn|ett|ell|eill)$/, (double) => double.slice(0, -1))
    .replace(/[éè](?=[^aeiouyâàëéêèïîôûù]+$)/, 'e')
