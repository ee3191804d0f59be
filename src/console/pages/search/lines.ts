/** A document as a line has it; the API itself checks it. */
interface Line {
  code: string
  text: string
}

const most = { documents: 1_000, characters: 5_000_000 }

/** The documents of JSON lines, in parcels that the API takes in one request; throws by the number of a line that is none. */
export function parcelsOf(text: string): Line[][] {
  const parcels: Line[][] = []
  let parcel: Line[] = []
  let characters = 0
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (parcel.length === most.documents || characters + line.length > most.characters) {
      parcels.push(parcel)
      parcel = []
      characters = 0
    }
    parcel.push(read(line, i + 1))
    characters += line.length
  }
  if (parcel.length > 0) parcels.push(parcel)
  if (parcels.length === 0) throw new Error('There is no document')
  return parcels
}

function read(line: string, number: number): Line {
  try {
    return JSON.parse(line) as Line
  } catch {
    throw new Error(`Line ${number} is not JSON`)
  }
}
