// Tests that each SMS driver sends requests and reads replies as its provider's documentation describes.
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ProviderOutcome } from '#sms/providers/driver'
import type { Plan, Seen } from '../../support/sms-providers.ts'
import { runs } from '../../support/tier.ts'
import type { Subject } from './setting.ts'
import { refused, seenBy, server, set, unknown } from './setting.ts'
import { subjects } from './subjects.ts'

const levels = ['debug', 'info', 'log', 'warn', 'error'] as const
const printed = levels.map((level) => vi.spyOn(console, level))

afterEach(() => {
  for (const print of printed) expect(print).not.toHaveBeenCalled()
})

const texts = [
  'Hello',
  'Tom & Jerry <b>"x"</b> a=b;c+d 100%41 #?/',
  '{phone} {password} {text} $& $1 \\u0041',
  'line one\nline two\r\nthree',
  ' between spaces ',
  'price: 5€ [~]{^}|\\',
  'Привет, мир',
  'ñandú çedilla 你好',
  '😀 👨‍👩‍👧 🇰🇿',
]

describe.each(subjects)('$name', (subject) => {
  const { accepted } = subject

  it('accepts a message whose request follows the documentation', async () => {
    const { send, seen } = set(subject)
    expect(await send()).toEqual(accepted)
    const all = await seen()
    expect(all).toEqual([expect.not.objectContaining({ objection: expect.anything() })])
    expect(subject.phoneOf(all[0]!).replace(/^\+/, '')).toBe('77011234567')
  })

  it('gets the receipt URL', async () => {
    const { send, seen } = set(subject)
    await send({ receiptUrl: 'https://api.quartermaster.dev/sms/receipt/provider_a' })
    expect((await seen())[0]).not.toHaveProperty('objection')
  })

  it.runIf(subject.tellsParts)('reports the number of segments', async () => {
    const { plan, send } = set(subject)
    await plan({ does: 'accept', parts: 3 })
    expect(await send()).toEqual({ ...accepted, segments: 3 })
  })

  it.each(texts)('gets the text %j unchanged', async (text) => {
    const { send, seen } = set(subject)
    expect(await send({ text })).toEqual(accepted)
    expect(subject.textOf((await seen())[0]!)).toBe(text)
  })

  it('gets any text unchanged', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== '')
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const { send, seen } = set(subject)
        expect(await send({ text })).toEqual(accepted)
        expect(subject.textOf((await seen())[0]!)).toBe(text)
      }),
      { numRuns: runs(20) },
    )
  })

  it.each(subject.errors)('maps its error %s as documented', async (code, outcome) => {
    const { plan, send } = set(subject)
    await plan({ does: 'fail', code })
    expect(without(subject, await send())).toEqual(outcome)
  })

  it.each(['PASSWORD', 'APIKEY'].filter((name) => name in subject.variables))('refuses a wrong %s', async (name) => {
    const { send } = set(subject, { [name]: 'wrong' })
    expect(await send()).toEqual(refused('credentials'))
  })

  it.runIf(subject.throttling)('reports the retry delay of the provider', async () => {
    const { plan, send } = set(subject)
    const waits = async (headers?: Record<string, string>) => {
      await plan({ does: 'fail', code: subject.throttling!, ...(headers && { headers }) })
      return send()
    }
    expect(await waits()).toEqual(refused('throttled'))
    expect(await waits({ 'retry-after': '7' })).toEqual(refused('throttled', 7))
  })

  const saying = (answer: Plan['answer']): Plan => ({ does: 'answer', answer: answer! })
  const late: Plan['does'][] = ['hold', 'stall']

  it.each<[string, Plan, ReturnType<typeof unknown>]>([
    ['a success that is no JSON', saying({ status: 200, body: '<html>' }), unknown('unreadable')],
    ['a success that is other JSON', saying({ status: 200, body: '{"ok": true}' }), unknown('unreadable')],
    ['a success that is null', saying({ status: 200, body: 'null' }), unknown('unreadable')],
    ['a success that is empty', saying({ status: 200, body: '' }), unknown('unreadable')],
    ['a success without end', { does: 'endless' }, unknown('unreadable')],
    ['a success with the status 500', { does: 'accept', status: 500 }, unknown('unavailable')],
    ['a status of 204', saying({ status: 204, body: '' }), unknown('unreadable')],
    ['a status of 500', saying({ status: 500, body: '' }), unknown('unavailable')],
    ['a status of 502', saying({ status: 502, body: '' }), unknown('unavailable')],
    ['a status of 503', saying({ status: 503, body: '' }), unknown('unavailable')],
    ['a status of 504', saying({ status: 504, body: '' }), unknown('unavailable')],
    ['a status of 520', saying({ status: 520, body: '' }), unknown('unavailable')],
    ['a status of 522', saying({ status: 522, body: '' }), unknown('unavailable')],
    ['a status of 524', saying({ status: 524, body: '' }), unknown('unavailable')],
    ['nothing in time', { does: 'hold' }, unknown('timeout')],
    ['half of it in time', { does: 'stall' }, unknown('timeout')],
    ['a connection that is cut before the answer', { does: 'cut' }, unknown('unreachable')],
    ['half an answer', { does: 'half' }, unknown('unreachable')],
  ])('may have taken a message if it returns %s', async (_, what, outcome) => {
    const { plan, send } = set(subject)
    await plan(what)
    const answer = late.includes(what.does) ? send({}, 300) : send()
    expect(without(subject, await answer)).toEqual(outcome)
  })

  it.each<[string, Plan, ReturnType<typeof refused>]>([
    [
      'a status of 503 that says when to come back',
      saying({ status: 503, headers: { 'retry-after': '30' }, body: '' }),
      refused('unavailable', 30),
    ],
    ...[521, 523, 525, 526, 530].map((status): [string, Plan, ReturnType<typeof refused>] => [
      `a status of ${status}`,
      saying({ status, body: `error code: ${status}` }),
      refused('unreachable'),
    ]),
  ])('has certainly not taken a message if it returns %s', async (_, what, outcome) => {
    const { plan, send } = set(subject)
    await plan(what)
    expect(await send()).toEqual(outcome)
  })

  it.each([301, 302, 303, 307, 308])('is not followed on a %s redirect', async (status) => {
    const elsewhere = crypto.randomUUID()
    const location = `${server}/${subject.protocol}/${elsewhere}/`
    const { plan, send, seen } = set(subject)
    await plan(saying({ status, headers: { location }, body: '' }))
    expect(without(subject, await send())).toEqual(unknown('unreadable'))
    expect(await seen()).toHaveLength(1)
    expect(await seenBy(elsewhere)).toEqual([])
  })

  it('has an unknown outcome if the connection cannot be made', async () => {
    const { send } = set(subject, { URL: 'http://127.0.0.1:1' })
    expect(without(subject, await send())).toEqual(unknown('unreachable'))
  })

  it('gets no request if its URL is invalid', async () => {
    const { driver, account, message } = set(subject)
    const variable = (name: string) => (name === 'URL' ? 'nowhere' : account.variable(name))
    expect(await driver.send({ ...account, url: 'nowhere', variable }, message, 1_000)).toEqual(refused('rejected'))
  })

  it('rejects any other request', async () => {
    const { send, seen } = set(subject)
    await send()
    const [right] = await seen()
    for (const [change, wrong] of variationsOf(right!, subject.optional ?? [])) {
      const key = crypto.randomUUID()
      const { method, path, search, headers, body } = wrong
      const url = `${server}/${subject.protocol}/${key}${path}${search}`
      await fetch(url, { method, headers, ...(method !== 'GET' && { body }) })
      expect(await seenBy(key), change).toEqual([expect.objectContaining({ objection: expect.any(String) })])
    }
  })
})

