const digits = 6
const passwords = 10 ** digits

/** The numbers of 32 bits below this one fall on each password equally often. */
const even = Math.floor(2 ** 32 / passwords) * passwords

/** Six digits, each password as likely as any other. `draw` gives 32 random bits. */
export function randomPassword(draw: () => number = draw32): string {
  let drawn = draw()
  while (drawn >= even) drawn = draw()
  return String(drawn % passwords).padStart(digits, '0')
}

const draw32 = () => crypto.getRandomValues(new Uint32Array(1))[0]!
