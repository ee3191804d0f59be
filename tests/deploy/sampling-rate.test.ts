import { expect, test } from 'vitest'
import { samplingRateOf } from '../../scripts/deploy/sampling-rate.ts'
import { parseSecrets, secretsOf, unreadOf } from '../../scripts/deploy/secrets.ts'

const secretsIn = (text: string) => parseSecrets(text, ['feed', 'queue'])

const worker = (name: string) => ({ name, file: '', config: { name }, reads: { names: ['A'], prefixes: [] } })

test.each([
  ['', undefined, undefined],
  ['LOG_SAMPLING_RATE=', undefined, undefined],
  ['LOG_SAMPLING_RATE=0.1', 0.1, 0.1],
  ['LOG_SAMPLING_RATE=0', 0, 0],
  ['LOG_SAMPLING_RATE=1\nfeed.LOG_SAMPLING_RATE=0.01', 0.01, 1],
  ['LOG_SAMPLING_RATE=0.1\nfeed.LOG_SAMPLING_RATE=', undefined, 0.1],
])('reads %j as the rates of two Workers', (text, feed, queue) => {
  const secrets = secretsIn(text)
  expect([samplingRateOf(secrets, 'feed'), samplingRateOf(secrets, 'queue')]).toEqual([feed, queue])
})

test.each(['1.5', '-0.1', '10%', 'NaN'])('refuses %s', (text) => {
  expect(() => samplingRateOf(secretsIn(`LOG_SAMPLING_RATE=${text}`), 'feed')).toThrow(
    `LOG_SAMPLING_RATE must be a number from 0 to 1, got "${text}"`,
  )
})

test('is no variable of a Worker, and no unused line', () => {
  const secrets = secretsIn('A=1\nLOG_SAMPLING_RATE=0.1\nfeed.LOG_SAMPLING_RATE=0.2')
  expect(secretsOf(secrets, worker('feed'))).toEqual({ A: '1' })
  expect(unreadOf(secrets, [worker('feed')])).toEqual([])
})
