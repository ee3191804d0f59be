/** An ending of a word, and what the language does with it. */
export interface SuffixEnding<Action> {
  suffix: string
  action: Action
}

/**
 * Finds the longest ending that a word has from an offset on, of a table by endings; those that share an action stand in
 * one key, with spaces between them. With `allows`, one that the language allows there.
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

/** The word with its ending replaced. */
export const replace = (word: string, suffix: string, replacement = '') =>
  word.slice(0, word.length - suffix.length) + replacement

/** Whether the ending lies in the part of the word from an offset on. */
export const liesIn = (word: string, suffix: string, from: number) => word.length - suffix.length >= from
