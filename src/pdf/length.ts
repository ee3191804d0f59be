import * as z from 'zod'

const message = 'Must be a length with its unit, such as 10mm: mm, cm, in, pt, pc or px'

/** A CSS length, as text with its unit; 0 needs none. At most 9 digits and a unit. */
export const Length = z
  .union([z.string(), z.number()], { error: message })
  .transform((given, { issues }): string => {
    const [, digits, unit] = /^(\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})(mm|cm|in|pt|pc|px)?$/i.exec(String(given).trim()) ?? []
    if (digits && unit) return `${Number(digits)}${unit.toLowerCase()}`
    if (Number(digits) === 0) return '0px'
    issues.push({ code: 'custom', input: given, message })
    return z.NEVER
  })
  .meta({ type: 'string', examples: ['10mm'] })
