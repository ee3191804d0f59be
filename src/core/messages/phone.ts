/**
 * The 7 to 15 digits of a phone number (ITU-T E.164). Ignores `+ ( ) - .` and spaces; `undefined` for other characters or
 * another number of digits.
 */
export function digitsOf(text: string): string | undefined {
  const digits = text.replace(/[\p{Zs}+().-]/gu, '')
  return /^\d{7,15}$/.test(digits) ? digits : undefined
}

/** Masks a phone number for logs: only the last three digits are shown. */
export const masked = (phone: string) => '*'.repeat(phone.length - 3) + phone.slice(-3)
