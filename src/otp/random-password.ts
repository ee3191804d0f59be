// Generates the passwords that the bot sends, at random. The caller chooses the passwords of all other channels.
const digits = 6
const passwordCount = 10 ** digits

/** Rejection sampling: below this limit, each password corresponds to the same number of 32-bit values. */
const unbiasedLimit = Math.floor(2 ** 32 / passwordCount) * passwordCount

/** Returns a uniformly distributed password of six digits. `draw` returns 32 random bits. */
export function randomPassword(draw: () => number = draw32): string {
  let drawn = draw()
  while (drawn >= unbiasedLimit) drawn = draw()
  return String(drawn % passwordCount).padStart(digits, '0')
}

const draw32 = () => crypto.getRandomValues(new Uint32Array(1))[0]!
