// Compares the thumbnails of the media component with those of sharp.
import { join } from 'node:path'
import { verdict } from '../../scripts/lib/verdict.ts'
import { rows, takeTurns } from './alternation.ts'
import { formOfFile, store, take } from './client.ts'

interface Thumbnail {
  name: string
  file: string
  /** Quality with which our renditions are encoded. */
  quality: number
  /** Goal: the allowed factor of the peer's duration. */
  goal?: number
}

const thumbnails: Thumbnail[] = [
  { name: 'first thumbnail, 12 megapixels', file: '12mp.jpg', quality: 82, goal: 1.3 },
  { name: 'first thumbnail, 1 megapixel', file: '1mp.jpg', quality: 80 },
]

const rounds = 21

/** Measures new thumbnails. Each has another width, so that none is stored yet. */
export async function* compareThumbnails(origin: string, peer: string, folder: string): AsyncIterable<string> {
  for (const { name, file, quality, goal } of thumbnails) {
    const { digest } = await store(`${origin}/image`, await formOfFile(join(folder, file)))
    const turns = await takeTurns(
      rounds,
      (n) => take(`${origin}/image/${digest}?w=${300 + n}`),
      (n) => take(`${peer}/${file}?w=${300 + n}&q=${quality}`),
    )
    yield* rows(name, 'sharp in Node', turns, goal ? verdict(turns.ratio <= goal, `${goal} times sharp's`) : '')
  }
}
