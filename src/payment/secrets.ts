// Names of parameters that hold a credential or a card's data, in the processor's notifications and as others call them.
// The last four digits stay: they are on every receipt, and tell an operator which card it was (PCI DSS 4.0, 3.4.1).
const secretParameter =
  /token|secret|passw|cryptogram|cvv|cvc|cvn|^pan$|^pin$|^pares$|^md$|^name$|^authcode$|holder|^card_?(number|first_?six|exp)|^exp(iry|ires|_?date)|api_?key/i

const secretHeader = /authorization|cookie|hmac|signature|secret|token|passw|api-?key|credential|jwt|assertion/i

/** Of a longer one only the last word is looked at: it is the text before a name. */
const longestName = 100

/** Whether what has this name is a secret: `Token`, `card[cvv]`, or `Name` after the end of a line. */
export function isSecret(name: string): boolean {
  if (name.length <= longestName && secretParameter.test(name)) return true
  const word = name.split(/[^\w.[\]-]+/).findLast(Boolean) ?? ''
  return word.split(/[.[\]]+/).some((part) => secretParameter.test(part))
}

export const isSecretHeader = (name: string) => secretHeader.test(name)
