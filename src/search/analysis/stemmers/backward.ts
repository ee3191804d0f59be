/** Reads a word from its end, and takes parts out of it. */
export interface BackwardCursor {
  word: string
  at: number
  /** Where the part ends that is to be taken out. */
  to: number
}

/** Moves the cursor, or says that it cannot. */
export type BackwardRule = (cursor: BackwardCursor) => boolean

/** Begins a part that is to be taken out: at its end. */
export const open: BackwardRule = (cursor) => {
  cursor.to = cursor.at
  return true
}

/** Takes out the part between `open` and here. */
export const remove: BackwardRule = (cursor) => {
  cursor.word = cursor.word.slice(0, cursor.at) + cursor.word.slice(cursor.to)
  cursor.to = cursor.at
  return true
}

/** One after the other; what those before one that cannot have taken out stays out. */
export const all =
  (...rules: readonly BackwardRule[]): BackwardRule =>
  (cursor) =>
    rules.every((rule) => rule(cursor))

/** The first that can. */
export const any =
  (...rules: readonly BackwardRule[]): BackwardRule =>
  (cursor) => {
    const rest = cursor.word.length - cursor.at
    return rules.some((rule) => {
      cursor.at = cursor.word.length - rest
      return rule(cursor)
    })
  }

/** Stays where the rule cannot. */
export const maybe = (...rules: readonly BackwardRule[]): BackwardRule => any(all(...rules), () => true)

/** Past the longest of these endings. */
export const past = (suffixes: string): BackwardRule => {
  const sorted = suffixes.split(' ').sort((a, b) => b.length - a.length)
  return (cursor) => {
    const found = sorted.find((suffix) => cursor.word.endsWith(suffix, cursor.at))
    cursor.at -= found?.length ?? 0
    return found !== undefined
  }
}
