import { describe, expect, it } from 'vitest'
import { cutoffOf, deleteInBatches, hasBudget, itemsOfMinute, rowsPerBatch } from '#core/db/retention'

const now = new Date('2026-01-02T00:00:00Z')

describe('a retention variable', () => {
  it('is in whole seconds', () => {
    expect(cutoffOf('A_RETENTION', '86400', now)).toEqual(new Date('2026-01-01T00:00:00Z'))
    expect(cutoffOf('A_RETENTION', '9999999999', now)).toEqual(new Date(now.getTime() - 9_999_999_999_000))
  })

  it('keeps everything if it is not set', () => {
    for (const value of [undefined, '']) expect(cutoffOf('A_RETENTION', value, now)).toBeUndefined()
  })

  it.each(['0', '01', '-1', '1.5', '1e3', ' 1', '7d', '99999999999'])('is refused as %j', (value) => {
    expect(() => cutoffOf('A_RETENTION', value, now)).toThrow('A_RETENTION must be a whole number of seconds')
  })
})

describe('deletion in batches', () => {
  const end = Number.POSITIVE_INFINITY

  /** Counts the batches that are deleted of a number of rows. */
  const batchesOf = async (budget: { batches: number; end: number }, rows: number, maxBatches?: number) => {
    let [left, batches] = [rows, 0]
    const deleteBatch = async () => {
      const deleted = Math.min(left, rowsPerBatch)
      left -= deleted
      batches++
      return deleted
    }
    await deleteInBatches(budget, deleteBatch, maxBatches)
    return batches
  }

  it('ends with a batch that is not full', async () => {
    expect(await batchesOf({ batches: 200, end }, 0)).toBe(1)
    expect(await batchesOf({ batches: 200, end }, 2_500)).toBe(3)
    expect(await batchesOf({ batches: 200, end }, 3_000)).toBe(4)
  })

  it('ends with the budget, which tables share', async () => {
    const budget = { batches: 5, end }
    expect(await batchesOf(budget, 1e9, 3)).toBe(3)
    expect(await batchesOf(budget, 1e9, 3)).toBe(2)
    expect([hasBudget(budget), await batchesOf(budget, 1e9)]).toEqual([false, 0])
    expect(await batchesOf({ batches: 5, end: 0 }, 1e9)).toBe(0)
  })
})

describe('the items of a minute', () => {
  const minute = (n: number) => new Date(n * 60_000)

  it('are all items if they are few', () => {
    for (let n = 0; n < 5; n++) expect(itemsOfMinute([1, 2, 3], 10, minute(n)).toSorted()).toEqual([1, 2, 3])
    expect(itemsOfMinute([], 10, now)).toEqual([])
  })

  it('take turns if they are many', () => {
    const items = Array.from({ length: 250 }, (_, n) => n)
    const visited = [0, 1, 2].flatMap((n) => itemsOfMinute(items, 100, minute(n)))
    expect(visited).toHaveLength(300)
    expect(new Set(visited).size).toBe(250)
  })

  it.each([1, 2, 7, 20, 25, 50, 60, 100, 101, 120, 150, 200, 240, 250, 1_000])(
    'give each of %i items its turn in a day, also if each sweep has time for ten only',
    (count) => {
      const items = Array.from({ length: count }, (_, n) => n)
      const visits = items.map(() => 0)
      const worked = items.map(() => 0)
      for (let n = 0; n < 1_440; n++) {
        const visited = itemsOfMinute(items, 100, minute(n))
        for (const item of visited) visits[item]!++
        for (const item of visited.slice(0, 10)) worked[item]!++
      }
      const fairVisits = (1_440 * Math.min(count, 100)) / count
      const fairWork = (1_440 * Math.min(count, 10)) / count
      expect(Math.min(...visits)).toBeGreaterThanOrEqual(Math.floor(fairVisits / 2))
      expect(Math.min(...worked)).toBeGreaterThanOrEqual(Math.floor(fairWork / 3))
    },
  )
})
