import fc from 'fast-check'
import { expect, it } from 'vitest'
import { twimlOf } from '#sms/providers/twiml'
import { set } from './setting.ts'
import { subjects } from './subjects.ts'

const plain = { language: undefined, voice: undefined }

it('speaks a text', () => {
  expect(twimlOf('Your code is 1 2 3', plain)).toBe('<Response><Say>Your code is 1 2 3</Say></Response>')
})

it('speaks as it is told to', () => {
  expect(twimlOf('Код', { language: 'ru-RU', voice: 'a"b<c' })).toBe(
    '<Response><Say language="ru-RU" voice="a&quot;b&lt;c">Код</Say></Response>',
  )
})

it('has no other element, whatever the text is', () => {
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

it('is refused where it would be longer than Twilio allows, and nobody is asked', async () => {
  const longest = 4_000 - twimlOf('', { language: 'ru-RU', voice: 'Polly."Tatyana"' }).length
  const { send, seen } = set(calling)
  expect(await send({ text: 'x'.repeat(longest + 1) })).toEqual({ state: 'refused', reason: 'text' })
  expect(await send({ text: '&'.repeat(longest / 5 + 1) })).toEqual({ state: 'refused', reason: 'text' })
  expect(await seen()).toEqual([])
  expect(await send({ text: 'x'.repeat(longest) })).toMatchObject({ state: 'sent' })
})

it('is spoken by a caller of its own, where messages come from a name', async () => {
  const { send, seen } = set(calling, { SENDER: 'Shop', CALLER: '15005550007' })
  expect(await send()).toMatchObject({ state: 'sent' })
  expect(new URLSearchParams((await seen())[0]!.body).get('From')).toBe('+15005550007')
})
