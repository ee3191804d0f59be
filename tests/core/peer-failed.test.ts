import { expect, it } from 'vitest'
import { failure, invalid, notConfigured } from '#core/failure'
import { peerFailed } from '#core/outgoing/peer-failed'

const told = (error: unknown, more?: Parameters<typeof peerFailed>[3]) =>
  peerFailed(error, 'queue', 'The queue did not take it', more)

it('what a peer refuses is a failure of the peer', () => {
  const cause = invalid('delay', 'Must be a number')
  expect(told(cause)).toMatchObject({
    ...{ status: 502, code: 'queue_failed', message: 'The queue did not take it' },
    ...{ cause, errors: undefined, undone: undefined },
  })
})

it('it says where nothing has taken effect', () => {
  expect(told(invalid('delay', 'No'), { undone: true })).toMatchObject({ undone: true })
})

it('a missing configuration, what is to be passed on, and a bug stay as they are', () => {
  const unset = notConfigured('Set QUEUE_URL')
  const late = failure('upstream_timeout', 'Too late')
  expect(told(unset)).toBe(unset)
  expect(told(late)).toMatchObject({ status: 502 })
  expect(told(late, { passed: [504] })).toBe(late)
  const bug = new TypeError('bug')
  expect(told(bug)).toBe(bug)
})
