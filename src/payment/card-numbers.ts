/** What stands in the place of all that is masked. */
export const masked = '***'

// 13 to 19 digits, as cards have them (ISO/IEC 7812), also in groups.
const digits = /\d(?:[ -]?\d){12,}/g

/** Text without the numbers that may be a card's: such as pass the check of Luhn. */
export const maskNumbers = (text: string): string => text.replace(digits, (run) => (hasCardNumber(run) ? masked : run))

/** Of digits in groups, and of more than a card has, no part may be one either. */
function hasCardNumber(run: string): boolean {
  const number = run.replace(/\D/g, '')
  if (run === number && number.length <= longest) return passesLuhn(number)
  if (number.length > 2 * longest) return true // Nothing that belongs into a notification.
  for (let length = shortest; length <= Math.min(longest, number.length); length++)
    for (let at = 0; at + length <= number.length; at++) if (passesLuhn(number.slice(at, at + length))) return true
  return false
}

const shortest = 13
const longest = 19

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
