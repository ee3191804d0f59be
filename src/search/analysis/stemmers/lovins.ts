import { endings, replace } from './endings.ts'
import { suffixes } from './lovins-endings.ts'

/** Stems an English word, by Lovins' algorithm of 1968: https://snowballstem.org/algorithms/lovins/stemmer.html */
export const lovins = (word: string): string => {
  const ending = suffixes(word, 0, ({ suffix, action }) => action.test(replace(word, suffix)))
  const stem = (ending ? replace(word, ending.suffix) : word).replace(/([bdglmnprst])\1$/, '$1')
  const spelling = spellings(stem)
  if (!spelling || exceptions[spelling.suffix]?.test(stem)) return stem
  return replace(stem, spelling.suffix, spelling.action)
}

const spellings = endings<string>({
  ...{ iev: 'ief', uct: 'uc', umpt: 'um', rpt: 'rb', urs: 'ur', istr: 'ister', metr: 'meter', olv: 'olut', ul: 'l' },
  ...{
    bex: 'bic',
    dex: 'dic',
    pex: 'pic',
    tex: 'tic',
    ax: 'ac',
    ex: 'ec',
    ix: 'ic',
    lux: 'luc',
    uad: 'uas',
    vad: 'vas',
  },
  ...{ cid: 'cis', lid: 'lis', erid: 'eris', pand: 'pans', end: 'ens', ond: 'ons', lud: 'lus', rud: 'rus', her: 'hes' },
  ...{ mit: 'mis', ent: 'ens', ert: 'ers', et: 'es', yt: 'ys', yz: 'ys' },
})

/** Stems that keep their spelling, by their ending. */
const exceptions: Record<string, RegExp> = {
  ...{ ul: /[aio]ul$/, end: /send$/, her: /[pt]her$/, ent: /ment$/, et: /net$/ },
}
