// Formats the results of the search benchmark.
import { verdict } from '../../scripts/lib/verdict.ts'
import type { IndexVariant } from './contender.ts'
import { kinds, type QueryKind } from './corpus/queries.ts'
import type { SearchFigures } from './figures.ts'

/** Yields a table with a column per search engine, and whether the goals are met. */
export function* report(
  variant: IndexVariant,
  documents: number,
  measured: QueryKind[],
  all: Map<string, SearchFigures>,
): Generator<string> {
  const cells = (name: string, cell: (figures: SearchFigures) => string) =>
    [name.padEnd(24), ...[...all.values()].map((figures) => cell(figures).padStart(width))].join('').trimEnd()
  yield `\n${documents} documents; p50 / p95 in ms`
  yield [' '.repeat(24), ...[...all.keys()].map((name) => name.padStart(width))].join('')
  yield cells('indexed each second', ({ rate }) => rate.toFixed(0))
  for (const kind of measured) {
    yield cells(kinds[kind], ({ searches }) => timesOf(searches[kind]))
    const found = [...all.values()].map(({ searches }) => searches[kind]?.found ?? 1)
    if (found.some((share) => share < 0.9))
      yield cells('  of which found', ({ searches }) => shareOf(searches[kind]?.found))
  }
  yield cells('MB on disk', ({ disk }) => megabytes(disk))
  yield cells('MB in memory', ({ memory }) => megabytes(memory))
  yield* verdicts(variant, documents, measured, all)
}

const width = 17
const timesOf = (search?: { p50: number; p95: number }) =>
  search ? `${short(search.p50)} / ${short(search.p95)}` : '-'
const short = (time: number) => (time < 10 ? time.toFixed(2) : time.toFixed(0))
const shareOf = (share?: number) => (share === undefined ? '-' : `${(share * 100).toFixed(0)} %`)
const megabytes = (bytes?: number) => (bytes === undefined ? '-' : (bytes / 1024 / 1024).toFixed(0))

/** Kinds of queries that must take at most 10 ms, because the user is typing. */
const typed: QueryKind[] = ['prefix1', 'prefix2', 'prefix3', 'typo1', 'typo2']

function* verdicts(
  variant: IndexVariant,
  documents: number,
  measured: QueryKind[],
  all: Map<string, SearchFigures>,
): Generator<string> {
  const ours = all.get('ours')
  if (!ours) return
  if (variant === 'typeahead' && documents >= 200_000)
    for (const kind of typed) yield verdict(ours.searches[kind]!.p95 <= 10, `p95 of 10 ms for ${kinds[kind]}`)
  const postgres = all.get('PostgreSQL')
  if (postgres) yield against('ahead of PostgreSQL', measured, ours, postgres, 1, ours.rate > postgres.rate)
  for (const name of ['MiniSearch', 'Orama']) {
    const peer = all.get(name)
    if (!peer) continue
    yield against(`within twice the time of ${name}`, measured, ours, peer, 2)
    yield verdict(ours.memory! < peer.memory!, `less memory than ${name}`)
  }
}

/** Lists the figures for which our search takes more than `times` as long as the peer. */
function against(
  goal: string,
  measured: QueryKind[],
  ours: SearchFigures,
  peer: SearchFigures,
  times: number,
  isIndexed = true,
): string {
  const isSlower = (kind: QueryKind) => {
    const [own, other] = [ours.searches[kind], peer.searches[kind]]
    return own && other && (own.p50 > times * other.p50 || own.p95 > times * other.p95)
  }
  const missed = [...(isIndexed ? [] : ['indexing']), ...measured.filter(isSlower).map((kind) => kinds[kind])]
  return verdict(missed.length === 0, missed.length === 0 ? goal : `${goal}, but for ${missed.join(', ')}`)
}
