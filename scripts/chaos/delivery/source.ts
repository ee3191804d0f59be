// Stand-in for the `data_url` of a delivery in a chaos run. One call in ten fails, one in a hundred hangs, and some
// pages overlap.
import { pieceAt } from '#delivery/range'
import type { Random } from '../../lib/random.ts'
import { jsonOf, type Listening, listen } from '../../lib/server.ts'
import type { SourcePage } from './record.ts'

/** Number of items in a piece. */
export const gap = 100

/**
 * The recipients on the page of a piece, in order. Every fifth page repeats the last recipient of the previous page,
 * who must still get only one message.
 */
export function pageAt(min: number, size: number): number[] {
  const { max } = pieceAt(min, { min: 1, max: size, gap })
  const all = Array.from({ length: max - min + 1 }, (_, i) => min + i)
  return min > 1 && ((min - 1) / gap) % 5 === 4 ? [...all, min - 1] : all
}

/** The number of the recipient with this phone or email address, by which the invariants count messages. */
export const numberOf = (target: string) => Number(/\d+/.exec(target)![0]) % 10 ** 9

const person = (n: number, torn: boolean) => ({
  locale: ['en', 'ru', 'kk-KZ'][n % 3],
  email: `${torn ? 'torn' : 'user'}${n}@example.com`,
  phone: String((torn ? 78e9 : 77e9) + n),
  name: `Name ${n}`,
})

const behaviors: [SourcePage['behavior'], number][] = [
  ['good', 89],
  ['error', 5],
  ['html', 2],
  ['cut', 3],
  ['never', 1],
]

export interface DataSource extends Listening {
  pages: SourcePage[]
}

export async function startSource(size: number, random: Random): Promise<DataSource> {
  const pages: SourcePage[] = []
  const server = await listen(async (request, response) => {
    const range = (await jsonOf(request).catch(() => undefined)) as { _min: number; _max: number } | undefined
    if (!range) return
    const { _min: min } = range
    const behavior = random.oneOf(behaviors)
    pages.push({ min, behavior })
    const text = (torn: boolean) =>
      JSON.stringify({ status: true, content: pageAt(min, size).map((n) => person(n, torn)) })
    if (behavior === 'good') response.end(text(false))
    if (behavior === 'error') response.writeHead(404).end('no')
    if (behavior === 'html') response.end('<!doctype html><p>Back soon</p>')
    if (behavior !== 'cut') return
    response.writeHead(200, { 'content-length': 1_000_000 }).write(text(true).slice(0, -3))
    setTimeout(() => response.destroy(), 20)
  })
  return { ...server, pages }
}
