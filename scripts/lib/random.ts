/** A seeded random number generator (mulberry32): the same seed gives the same numbers. */
export interface Random {
  /** A number from 0 to below 1. */
  share(): number
  /** An integer, both ends included. */
  between(min: number, max: number): number
  /** A weighted random choice of one value: each pair is a value and its weight. */
  oneOf<T>(weighted: readonly (readonly [T, number])[]): T
}

export function randomOf(seed: number): Random {
  let state = seed | 0
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    share,
    between: (min, max) => min + Math.floor(share() * (max - min + 1)),
    oneOf: (weighted) => {
      let left = share() * weighted.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [one, weight] of weighted) {
        left -= weight
        if (left < 0) return one
      }
      return weighted.at(-1)![0]
    },
  }
}
