// Rules that recognise the suffixes of Turkish. turkish.ts and turkish-nouns.ts combine them.
import { all, type BackwardRule, past } from './backward.ts'

/** Whether the last vowel before the cursor agrees with the vowel before it, as Turkish vowel harmony requires inside a word. */
const harmony: BackwardRule = ({ word, at }) => {
  const [, before, vowel] = /^(.*)([aeıioöuü])/s.exec(word.slice(0, at)) ?? []
  return before !== undefined && vowel !== undefined && agreeing[vowel]?.test(before) === true
}

const agreeing: Record<string, RegExp> = {
  ...{ a: /[aıou]/, e: /[eiöü]/, ı: /[aı]/, i: /[ei]/, o: /[ou]/, ö: /[öü]/, u: /[ou]/, ü: /[öü]/ },
}

/** Moves the cursor over a consonant that only separates two vowels, if there is one. Matches only if the stem ends accordingly. */
const buffered =
  (consonant: string): BackwardRule =>
  (cursor) => {
    const stem = cursor.word.slice(0, cursor.at)
    if (stem.endsWith(consonant)) {
      cursor.at--
      return /[aeıioöuü].$/s.test(stem)
    }
    return /[aeıioöuü].$/s.test(stem)
  }

/** Moves the cursor over a vowel that only separates two consonants, if there is one. */
const linked: BackwardRule = (cursor) => {
  const stem = cursor.word.slice(0, cursor.at)
  if (/[^aeıioöuü][ıiuü]$/.test(stem)) {
    cursor.at--
    return true
  }
  return /[^aeıioöuü][^ıiuü]$/.test(stem)
}

/** Suffixes by their names in grammars. Capitals in a name stand for letters that vary by vowel harmony. */
export const suffixes = {
  possessives: all(past('mız miz muz müz nız niz nuz nüz m n'), linked),
  sU: all(harmony, past('ı i u ü'), buffered('s')),
  lArI: past('leri ları'),
  yU: all(harmony, past('ı i u ü'), buffered('y')),
  nU: all(harmony, past('nı ni nu nü')),
  nUn: all(harmony, past('ın in un ün'), buffered('n')),
  yA: all(harmony, past('a e'), buffered('y')),
  nA: all(harmony, past('na ne')),
  DA: all(harmony, past('da de ta te')),
  ndA: all(harmony, past('nda nde')),
  DAn: all(harmony, past('dan den tan ten')),
  ndAn: all(harmony, past('ndan nden')),
  ylA: all(harmony, past('la le'), buffered('y')),
  ki: past('ki'),
  ncA: all(harmony, past('ca ce'), buffered('n')),
  yUm: all(harmony, past('ım im um üm'), buffered('y')),
  sUn: all(harmony, past('sın sin sun sün')),
  yUz: all(harmony, past('ız iz uz üz'), buffered('y')),
  sUnUz: past('sınız siniz sunuz sünüz'),
  lAr: all(harmony, past('ler lar')),
  nUz: all(harmony, past('nız niz nuz nüz')),
  DUr: all(harmony, past('tır tir tur tür dır dir dur dür')),
  cAsInA: past('casına cesine'),
  yDU: all(
    harmony,
    past(
      'tım tim tum tüm dım dim dum düm tın tin tun tün dın din dun dün tık tik tuk tük dık dik duk dük tı ti tu tü dı di du dü',
    ),
    buffered('y'),
  ),
  ysA: all(past('sam san sak sem sen sek sa se'), buffered('y')),
  ymUs: all(harmony, past('mış miş muş müş'), buffered('y')),
  yken: all(past('ken'), buffered('y')),
} as const satisfies Record<string, BackwardRule>