/** Removes the message id from an unknown outcome. Only the driver `smsc` has one there, because it chooses the id itself. */
function without({ protocol }: Subject, outcome: ProviderOutcome) {
  if (protocol !== 'smsc' || outcome.state !== 'unknown') return outcome
  return { state: outcome.state, reason: outcome.reason }
}

/**
 * Variants of a correct request, each with one mistake: another method or path, or a field that is missing, empty, repeated or
 * unknown. The test server must reject all of them.
 */
function variationsOf(right: Seen, optional: string[]): [change: string, wrong: Seen][] {
  const isJson = right.headers['content-type'] === 'application/json'
  const fields: [string, unknown][] = isJson
    ? Object.entries(JSON.parse(right.body))
    : [...new URLSearchParams(right.method === 'GET' ? right.search : right.body)]
  const made = (changed: [string, unknown][]): Seen => {
    if (isJson) return { ...right, body: JSON.stringify(Object.fromEntries(changed)) }
    const encoded = new URLSearchParams(changed.map(([name, value]) => [name, String(value)])).toString()
    return right.method === 'GET' ? { ...right, search: `?${encoded}` } : { ...right, body: encoded }
  }
  const needed = fields.filter(([name]) => !optional.includes(name))
  return [
    ['another method', { ...right, method: right.method === 'PUT' ? 'POST' : 'PUT' }],
    ['another path', { ...right, path: `${right.path}/` }],
    ['another field', made([...fields, ['x', '1']])],
    ...needed.map(([name]): [string, Seen] => [`no ${name}`, made(fields.filter(([other]) => other !== name))]),
    ...needed.map(([name]): [string, Seen] => [
      `empty ${name}`,
      made(fields.map((f) => (f[0] === name ? [name, ''] : f))),
    ]),
    ...(right.method === 'GET' || isJson ? [] : [['a field twice', made([...fields, fields[0]!])] as [string, Seen]]),
    ...(right.method === 'GET'
      ? []
      : [['another type', { ...right, headers: { 'content-type': 'text/plain' } }] as [string, Seen]]),
  ]
}
