// Tests how a component sends rows of the audit log: in numbered batches, again after a failure, and without delaying calls.
import { describe, expect, it } from 'vitest'
import type { AuditBatch, AuditRow } from '#core/access/access-service'
import { recordAudit } from '#core/access/audit'

/** An `access` that stores batches. While `isDown`, it fails; with `losesReplies`, it fails after it has stored the batch. */
function accessStub() {
  const batches: (AuditBatch & { component: string })[] = []
  const state = { isDown: false, losesReplies: 0, attempts: 0 }
  const recordAudit = async (component: string, batch: AuditBatch) => {
    state.attempts++
    if (state.isDown) throw new Error('is down')
    batches.push({ ...batch, component })
    if (state.losesReplies-- > 0) throw new Error('the reply was lost')
  }
  return { batches, state, ACCESS: { recordAudit } as never }
}

const row = (at = Date.now()): AuditRow => ({ at, key: 'root', operation: 'DELETE /x', request: 'r', status: 200 })

describe('rows of the audit log', () => {
  it('are sent after a second, or when there are 100', async () => {
    const { batches, ACCESS } = accessStub()
    for (let n = 0; n < 250; n++) recordAudit({ ACCESS }, 'feed', row())
    await expect
      .poll(() => batches.map(({ number, rows }) => [number, rows.length]))
      .toEqual([
        [1, 100],
        [2, 100],
        [3, 50],
      ])
    expect(new Set(batches.map(({ sender }) => sender)).size).toBe(1)
    recordAudit({ ACCESS }, 'feed', row())
    recordAudit({ ACCESS }, 'badge', row())
    await expect
      .poll(() => batches.slice(3).map(({ component, number }) => [component, number]))
      .toEqual([
        ['feed', 4],
        ['badge', 1],
      ])
  })

  it('of another day are in another batch, with another sender', async () => {
    const { batches, ACCESS } = accessStub()
    recordAudit({ ACCESS }, 'feed', row(Date.UTC(2026, 0, 1, 23, 59, 59)))
    recordAudit({ ACCESS }, 'feed', row(Date.UTC(2026, 0, 2)))
    await expect
      .poll(() => batches)
      .toMatchObject([
        { date: '2026-01-01', number: 1, rows: [{}] },
        { date: '2026-01-02', number: 1, rows: [{}] },
      ])
    expect(batches[0]!.sender).not.toBe(batches[1]!.sender)
  })

  it('are sent again with the same number if the reply is lost', async () => {
    const { batches, state, ACCESS } = accessStub()
    state.losesReplies = 1
    recordAudit({ ACCESS }, 'feed', row())
    await expect.poll(() => batches.length).toBe(2)
    expect(batches[1]).toEqual(batches[0])
  })

  it('are sent in order once access answers again; the oldest are dropped if there are too many', async () => {
    const { batches, state, ACCESS } = accessStub()
    state.isDown = true
    for (let n = 0; n < 10_350; n++) recordAudit({ ACCESS }, 'feed', row())
    await expect.poll(() => state.attempts).toBeGreaterThan(1)
    state.isDown = false
    await expect.poll(() => batches.at(-1)?.rows.length).toBe(50)
    const numbers = batches.map(({ number }) => number)
    expect(numbers.at(-1)).toBe(104)
    // Each batch announces those that wait, so that the log shows a gap if the isolate ends before it sends them.
    expect(batches.map(({ numbered }) => numbered)).toEqual(numbers.map(() => 104))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers)
    expect(numbers.length).toBeLessThan(104)
  })

  it('are recorded with a binding and unless AUDIT is off', async () => {
    const { batches, ACCESS } = accessStub()
    recordAudit({}, 'feed', row())
    recordAudit({ ACCESS, AUDIT: 'off' }, 'feed', row())
    recordAudit({ ACCESS, AUDIT: 'write' }, 'badge', row())
    await expect.poll(() => batches.map(({ component }) => component)).toEqual(['badge'])
  })
})
