import { isDeeper, parseJson } from '#core/http/json'

const masked = '***'

// Names of parameters that hold a credential or a card's data, in the processor's notifications and as others call them.
// The last four digits stay: they are on every receipt, and tell an operator which card it was (PCI DSS 4.0, 3.4.1).
const secretParameter =
  /token|secret|passw|cryptogram|cvv|cvc|cvn|^pan$|^pin$|^pares$|^md$|^name$|^authcode$|holder|^card_?(number|first_?six|exp)|^exp(iry|ires|_?date)|api_?key/i

const secretHeader = /authorization|cookie|hmac|signature|secret|token|passw|api-?key|credential|jwt|assertion/i

const longestText = 1_000_000
const deepest = 100

/** A header's value as a log may have it. */
export function maskHeader(name: string, value: string): string {
  if (secretHeader.test(name)) return masked
  return value.includes('?') ? maskUrl(value) : maskNumbers(value)
}

/** A URL as a log may have it: without card numbers, card data and credentials. */
export function maskUrl(url: string): string {
  const [, path = '', query] = /^([^?]*)\??(.*)$/s.exec(url) ?? []
  return maskNumbers(decodedDigits(path)) + (query ? `?${maskPairs(query)}` : '')
}

/** A body as a log may have it, whether it is a form, JSON or anything else. */
export function maskBody(text: string): string {
  if (/^\s*[{[]/.test(text)) return maskText(text)
  return /^[^\s=&]+=/.test(text) ? maskPairs(text) : maskNumbers(text)
}

/** JSON or plain text. */
const maskText = (text: string): string => maskJson(text) ?? maskNumbers(text)

/** The pairs of a form, each left as it was sent unless something in it is masked. */
const maskPairs = (text: string): string =>
  text
    .split('&')
    .map((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(pair)
      const kept = secretParameter.test(name) && value !== '' ? masked : maskText(value)
      const keptName = maskNumbers(name)
      return kept === value && keptName === name ? pair : new URLSearchParams([[keptName, kept]]).toString()
    })
    .join('&')
    .replaceAll(encodeURIComponent(masked), masked)

/** JSON text written anew; nothing where it is none. */
function maskJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text) || text.length > longestText) return undefined
  try {
    const value = parseJson(text)
    return isDeeper(value, deepest) ? undefined : maskNumbers(JSON.stringify(value, maskMember))
  } catch {
    return undefined
  }
}

function maskMember(name: string, value: unknown): unknown {
  if (value !== null && value !== '' && secretParameter.test(name)) return masked
  return typeof value === 'string' ? maskText(value) : value
}

/** The digits of a path that were sent as `%34`, so that none hides a number. */
const decodedDigits = (path: string) => path.replace(/%3([0-9])/g, '$1')

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
