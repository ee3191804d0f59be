// Finds the identifiers of a person in JSON and forms, such as the payload of a task, by whole values.
import { parseMailbox, splitList } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'
import type { Person } from './places.ts'

/** Names of fields whose value is a user. A phone or an email address is found under any name. */
const userFields = /^(user|recipient|feed_recipient|sender|account|account_?id|author)$/i
const recipientFields = /^(recipient|feed_recipient)$/i
const chatFields = /^chat_?id$/i

/** Whether a text, JSON or a form, has a field whose whole value is an identifier of the person. */
export function mentionsPerson(person: Person, text: string): boolean {
  const json = jsonIn(text)
  return json === undefined
    ? [...new URLSearchParams(text)].some(([name, value]) => isPerson(person, name, value))
    : hasPerson(person, json, text)
}

function jsonIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Not recursive: the nesting of a stored payload is not limited. A number counts if the text has its digits, and not as `7.7e10`, so that
 * the database can search for the digits.
 */
function hasPerson(person: Person, json: object, text: string): boolean {
  const open: { name: string; value: unknown }[] = [{ name: '', value: json }]
  for (let field = open.pop(); field; field = open.pop()) {
    const { name, value } = field
    if (Array.isArray(value)) for (const item of value) open.push({ name, value: item })
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) open.push({ name: key, value: inner })
    else if (typeof value === 'string' && isPerson(person, name, value)) return true
    else if (typeof value === 'number' && isPerson(person, name, String(value)) && text.includes(String(value)))
      return true
  }
  return false
}

const isPerson = ({ user, recipient, phone, email, chat_id }: Person, name: string, value: string): boolean =>
  (user !== undefined && value === user && userFields.test(name)) ||
  (recipient !== undefined && value === recipient && recipientFields.test(name)) ||
  (chat_id !== undefined && value === chat_id && chatFields.test(name)) ||
  (phone !== undefined && value.split(',').some((item) => digitsOf(item.trim()) === phone)) ||
  (email !== undefined && value.includes('@') && hasAddress(value, email))

const hasAddress = (value: string, email: string): boolean =>
  splitList(value).some((item) => parseMailbox(item.trim())?.address.toLowerCase() === email)

/**
 * Whether a column of any identifier, such as an account, is the person: exactly the user, or any spelling of the phone or of the
 * email address.
 */
export const isIdentifierOf = ({ user, phone, email }: Person, value: string): boolean =>
  value === user ||
  (phone !== undefined && digitsOf(value.trim()) === phone) ||
  (email !== undefined && value.includes('@') && parseMailbox(value.trim())?.address.toLowerCase() === email)
