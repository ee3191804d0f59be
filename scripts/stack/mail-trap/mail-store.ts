// Stores the emails of a local start (the mail trap) as files.
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Sender and recipients, as in the SMTP commands. */
export interface Envelope {
  from: string
  to: string[]
}

/** An email's metadata. */
export interface CaughtMail {
  id: string
  /** Time of arrival, in milliseconds since 1970. */
  at: number
  size: number
  envelope: Envelope
  /** The decoded subject of the email. */
  subject: string
}

const limits = { mails: 1_000, bytes: 500_000_000 }

/**
 * Stores the newest thousand emails in a folder, so that they survive a restart. Each is an unchanged `.eml` file with
 * its metadata in a second file.
 */
export class MailStore {
  readonly #folder: string
  readonly #caught: CaughtMail[]
  #count = 0

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#folder = folder
    this.#caught = load(folder)
  }

  /** Emails, newest first. */
  get caught(): CaughtMail[] {
    return this.#caught.toReversed()
  }

  /** Stores an email once its content is complete. An interrupted email leaves no files. */
  async add(content: Readable, envelope: Envelope, subjectOf: (mail: Buffer) => Promise<string>): Promise<void> {
    const at = Date.now()
    const id = `${String(at).padStart(13, '0')}-${String(this.#count++ % 1_000_000).padStart(6, '0')}`
    const part = this.#path(id, 'part')
    try {
      await pipeline(content, createWriteStream(part, { mode: 0o600 }))
      const subject = await subjectOf(await readFile(part))
      const mail = { id, at, size: statSync(part).size, envelope, subject }
      writeFileSync(this.#path(id, 'json'), JSON.stringify(mail), { mode: 0o600 })
      await rename(part, this.#path(id, 'eml'))
      this.#caught.push(mail)
    } finally {
      await rm(part, { force: true })
    }
    this.#trim()
  }

  find(id: string): CaughtMail | undefined {
    return this.#caught.find((mail) => mail.id === id)
  }

  read({ id }: CaughtMail): Promise<Buffer> {
    return readFile(this.#path(id, 'eml'))
  }

  clear() {
    this.deleteWhere(() => true)
  }

  /** Deletes the emails for which `isDeleted` is true, and returns their number. */
  deleteWhere(isDeleted: (mail: CaughtMail) => boolean): number {
    const deleted = this.#caught.filter(isDeleted)
    for (const mail of deleted) {
      this.#caught.splice(this.#caught.indexOf(mail), 1)
      this.#remove(mail.id)
    }
    return deleted.length
  }

  #trim() {
    let bytes = this.#caught.reduce((sum, { size }) => sum + size, 0)
    while (this.#caught.length > limits.mails || bytes > limits.bytes) {
      const { id, size } = this.#caught.shift()!
      bytes -= size
      this.#remove(id)
    }
  }

  #remove(id: string) {
    for (const kind of ['eml', 'json']) rmSync(this.#path(id, kind), { force: true })
  }

  #path = (id: string, kind: string) => join(this.#folder, `${id}.${kind}`)
}

/** Loads the metadata of all emails, and deletes incomplete ones that a crash left. */
function load(folder: string): CaughtMail[] {
  const files = new Set(readdirSync(folder))
  const ids = [...files].filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -4))
  const whole = ids.filter((id) => files.delete(`${id}.json`) && files.delete(`${id}.eml`)).sort()
  for (const name of files) rmSync(join(folder, name), { recursive: true, force: true })
  return whole.map((id) => JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')) as CaughtMail)
}
