// Makes the message about an unknown parameter, which suggests the known name closest to a misspelled one.
import { distance } from 'fastest-levenshtein'

/**
 * Maximum length of a name in the message. A longer name is neither shown nor compared with the known ones, which would
 * take too long.
 */
const maxNameLength = 64

/** Maximum Levenshtein distance between a name and a suggestion. Two swapped letters have the distance 2. */
const maxEdits = (name: string) => (name.length < 4 ? 1 : name.length < 8 ? 2 : 3)

/** The known name closest to an unknown one; `undefined` if none is close enough. */
function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= maxEdits(name))
    .sort((one, other) => one.edits - other.edits)
  return best?.candidate
}

/** The message about an unknown parameter, with the name that was probably meant. */
export function unknownParameter(name: string, known: readonly string[]): string {
  if (name.length > maxNameLength) return 'Unknown parameter.'
  const suggestion = suggestionFor(name, known)
  return `Unknown parameter "${name}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`
}
