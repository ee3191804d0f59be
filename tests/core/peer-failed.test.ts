// Tests how errors of another component are converted for the caller.
import { expect, it } from 'vitest'
import { failure, invalid, notConfigured } from '#core/failure'
import { peerFailed } from '#core/outgoing/peer-failed'

const replaced = (error: unknown, more?: Parameters<typeof peerFailed>[3]) =>
  peerFailed(error, 'queue', 'The queue did not take it', more)

it('replaces an error of a peer by a failure of the peer', () => {
  const cause = invalid('delay', 'Must be a number')
  expect(replaced(cause)).toMatchObject({
    ...{ status: 502, code: 'queue_failed', message: 'The queue did not take it' },
    ...{ cause, errors: undefined, undone: undefined },
  })
})

it('marks the error if the call had no effect', () => {
  expect(replaced(invalid('delay', 'No'), { undone: true })).toMatchObject({ undone: true })
})

it('returns a missing configuration, passed statuses and bugs unchanged', () => {
  const unset = notConfigured('Set QUEUE_URL')
  const late = failure('upstream_timeout', 'Too late')
  expect(replaced(unset)).toBe(unset)
  expect(replaced(late)).toMatchObject({ status: 502 })
  expect(replaced(late, { passed: [504] })).toBe(late)
  const bug = new TypeError('bug')
  expect(replaced(bug)).toBe(bug)
})
