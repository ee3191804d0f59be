// Tests that invalid requests to send a one-time password are rejected, and nothing is sent.
import { describe, expect, it } from 'vitest'
import { channelParams, done, errorReply, everyChannel, freshIp, otps, sendTo, validationError } from './support.ts'

describe.each(otps())('a send on $dialect', (tested) => {
  const { send, queue, otp } = tested
  const empty = async () => {
    expect(queue.takeTasks()).toEqual([])
    expect(await otp.db.$count(otp.passwords)).toBe(0)
  }

  describe.each(everyChannel)('by %s', (channel) => {
    const path = `/${channel}`
    const target = channelParams[channel].fresh()
    const right = sendTo(channel, target, '1234')

    it.each([
      [{ lifetime: 0 }, ['lifetime']],
      [{ lifetime: -1 }, ['lifetime']],
      [{ lifetime: 86_401 }, ['lifetime']],
      [{ lifetime: 31_536_000 }, ['lifetime']],
      [{ lifetime: 1.5 }, ['lifetime']],
      [{ lifetime: 'a minute' }, ['lifetime']],
      [{ lifetime: null }, ['lifetime']],
      [{ password: '' }, ['password']],
      [{ password: ' ' }, ['password']],
      [{ password: 1234 }, ['password']],
      [{ password: 'x'.repeat(101) }, ['password']],
      [{ password: 'a\0b' }, ['password']],
      [{ password: '\ud800' }, ['password']],
      [{ ip: 'here' }, ['ip']],
      [{ ip: '' }, ['ip']],
      [{ ip: '1.2.3' }, ['ip']],
      [{ ip: '1.2.3.256' }, ['ip']],
      [{ ip: '0x7f.0.0.1' }, ['ip']],
      [{ ip: '2130706433' }, ['ip']],
      [{ ip: 'fe80::1%eth0' }, ['ip']],
      [{ ip: '1.2.3.4, 5.6.7.8' }, ['ip']],
    ])('is refused with %j', async (given, fields) => {
      expect(await send('POST', path, { ...right, ...given })).toMatchObject(validationError(...fields))
      await empty()
    })

    it('is refused without its required parameters, which are named', async () => {
      const { status, json } = await send('POST', path, {})
      expect(status).toBe(400)
      const needed = { sms: ['message'], call: [], email: ['subject'], chatapp: ['message'] }[channel]
      expect(new Set(Object.keys(json.errors as unknown as object))).toEqual(
        new Set([channelParams[channel].target, 'password', 'lifetime', ...needed]),
      )
      await empty()
    })

    it('accepts parameters of the minimum and maximum length', async () => {
      expect(await send('POST', path, { ...right, lifetime: 1, password: '0' })).toEqual(done)
      expect(await send('POST', path, { ...right, lifetime: '86400', password: 'x'.repeat(100) })).toEqual(done)
      expect(await send('POST', path, { ...right, ip: freshIp() })).toEqual(done)
      queue.takeTasks()
      await otp.db.delete(otp.passwords)
    })

    it('requires POST, and a check GET or POST', async () => {
      expect(await send('GET', path)).toMatchObject(errorReply(405, 'method_not_allowed'))
      expect(await send('PUT', `${path}/check`)).toMatchObject(errorReply(405, 'method_not_allowed'))
    })
  })

  it.each([
    'phone',
    '7701123456a',
    '123456',
    '1234567890123456',
    '77011234567,77011234568',
    '٧٧٠١١٢٣٤٥٦٧',
    '+',
    '77011234567\n',
  ])('refuses the phone %j', async (phone) => {
    for (const channel of ['sms', 'call'] as const) {
      expect(await send('POST', `/${channel}`, sendTo(channel, phone, '1234'))).toMatchObject(validationError('phone'))
      expect(await send('GET', `/${channel}/check`, { phone, password: '1234' })).toMatchObject(
        validationError('phone'),
      )
    }
    await empty()
  })

  it.each([
    'ann',
    'ann@',
    '@example.com',
    'ann@example',
    'ann@@example.com',
    'ann@example..com',
    'ann@-example.com',
    '.ann@example.com',
    'ann bob@example.com',
    'ann@example.com, bob@example.com',
    'ann@example.com\r\nBcc: bob@example.com',
    'Ann <ann@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.com`,
  ])('refuses the email address %j', async (email) => {
    expect(await send('POST', '/email', sendTo('email', email, '1234'))).toMatchObject(validationError('email'))
    expect(await send('GET', '/email/check', { email, password: '1234' })).toMatchObject(validationError('email'))
    await empty()
  })

  it.each(['', ' ', 'x'.repeat(65), 1.5, true, [1], 2 ** 60, 'a\nb'])('refuses the chat %j', async (chat_id) => {
    const sent = await send('POST', '/chatapp', { ...sendTo('chatapp', '', '1234'), chat_id })
    expect(sent).toMatchObject(validationError('chat_id'))
    await empty()
  })

  it.each([
    ['/sms', { phone: '77011234567' }, { message: ' ' }, ['message']],
    ['/sms', { phone: '77011234567' }, { message: 'x'.repeat(1_601) }, ['message']],
    ['/chatapp', { chat_id: '1' }, { message: 'x'.repeat(4_097) }, ['message']],
    ['/email', { email: 'a@example.com' }, { subject: 'Your code' }, ['text']],
    ['/email', { email: 'a@example.com' }, { subject: 'Your code', text: '', html: '' }, ['text']],
    ['/email', { email: 'a@example.com' }, { subject: 'Your\r\nBcc: b@example.com', text: 'x' }, ['subject']],
    ['/email', { email: 'a@example.com' }, { subject: 'Your\tcode', text: 'x' }, ['subject']],
  ])('%s %j is refused with %j', async (path, target, content, fields) => {
    expect(await send('POST', path, { ...target, password: '1', lifetime: 60, ...content })).toMatchObject(
      validationError(...fields),
    )
    await empty()
  })

  it('refuses html of 5 MB', async () => {
    const html = '<p>code</p>'.repeat(500_000)
    expect(await send('POST', '/email', sendTo('email', 'ann@example.com', '1234', { html }))).toMatchObject(
      errorReply(413, 'payload_too_large'),
    )
    await empty()
  })

  it('returns 404 for an unknown channel', async () => {
    expect(await send('POST', '/pigeon', sendTo('sms', '77011234567', '1234'))).toMatchObject(
      errorReply(404, 'route_not_found'),
    )
    expect(await send('GET', '/pigeon/check', { phone: '77011234567', password: '1' })).toMatchObject(
      errorReply(404, 'route_not_found'),
    )
  })

  it('repeats no secret value in a validation error', async () => {
    const password = `secret${'x'.repeat(100)}`
    const { json } = await send(
      'POST',
      '/sms',
      sendTo('sms', 'secret phone', password, { ip: 'secret', lifetime: 'secret' }),
    )
    expect(JSON.stringify(json)).not.toContain('secret')
  })
})
