import { expect, it } from 'vitest'
import { mentionsPerson } from '#core/person/mentions'

const ann = { user: 'ann', phone: '77011234567', email: 'ann@example.com' }

it.each([
  ['a user in a field of users', '{"record":{"recipient":"ann"}}'],
  ['a user in a list', '{"user":["bob","ann"]}'],
  ['a formatted phone under any name', '{"to":"+7 (701) 123-45-67"}'],
  ['a phone that is a number', '{"phones":[77011234567]}'],
  ['an email address in any case, with a name', '{"to":"Bob <bob@example.com>, Ann <Ann@Example.com>"}'],
  ['a field of a form', 'AccountId=ann&Amount=5'],
])('finds %s', (_, text) => {
  expect(mentionsPerson(ann, text)).toBe(true)
})

it.each([
  ['a user in another field', '{"title":"ann"}'],
  ['a part of a value', '{"user":"anna","phone":"770112345678","email":"joann@example.com"}'],
  ['a longer text', '{"text":"Call 77011234567 or ann@example.com"}'],
  ['plain text', 'ann'],
])('does not find %s', (_, text) => {
  expect(mentionsPerson(ann, text)).toBe(false)
})

it('finds a recipient only in fields of recipients', () => {
  expect(mentionsPerson({ recipient: 'ann' }, '{"recipient":"ann"}')).toBe(true)
  expect(mentionsPerson({ recipient: 'ann' }, '{"sender":"ann"}')).toBe(false)
})

it('reads JSON of any depth', () => {
  expect(mentionsPerson(ann, `${'['.repeat(100_000)}{"user":"ann"}${']'.repeat(100_000)}`)).toBe(true)
})
