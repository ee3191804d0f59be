// Generates the random passwords that the bot sends to users. On all other channels the calling application chooses the
// password.
const digits = 6
const passwordCount = 10 ** digits

/**
 * Limit for rejection sampling. Below it, each password corresponds to the same number of 32-bit values, so all passwords are
 * equally likely.
 */
const unbiasedLimit = Math.floor(2 ** 32 / passwordCount) * passwordCount

/** Returns a random password of six digits, uniformly distributed. `draw` returns 32 random bits. */
export function randomPassword(draw: () => number = draw32): string {
  let drawn = draw()
  while (drawn >= unbiasedLimit) drawn = draw()
  return String(drawn % passwordCount).padStart(digits, '0')
}

const draw32 = () => crypto.getRandomValues(new Uint32Array(1))[0]!
