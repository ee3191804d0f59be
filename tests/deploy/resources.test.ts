// Tests the creation of D1 databases and R2 buckets by a deployment.
import { expect, test } from 'vitest'
import { ensureBuckets, ensureDatabases } from '../../scripts/deploy/resources.ts'
import { Stop } from '../../scripts/deploy/stop.ts'
import type { Wrangler } from '../../scripts/deploy/wrangler.ts'

const replying =
  (replies: Record<string, string | Error>, calls: string[] = []): Wrangler =>
  async (args) => {
    const call = args.join(' ')
    calls.push(call)
    const reply = replies[call]
    if (reply instanceof Error) throw reply
    return { stdout: reply ?? '', deployed: undefined }
  }
const silent = () => undefined

test('makes no call if no resources are needed', async () => {
  const calls: string[] = []
  await ensureDatabases([], replying({}, calls), silent)
  await ensureBuckets([], replying({}, calls), silent)
  expect(calls).toEqual([])
})

test('skips other output of wrangler before the list of databases', async () => {
  const wrangler = replying({ 'd1 list --json': 'A word [before]\n[{"uuid": "1", "name": "feed"}]\n' })
  expect(await ensureDatabases(['feed'], wrangler, silent)).toEqual({ feed: '1' })
})

test('stops if a created database is not listed', async () => {
  const ensured = ensureDatabases(['feed'], replying({ 'd1 list --json': '[]' }), silent)
  await expect(ensured).rejects.toThrow('The database feed was created, but the account does not list it yet')
})

test('accepts an existing bucket beyond the first page of the list', async () => {
  const exists = new Stop('A request failed. The bucket you tried to create already exists. [code: 10004]')
  const lines: string[] = []
  const wrangler = replying({ 'r2 bucket list': 'name:  other\n', 'r2 bucket create media': exists })
  await ensureBuckets(['media', 'other'], wrangler, (line) => lines.push(line))
  expect(lines).toEqual([])
})

test('passes on the error of a bucket that cannot be created', async () => {
  const wrangler = replying({ 'r2 bucket create media': new Stop('Please enable R2 [code: 10042]') })
  await expect(ensureBuckets(['media'], wrangler, silent)).rejects.toThrow('Please enable R2')
})
