// Tests how writes of SMS states are batched, and retried at the end of a request.
import { expect, it } from 'vitest'
import { LedgerWriter } from '#sms/ledger'

/** Writes that end only when the test says so. */
function slowWrites() {
  const written: number[][] = []
  const ends: (() => void)[] = []
  const write = (entries: number[]) => {
    written.push(entries)
    return new Promise<void>((end) => ends.push(end))
  }
  return { written, ends, write }
}

it('writes the first entry at once, and batches the entries that follow soon after', async () => {
  const { written, ends, write } = slowWrites()
  const recorder = new LedgerWriter(write)
  void recorder.add(1)
  await expect.poll(() => written).toEqual([[1]])
  for (const entry of [2, 3, 4]) void recorder.add(entry)
  await expect.poll(() => written).toEqual([[1], [2, 3, 4]])
  for (const end of ends) end()
})

it('resolves the promise of an entry once the entry is written', async () => {
  const { ends, write } = slowWrites()
  const recorder = new LedgerWriter(write)
  const events: string[] = []
  const added = recorder.add(1).then(() => events.push('written'))
  await expect.poll(() => ends.length).toBe(1)
  events.push('not yet')
  ends[0]!()
  await added
  expect(events).toEqual(['not yet', 'written'])
})

it('finishes when all entries are written, without waiting for more', async () => {
  const { written, ends, write } = slowWrites()
  const recorder = new LedgerWriter(write)
  const first = recorder.add(1)
  await expect.poll(() => ends.length).toBe(1)
  const second = recorder.add(2)
  const finished = recorder.finish()
  expect(written).toEqual([[1], [2]])
  for (const end of ends) end()
  await Promise.all([first, second, finished])
  expect(written).toEqual([[1], [2]])
})

it('keeps entries whose write failed, and retries them at the end', async () => {
  const written: number[][] = []
  let failures = 2
  const recorder = new LedgerWriter<number>(async (entries) => {
    if (failures-- > 0) throw new Error('The database is away')
    written.push(entries)
  })
  await expect(recorder.add(1)).rejects.toThrow('away')
  recorder.add(2).catch(() => undefined)
  await recorder.finish()
  expect(written.flat().toSorted()).toEqual([1, 2])
})

it('gives up after several attempts', async () => {
  let attempts = 0
  const recorder = new LedgerWriter<number>(async () => {
    attempts++
    throw new Error('The database is away')
  })
  recorder.add(1).catch(() => undefined)
  await recorder.finish()
  expect(attempts).toBeGreaterThan(1)
})

it('does not retry short-lived entries', async () => {
  const written: number[][] = []
  let failures = 1
  const write = async (entries: number[]) => {
    if (failures-- > 0) throw new Error('The database is away')
    written.push(entries)
  }
  const recorder = new LedgerWriter<number>(write, (entry) => entry > 1)
  await expect(recorder.add(1)).rejects.toThrow('away')
  await recorder.add(2)
  await recorder.finish()
  expect(written).toEqual([[2]])
})
