// Names of parameters with a credential or card data: those of payment processors' notifications, and common other names.
// The last four digits of a card are not masked: every receipt shows them, and they identify the card (PCI DSS 4.0, 3.4.1).
const secretParameter =
  /token|secret|passw|passphrase|cryptogram|cvv|cvc|cvn|^pares$|^md$|^name$|^auth_?code$|holder|track_?(data|[123])\b|credential/i

// Names that are compared word by word, such as `securityCode`, `security_code` and `card[security-code]`. To match these words as
// substrings would mask too much.
const secretWords = new RegExp(
  [
    '(pan|pin|pwd|pass|csc)\\d?',
    '(security|verification|validation|pin|access|pass)_(code|value|number|data)',
    '(access|api|private|signing|encryption|secret)_?key',
    '(security|verification|access|pin|pass)code',
    'card_?(no|num|number|first_?six|bin|exp[a-z]*|code)',
    'exp(iry|ires|iration)?(_?(date|month|year|mm|yy|yyyy|mmyy))?',
    '(valid|good)_?(thru|through|to|until|till)',
  ]
    .map((words) => `_${words}_`)
    .join('|'),
)

const secretHeader = /authorization|cookie|hmac|signature|secret|token|passw|api-?key|credential|jwt|assertion/i

/** Maximum length of a name. Of a longer text before a `=` or colon, only the last word is the name. */
const maxNameLength = 100

/** Whether a parameter name stands for a secret, such as `Token` or `card[cvv]`. Text may precede the name. */
export function isSecret(name: string): boolean {
  if (name.length <= maxNameLength && isSecretName(name)) return true
  const word = name.split(/[^\w.[\]-]+/).findLast(Boolean) ?? ''
  return word.split(/[.[\]]+/).some(isSecretName)
}

const isSecretName = (name: string): boolean =>
  /[a-z]/i.test(name) && (secretParameter.test(name) || secretWords.test(`_${wordsOf(name)}_`))

/** Converts `validThru`, `valid-thru` and `VALID THRU` to `valid_thru`. */
const wordsOf = (name: string) =>
  name
    .slice(-maxNameLength)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase()

export const isSecretHeader = (name: string) => secretHeader.test(name)
