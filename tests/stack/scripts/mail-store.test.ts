// Tests the store of the mail trap, which keeps the emails of a local start.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MailStore } from '../../../scripts/stack/mail-trap/mail-store.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-mail-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const envelope = { from: 'shop@example.com', to: ['ann@example.com'] }
const add = (mailStore: MailStore, text: string) => mailStore.add(Readable.from([text]), envelope, async () => text)

it('keeps the newest thousand emails, also over a restart', async () => {
  const mailStore = new MailStore(folder)
  for (let n = 0; n < 1_002; n++) await add(mailStore, `mail ${n}`)
  for (const { caught } of [mailStore, new MailStore(folder)]) {
    expect(caught).toHaveLength(1_000)
    expect([caught[0]!.subject, caught.at(-1)!.subject]).toEqual(['mail 1001', 'mail 2'])
  }
  expect(readdirSync(folder)).toHaveLength(2_000)
  expect(String(await mailStore.read(mailStore.caught[0]!))).toBe('mail 1001')
})

it('keeps nothing of an interrupted email', async () => {
  const mailStore = new MailStore(folder)
  const broken = async function* () {
    yield 'half'
    throw new Error('It broke off')
  }
  await expect(mailStore.add(Readable.from(broken()), envelope, async () => '')).rejects.toThrow('It broke off')
  expect(mailStore.caught).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

it('deletes incomplete emails after a crash', async () => {
  await add(new MailStore(folder), 'whole')
  for (const name of ['1.part', '2.json', '3.eml']) writeFileSync(join(folder, name), '{}')
  const { caught } = new MailStore(folder)
  expect(caught.map(({ subject }) => subject)).toEqual(['whole'])
  expect(readdirSync(folder)).toHaveLength(2)
})
