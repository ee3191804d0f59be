// Compares uploads to the media component with plain writes of the same bytes.
import { randomBytes } from 'node:crypto'
import { rows, takeTurns } from './alternation.ts'
import { formOf, send } from './client.ts'

const megabytes = 100
const rounds = 5

/**
 * Compares the upload of a large file with peers that only write the same bytes. `peers` has their addresses by name.
 */
export async function* compareUploads(origin: string, peers: Record<string, string>): AsyncIterable<string> {
  const form = await formOf(randomBytes(megabytes * 1e6), 'file')
  const sendTo = (url: string) => async () => (await send(url, form)).arrayBuffer()
  const speed = (time: number) => `${((megabytes * 1_000) / time).toFixed(0)} MB/s`
  for (const [name, url] of Object.entries(peers)) {
    const turns = await takeTurns(rounds, sendTo(`${origin}/file`), sendTo(url))
    yield* rows(`upload of ${megabytes} MB`, name, turns, `${speed(turns.ours)} of ${speed(turns.peers)}`)
  }
}
