import { distance } from 'fastest-levenshtein'

/** Names longer than this are neither shown nor compared. */
const maxNameLength = 64

/** Maximum number of edits between a name and a suggestion: two letters that changed places are two. */
const maxEdits = (name: string) => (name.length < 4 ? 1 : name.length < 8 ? 2 : 3)

/** The known name that a misspelt one most probably means. */
function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= maxEdits(name))
    .sort((one, other) => one.edits - other.edits)
  return best?.candidate
}

/** What is wrong with a parameter that an endpoint does not have, with the name that was probably meant. */
export function unknownParameter(name: string, known: readonly string[]): string {
  if (name.length > maxNameLength) return 'Unknown parameter.'
  const suggestion = suggestionFor(name, known)
  return `Unknown parameter "${name}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`
}
