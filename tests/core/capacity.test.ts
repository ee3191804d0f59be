// Tests that requests that add rows are refused when a D1 database is nearly full.
import { expect, it } from 'vitest'
import { checkCapacity, measureWith } from '#core/db/capacity'
import { notConfigured } from '#core/failure'

const full = { code: 'database_full', headers: { 'retry-after': '3600' } }

/** A database with a limit of 1000 bytes and this size. It counts how often it is measured. */
function database(bytes: number) {
  const state = { bytes, measured: 0 }
  measureWith(async () => {
    state.measured++
    return { bytes: state.bytes, limit: 1_000 }
  })
  return state
}

it.each([950, 951, 2_000])('refuses a call that adds rows at %i of 1000 bytes', async (bytes) => {
  database(bytes)
  await expect(checkCapacity({})).rejects.toMatchObject(full)
})

it.each([0, 899, 900, 949])('admits one at %i of 1000 bytes', async (bytes) => {
  database(bytes)
  await expect(checkCapacity({})).resolves.toBeUndefined()
})

it('measures at each call near the limit, and once a minute below', async () => {
  for (const [bytes, measured] of [
    [500, 1],
    [920, 3],
  ] as const) {
    const state = database(bytes)
    const env = {}
    for (let call = 0; call < 3; call++) await checkCapacity(env)
    expect(state.measured).toBe(measured)
  }
})

it('admits calls again as soon as there is room', async () => {
  const state = database(990)
  const env = {}
  await expect(checkCapacity(env)).rejects.toMatchObject(full)
  state.bytes = 940
  await expect(checkCapacity(env)).resolves.toBeUndefined()
})

it('lets the call itself fail if the database does not answer', async () => {
  measureWith(() => Promise.reject(new Error('The database is down')))
  await expect(checkCapacity({})).resolves.toBeUndefined()
})

it('throws the error about an invalid limit', async () => {
  measureWith(() => Promise.reject(notConfigured('DATABASE_LIMIT_BYTES must be a whole number')))
  await expect(checkCapacity({})).rejects.toMatchObject({ code: 'not_configured' })
})
