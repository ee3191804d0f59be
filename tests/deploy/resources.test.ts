import { expect, test } from 'vitest'
import { ensureBuckets, ensureDatabases } from '../../scripts/deploy/resources.ts'
import { Stop } from '../../scripts/deploy/stop.ts'
import type { Wrangler } from '../../scripts/deploy/wrangler.ts'

const replying =
  (replies: Record<string, string | Error>, asked: string[] = []): Wrangler =>
  async (args) => {
    const call = args.join(' ')
    asked.push(call)
    const reply = replies[call]
    if (reply instanceof Error) throw reply
    return { stdout: reply ?? '', deployed: undefined }
  }
const silent = () => undefined

test('asks for nothing where nothing is needed', async () => {
  const asked: string[] = []
  await ensureDatabases([], replying({}, asked), silent)
  await ensureBuckets([], replying({}, asked), silent)
  expect(asked).toEqual([])
})

test('reads the list of databases after whatever wrangler says before it', async () => {
  const wrangler = replying({ 'd1 list --json': 'A word [before]\n[{"uuid": "1", "name": "feed"}]\n' })
  expect(await ensureDatabases(['feed'], wrangler, silent)).toEqual({ feed: '1' })
})

test('stops where a database that was created is not listed', async () => {
  const ensured = ensureDatabases(['feed'], replying({ 'd1 list --json': '[]' }), silent)
  await expect(ensured).rejects.toThrow('The database feed was created, but the account does not list it yet')
})

test('takes a bucket that exists beyond the first page', async () => {
  const exists = new Stop('A request failed. The bucket you tried to create already exists. [code: 10004]')
  const said: string[] = []
  const wrangler = replying({ 'r2 bucket list': 'name:  other\n', 'r2 bucket create media': exists })
  await ensureBuckets(['media', 'other'], wrangler, (line) => said.push(line))
  expect(said).toEqual([])
})

test('passes on why a bucket cannot be created', async () => {
  const wrangler = replying({ 'r2 bucket create media': new Stop('Please enable R2 [code: 10042]') })
  await expect(ensureBuckets(['media'], wrangler, silent)).rejects.toThrow('Please enable R2')
})
