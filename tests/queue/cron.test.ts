// Tests of cron expressions: their times, also across changes to daylight-saving time, and their validation.
import { describe, expect, it } from 'vitest'
import { checkCron, nextTime } from '#queue/schedules'

/** The first `count` times of a cron expression after `after`, in UTC. */
function times(cron: string, timezone: string, after: string, count: number) {
  const named: string[] = []
  for (let at: number | null = Date.parse(after); named.length < count; ) {
    at = nextTime(cron, timezone, at!)
    named.push(new Date(at!).toISOString())
  }
  return named
}

describe('the times of a schedule', () => {
  it('are in order, each after the previous one', () => {
    expect(times('*/20 * * * *', 'UTC', '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-01T00:20:00.000Z',
      '2026-01-01T00:40:00.000Z',
      '2026-01-01T01:00:00.000Z',
    ])
    expect(times('*/30 * * * * *', 'UTC', '2026-01-01T00:00:29.999Z', 2)).toEqual([
      '2026-01-01T00:00:30.000Z',
      '2026-01-01T00:01:00.000Z',
    ])
    expect(times('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2028-02-29T00:00:00.000Z'])
  })

  it('use the time zone, with summer and winter time', () => {
    expect(times('0 9 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 2)).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
    ])
    expect(times('0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T03:30:00.000Z'])
  })

  it('occur once a day when the clock changes', () => {
    const daysOf = (after: string) => times('30 2 * * *', 'Europe/Berlin', after, 3).map((time) => time.slice(0, 10))
    expect(daysOf('2026-03-27T12:00:00Z')).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
    expect(daysOf('2026-10-23T12:00:00Z')).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
  })

  it('occur each hour when the clock goes back', () => {
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ])
  })

  it('end with null', () => {
    expect(nextTime('0 0 30 2 *', 'UTC', Date.now())).toBeNull()
  })
})

describe('a cron expression', () => {
  it.each(['* * * * *', '*/5 * * * * *', '0 9 * * MON-FRI', '0 0 1,15 * *', '0 0 L * *'])('accepts %s', (cron) =>
    expect(() => checkCron(cron, 'America/New_York')).not.toThrow(),
  )

  it.each([
    ['', 'UTC'],
    ['*', 'UTC'],
    ['* * * *', 'UTC'],
    ['* * * * * * * *', 'UTC'],
    ['60 * * * *', 'UTC'],
    ['* 24 * * *', 'UTC'],
    ['* * 32 * *', 'UTC'],
    ['* * * 13 *', 'UTC'],
    ['a b c d e', 'UTC'],
    ['* * * * * ; x', 'UTC'],
    ['*/0 * * * *', 'UTC'],
    ['0 0 30 2 *', 'UTC'],
    // A date instead of a cron expression, which the library croner would accept.
    ['2020-01-01T00:00:00', 'UTC'],
    ['2100-01-01T00:00:00', 'UTC'],
    // Seven fields, the last of which is a year, which the library croner would accept.
    ['0 0 0 1 1 * 2100', 'UTC'],
  ])('rejects %j', (cron, timezone) => {
    expect(() => checkCron(cron, timezone)).toThrowError(
      expect.objectContaining({ status: 400, errors: { cron: expect.any(String) } }),
    )
  })

  it.each(['Mars/Olympus', '', 'UTC+25', '../etc'])('rejects the time zone %j', (timezone) => {
    expect(() => checkCron('* * * * *', timezone)).toThrowError(
      expect.objectContaining({ status: 400, errors: { timezone: expect.any(String) } }),
    )
  })
})
