import { expect, it } from 'vitest'
import { eraseSteps, exportStep, type PersonalPlace } from '#core/person/places'

/** A place that always has more, and notes the subrequests of its steps. */
const endless = (name: string, subrequests: number | undefined, spent: number[]): PersonalPlace<null> => ({
  name,
  columns: {},
  ...(subrequests !== undefined && { subrequests }),
  async erase() {
    spent.push(subrequests ?? 5)
    return { erased: 1, next: '' }
  },
  async read() {
    spent.push(subrequests ?? 5)
    return { rows: [], next: '' }
  },
})

it.each([undefined, 1, 8, 12, 36, 39])('one call makes at most 40 subrequests, in steps of %s', async (subrequests) => {
  for (const step of [eraseSteps, exportStep]) {
    const spent: number[] = []
    const { next } = await step([endless('rows', subrequests, spent)], null, { user: 'ann' })
    const total = spent.reduce((sum, one) => sum + one, 0)
    expect(total).toBeLessThanOrEqual(40)
    expect(total + (subrequests ?? 5)).toBeGreaterThan(40)
    expect(next).toBe('["rows",""]')
  }
})
