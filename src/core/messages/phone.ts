/** The digits of a phone, 7 to 15 (ITU-T E.164), without `+ ( ) - .` and spaces; nothing where anything else is in it. */
export function digitsOf(text: string): string | undefined {
  const digits = text.replace(/[\p{Zs}+().-]/gu, '')
  return /^\d{7,15}$/.test(digits) ? digits : undefined
}

/** A phone as a log may show it: its last three digits. */
export const masked = (phone: string) => '*'.repeat(phone.length - 3) + phone.slice(-3)
