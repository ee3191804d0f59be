// Finds and replaces the endings of words. All stemmers use these functions.

/** An ending of a word, and the action that the language's stemmer takes for it. */
export interface SuffixEnding<Action> {
  suffix: string
  action: Action
}

/**
 * Makes a function that finds the longest ending of a word in a table, at the offset `from` or after it. A key of the table has all
 * endings with the same action, separated by spaces. With `allows`, the function returns only endings for which the predicate is
 * true.
 */
export const endings = <Action>(table: Readonly<Record<string, Action>>) => {
  const known = new Map<string, SuffixEnding<Action>>()
  for (const [suffixes, action] of Object.entries(table)) {
    for (const suffix of suffixes.trim().split(/\s+/)) known.set(suffix, { suffix, action })
  }
  const longest = Math.max(...[...known.keys()].map((suffix) => suffix.length))

  return (word: string, from = 0, allows = (_: SuffixEnding<Action>) => true): SuffixEnding<Action> | undefined => {
    for (let length = Math.min(longest, word.length - from); length > 0; length--) {
      const found = known.get(word.slice(word.length - length))
      if (found && allows(found)) return found
    }
    return undefined
  }
}

/** Replaces the ending of a word. */
export const replace = (word: string, suffix: string, replacement = '') =>
  word.slice(0, word.length - suffix.length) + replacement

/** Whether the ending of a word lies in the region that begins at an offset. */
export const liesIn = (word: string, suffix: string, from: number) => word.length - suffix.length >= from
