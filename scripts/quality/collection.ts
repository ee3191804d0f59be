// Reads a test collection for the measurement of ranking quality: documents, topics and relevance judgments as JSON
// lines.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Document {
  code: string
  title: string
  text: string
}

interface Topic {
  text: string
  /** Codes of the relevant documents: those with a grade above 0. */
  relevant: ReadonlySet<string>
}

export interface Collection {
  documents: Document[]
  topics: Topic[]
}

/** Reads the collection in a folder. Undefined if the folder does not exist. */
export function readCollection(folder: string): Collection | undefined {
  if (!existsSync(join(folder, 'documents.jsonl'))) return undefined
  const judgements = read<{ query: number; code: string; grade: number }>(folder, 'judgements')
  const relevant = Map.groupBy(
    judgements.filter(({ grade }) => grade > 0),
    ({ query }) => query,
  )
  const topics = read<{ query: number; text: string }>(folder, 'queries').map(({ query, text }) => ({
    text,
    relevant: new Set((relevant.get(query) ?? []).map(({ code }) => code)),
  }))
  return { documents: read<Document>(folder, 'documents'), topics }
}

const read = <T>(folder: string, name: string): T[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
