/** How many there are to the inch. */
const units: Record<string, number> = { px: 96, in: 1, cm: 2.54, mm: 25.4, pt: 72, pc: 6 }

/** A CSS length in inches; a number alone is in pixels. Undefined where it is none, or negative. */
export function inchesOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const [, amount, unit = 'px'] =
    /^\+?(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(px|in|cm|mm|pt|pc)?$/i.exec(`${value}`.trim()) ?? []
  return amount === undefined ? undefined : Number(amount) / units[unit.toLowerCase()]!
}
