// Tests the TwiML that makes Twilio read a text aloud.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { twimlOf } from '#sms/providers/twiml'
import { set } from './setting.ts'
import { subjects } from './subjects.ts'

const plain = { language: undefined, voice: undefined }

it('wraps the text in a Say element', () => {
  expect(twimlOf('Your code is 1 2 3', plain)).toBe('<Response><Say>Your code is 1 2 3</Say></Response>')
})

it('sets the configured language and voice', () => {
  expect(twimlOf('Код', { language: 'ru-RU', voice: 'a"b<c' })).toBe(
    '<Response><Say language="ru-RU" voice="a&quot;b&lt;c">Код</Say></Response>',
  )
})

it('contains no other element for any text', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('</Say><Hangup/>', '<![CDATA[', '&amp;', ']]>'))
  fc.assert(
    fc.property(texts, fc.option(fc.string(), { nil: undefined }), (text, voice) => {
      const said = /^<Response><Say( voice="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")?>([^<>]*)<\/Say><\/Response>$/
      const [, , content] = said.exec(twimlOf(text, { ...plain, voice })) ?? []
      expect(content).toBeDefined()
      expect(content!.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
      expect([...content!].filter((character) => character < ' ' && !'\t\n\r'.includes(character))).toEqual([])
    }),
  )
})

const calling = subjects.find(({ name }) => name === 'twilio, calling')!

it('refuses a text beyond the limit of Twilio without a request', async () => {
  const maxTextChars = 4_000 - twimlOf('', { language: 'ru-RU', voice: 'Polly."Tatyana"' }).length
  const { send, seen } = set(calling)
  expect(await send({ text: 'x'.repeat(maxTextChars + 1) })).toEqual({ state: 'refused', reason: 'text' })
  expect(await send({ text: '&'.repeat(maxTextChars / 5 + 1) })).toEqual({ state: 'refused', reason: 'text' })
  expect(await seen()).toEqual([])
  expect(await send({ text: 'x'.repeat(maxTextChars) })).toMatchObject({ state: 'sent' })
})

it('uses a separate caller number if the sender of messages is a name', async () => {
  const { send, seen } = set(calling, { SENDER: 'Shop', CALLER: '15005550007' })
  expect(await send()).toMatchObject({ state: 'sent' })
  expect(new URLSearchParams((await seen())[0]!.body).get('From')).toBe('+15005550007')
})
