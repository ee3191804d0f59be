/** Chance that a seed decides (mulberry32): the same seed gives the same numbers. */
export interface Random {
  /** From 0 to below 1. */
  share(): number
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** One of these, each as likely as its weight says. */
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
    between: (least, most) => least + Math.floor(share() * (most - least + 1)),
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
