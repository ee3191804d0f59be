// Rules that read a word from its end, from which the Turkish stemmer is composed. A rule moves a cursor over a suffix, or removes
// what the cursor has passed.

/** A word, and the position of a rule in it. Positions decrease, since rules read from the end. */
export interface BackwardCursor {
  word: string
  at: number
  /** End of the part that `remove` deletes; `open` sets it. */
  to: number
}

/** A rule: moves the cursor and returns true, or returns false if it does not match. */
export type BackwardRule = (cursor: BackwardCursor) => boolean

/** Marks the cursor as the end of the part that the next `remove` deletes. */
export const open: BackwardRule = (cursor) => {
  cursor.to = cursor.at
  return true
}

/** Deletes the part of the word between the cursor and the position that `open` marked. */
export const remove: BackwardRule = (cursor) => {
  cursor.word = cursor.word.slice(0, cursor.at) + cursor.word.slice(cursor.to)
  cursor.to = cursor.at
  return true
}

/** Applies rules one after another until one does not match. Parts that earlier rules have removed stay removed even then. */
export const all =
  (...rules: readonly BackwardRule[]): BackwardRule =>
  (cursor) =>
    rules.every((rule) => rule(cursor))

/** Applies the first rule that matches. Each rule starts at the same distance from the end of the word. */
export const any =
  (...rules: readonly BackwardRule[]): BackwardRule =>
  (cursor) => {
    const rest = cursor.word.length - cursor.at
    return rules.some((rule) => {
      cursor.at = cursor.word.length - rest
      return rule(cursor)
    })
  }

/** Applies rules if they match. Otherwise the cursor stays at its position, and the rule matches all the same. */
export const maybe = (...rules: readonly BackwardRule[]): BackwardRule => any(all(...rules), () => true)

/** Moves the cursor over the longest of the suffixes that the word has before the cursor. */
export const past = (suffixes: string): BackwardRule => {
  const sorted = suffixes.split(' ').sort((a, b) => b.length - a.length)
  return (cursor) => {
    const found = sorted.find((suffix) => cursor.word.endsWith(suffix, cursor.at))
    cursor.at -= found?.length ?? 0
    return found !== undefined
  }
}
