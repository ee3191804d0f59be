// Tests the sweep of the one-time passwords, which deletes expired rows.
import { describe, expect, it } from 'vitest'
import { sweepPasswords } from '#otp/sweep'
import { claimPassword, storeUpdate } from '#otp/updates'
import { freshChat, otps } from './support.ts'

const now = Date.now()
const day = 86_400_000

describe.each(otps())('a sweep on $dialect', ({ otp, sweep, queue, env }) => {
  const issued = (age: number) => ({
    ...{ channel: 'chatapp' as const, target: freshChat(), sealed: '' },
    ...{ digest: crypto.randomUUID(), channel_digest: crypto.randomUUID() },
    created_at: new Date(now - age - 60_000),
    expires_at: new Date(now - age),
  })

  it('deletes all expired passwords, in any number, and nothing else', async () => {
    const { db, passwords, claims } = otp
    // Requests of an earlier test file in the same runtime may still store passwords after their replies.
    await db.delete(passwords)
    await db.delete(claims)
    const live = issued(-day)
    const rows = [live, ...Array.from({ length: 2_500 }, (_, i) => issued(i + 1))]
    for (let at = 0; at < rows.length; at += 10) await db.insert(passwords).values(rows.slice(at, at + 10))
    for (const row of rows.slice(0, 3)) await claimPassword(otp, row, row.created_at)
    await sweep()
    expect(await db.select({ digest: passwords.digest }).from(passwords)).toEqual([{ digest: live.digest }])
    expect(await db.select({ digest: claims.channel_digest }).from(claims)).toEqual([{ digest: live.channel_digest }])
  })

  it('deletes a limited number of rows, and the rest in the next sweeps', async () => {
    const { db, passwords } = otp
    await db.delete(passwords)
    const rows = Array.from({ length: 2_500 }, (_, i) => issued(i + 1))
    for (let at = 0; at < rows.length; at += 10) await db.insert(passwords).values(rows.slice(at, at + 10))
    const left = async () => db.$count(passwords)
    await sweepPasswords(env, { batches: 2, end: Number.POSITIVE_INFINITY })
    expect(await left()).toBe(500)
    await sweepPasswords(env, { batches: 2, end: 0 })
    expect(await left()).toBe(500)
    await sweep()
    expect(await left()).toBe(0)
  })

  it('keeps an update for two days, so that it gets one reply only', async () => {
    const { db, updates } = otp
    await storeUpdate(otp, 1, issued(day))
    await storeUpdate(otp, 2, issued(2 * day))
    await sweep()
    expect(await db.select({ id: updates.id }).from(updates)).toEqual([{ id: 1 }])
    expect(queue.takeTasks()).toEqual([])
  })

  it('deletes updates after OTP_RETENTION', async () => {
    const { db, updates } = otp
    await db.delete(updates)
    await storeUpdate(otp, 11, issued(day))
    await storeUpdate(otp, 12, issued(3 * day))
    await sweepPasswords({ ...env, OTP_RETENTION: String((4 * day) / 1_000) })
    expect(await db.select({ id: updates.id }).from(updates).orderBy(updates.id)).toEqual([{ id: 11 }, { id: 12 }])
    await sweepPasswords({ ...env, OTP_RETENTION: String(day / 1_000) })
    expect(await db.select({ id: updates.id }).from(updates)).toEqual([])
  })
})
