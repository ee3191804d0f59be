import { describe, expect, it } from 'vitest'
import { personalData } from '#otp/person'
import { personsIn } from '../support/person.ts'
import { channelParams, check, everyChannel, freshChat, freshEmail, freshPhone, otps, sendTo } from './support.ts'

describe.each(otps())('a person in the one-time passwords on $dialect', (tested) => {
  const { otp, env, send } = tested
  const { erase, read } = personsIn(personalData, env)

  it('loses the passwords of all channels, and others keep theirs', async () => {
    const ann = { phone: freshPhone(), email: freshEmail(), chat_id: freshChat() }
    const targets = { sms: ann.phone, call: ann.phone, email: ann.email, chatapp: ann.chat_id }
    const others: string[] = []
    for (const channel of everyChannel) {
      const other = channelParams[channel].fresh()
      others.push(other)
      for (const target of [targets[channel], other])
        expect((await send('POST', `/${channel}`, sendTo(channel, target, '1234'))).status).toBeLessThan(300)
    }

    expect((await read(ann)).map(({ row }) => row.channel).toSorted()).toEqual([...everyChannel].toSorted())
    expect(JSON.stringify(await read(ann))).not.toMatch(/digest|sealed/)
    expect(await erase(ann)).toMatchObject({ passwords: 4 })

    expect(await read(ann)).toEqual([])
    const left = await otp.db.select({ target: otp.passwords.target }).from(otp.passwords)
    expect(left.map(({ target }) => target)).toEqual(expect.arrayContaining(others))
  })

  it('loses claims, updates and messages of the chat', async () => {
    const [target, other] = [freshChat(), freshChat()]
    const [created_at, expires_at] = [new Date(), new Date(Date.now() + 60_000)]
    for (const [id, chat] of [
      [Number(target), target],
      [Number(other), other],
    ] as const) {
      await otp.db.insert(otp.claims).values({ channel_digest: chat, target: chat, expires_at })
      await otp.db.insert(otp.updates).values({ id, target: chat, sealed: '', created_at, expires_at })
      await otp.db.insert(otp.messages).values({ target: chat, sealed: '', created_at })
    }
    // A user of the application may have the number of a stranger's chat.
    expect(await erase({ user: target })).toEqual({})
    expect(await erase({ chat_id: target })).toMatchObject({ claims: 1, updates: 1, messages: 1 })
    expect((await read({ chat_id: other })).map(({ place }) => place)).toEqual(['updates', 'messages'])
  })

  it('loses the counted sends and wrong checks of its targets', async () => {
    const phone = freshPhone()
    await send('POST', '/sms', sendTo('sms', phone, '1234'))
    await check(tested, 'sms', phone, 'wrong')

    expect(await erase({ phone })).toMatchObject({ attempts: 2 })

    expect(await erase({ phone })).toEqual({})
  })
})
