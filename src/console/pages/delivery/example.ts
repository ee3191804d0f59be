import { q } from '../../session.ts'

/** Somebody whom a delivery is tried with, as a `data_url` names them. */
export type ExampleRecipient = Record<string, string>

/** The most that a page of example recipients has. */
export const mostExamples = 1_000

/** What the field begins with. */
export const firstLines = 'ann@example.com, Ann, en\nbob@example.com, Bob, en\n+7 701 123 45 67, Aigerim, kk'

/** Recipients as they were typed: `email or phone, name, locale` a line. What cannot be read is said by its line. */
export function readExamples(text: string): { recipients: ExampleRecipient[]; wrong: string | undefined } {
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line, number: i + 1 }]))
  if (lines.length === 0) return { recipients: [], wrong: 'Needs one line at least' }
  if (lines.length > mostExamples) return { recipients: [], wrong: `Must be at most ${mostExamples} lines` }
  const bad = lines.find(({ line }) => targetOf(partsOf(line)[0]!) === undefined)
  if (bad) {
    const wrong = `Line ${bad.number} begins with no email address, no phone with its country code and no record of the feed`
    return { recipients: [], wrong }
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
 * Has the catcher answer with the recipients, in a space of their own, and gives the address that does so. Who knows it
 * can read them, so it cannot be guessed.
 */
export async function publishExamples(recipients: ExampleRecipient[]): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const space = `recipients-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  await q().catcher.put('/_requests_/reply', { space, path: '/recipients', json: { content: recipients } })
  return `${location.origin}/catcher/recipients?X-Catcher-Space=${space}`
}
