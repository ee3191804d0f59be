// Splits JSON lines that the user pastes into batches of documents, each of which fits into one request to a search index.

/** A document as parsed from a line. The API validates it. */
interface LineDocument {
  code: string
  text: string
}

/** Limits of one request. The API takes 1 000 documents and 30 MB; a character may take several bytes. */
const maxBatch = { documents: 1_000, characters: 5_000_000 }

/** Parses JSON lines into batches for one request each. Throws an error with the number of the line if a line is not JSON. */
export function batchesOf(text: string): LineDocument[][] {
  const batches: LineDocument[][] = []
  let batch: LineDocument[] = []
  let characters = 0
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (batch.length === maxBatch.documents || characters + line.length > maxBatch.characters) {
      batches.push(batch)
      batch = []
      characters = 0
    }
    batch.push(read(line, i + 1))
    characters += line.length
  }
  if (batch.length > 0) batches.push(batch)
  if (batches.length === 0) throw new Error('The text has no documents')
  return batches
}

function read(line: string, number: number): LineDocument {
  try {
    return JSON.parse(line) as LineDocument
  } catch {
    throw new Error(`Line ${number} is not JSON`)
  }
}
