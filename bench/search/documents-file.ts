// Writes and reads the file with the documents of the search benchmark.
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { type Document, documentOf } from './corpus/documents.ts'
import { type Queries, QueryDraw } from './corpus/queries.ts'

/** Writes the first `count` documents of the corpus as JSON lines, and draws the queries from them. */
export async function writeCorpus(file: string, count: number): Promise<Queries> {
  const draw = new QueryDraw()
  function* lines() {
    for (let n = 0; n < count; n++) {
      const document = documentOf(n)
      draw.add(document.title, document.text)
      yield `${JSON.stringify(document)}\n`
    }
  }
  await pipeline(lines, createWriteStream(file))
  return draw.draw()
}

/** Reads the documents of the file, a thousand at a time, so that they need little memory. */
export async function* readCorpus(file: string, size = 1_000): AsyncGenerator<Document[]> {
  let batch: Document[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) {
    batch.push(JSON.parse(line))
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
