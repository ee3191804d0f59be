import { describe, expect, it } from 'vitest'
import { type Sender, senderTo } from './support.ts'

/** Before the message. */
const steps = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA']
const ways = ['cut', 'garbage', 'endless', '421 going down', '451 later', '554 never']

const login = { user: 'ann', pass: 'secret' }
const credentials = { SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'secret' }

const failing = (at: string, how: string) => senderTo({ login, fault: { at, how } }, credentials)

const expectNothing = async ({ see }: Sender) => expect(await see()).toMatchObject({ mails: [], faults: 1 })

describe.each(steps)('a server that fails at %s', (step) => {
  it.each(ways)('has sent nothing: %s', async (how) => {
    const sender = await failing(step, how)
    const { status, json } = await sender.send()
    console.log(step, how, JSON.stringify(json))
    expect({ status, code: json.status_code }).toEqual({ status: 502, code: 'smtp_failed' })
    await expectNothing(sender)
  })
})
