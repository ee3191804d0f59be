// Example recipients for a test delivery: parses them from a form, and publishes them through the catcher as a `data_url`.
import { addressOf } from '../../address.ts'
import { q } from '../../session.ts'

/** An example recipient in the format of a `data_url`. */
export type ExampleRecipient = Record<string, string>

/** Maximum number of example recipients. */
export const maxExamples = 1_000

/** Initial text of the field. */
export const firstLines = 'ann@example.com, Ann, en\nbob@example.com, Bob, en\n+7 701 123 45 67, Aigerim, kk'

/** Parses example recipients: `email or phone, name, locale` per line. The error names the line. */
export function readExamples(text: string): { recipients: ExampleRecipient[]; wrong: string | undefined } {
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line, number: i + 1 }]))
  if (lines.length === 0) return { recipients: [], wrong: 'Must have at least one line' }
  if (lines.length > maxExamples) return { recipients: [], wrong: `Must be at most ${maxExamples} lines` }
  const bad = lines.find(({ line }) => targetOf(partsOf(line)[0]!) === undefined)
  if (bad) {
    const message = `Line ${bad.number} must begin with an email address, a phone with its country code, or collection/recipient`
    return { recipients: [], wrong: message }
  }
  return { recipients: lines.map(({ line }) => recipientOf(line)), wrong: undefined }
}

const partsOf = (line: string) => line.split(',').map((part) => part.trim())

function recipientOf(line: string): ExampleRecipient {
  const [target = '', name = '', locale = ''] = partsOf(line)
  return { ...targetOf(target), ...(name && { name }), ...(locale && { locale }) }
}

function targetOf(text: string): ExampleRecipient | undefined {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return { email: text }
  if (/^[\d\s+().-]+$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ''))) return { phone: text }
  const [, feed_collection, feed_recipient] = /^([a-z]\w*)\/(\S+)$/.exec(text) ?? []
  return feed_collection && feed_recipient ? { feed_collection, feed_recipient } : undefined
}

/**
 * Makes the catcher reply with the recipients, in a separate space. Returns the URL, which is random, since anyone who has it can
 * read the recipients.
 */
export async function publishExamples(recipients: ExampleRecipient[]): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const space = `recipients-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  await q().catcher.put('/_requests_/reply', { space, path: '/recipients', json: { content: recipients } })
  return `${addressOf('catcher')}/recipients?X-Catcher-Space=${space}`
}
