import { expect, it } from 'vitest'
import { parseMailbox } from '#core/messages/mailbox'

const ann = { address: 'ann@example.com', written: 'ann@example.com' }

it.each([
  ['ann@example.com', { name: '', ...ann }],
  [' <ann@example.com> ', { name: '', ...ann }],
  ['Ann <ann@example.com>', { name: 'Ann', ...ann }],
  ['"Doe, \\"Ann\\"" <ann@example.com>', { name: 'Doe, "Ann"', ...ann }],
  [`${'a'.repeat(255)} <ann@example.com>`, { name: 'a'.repeat(255), ...ann }],
])('reads %j', (text, mailbox) => {
  expect(parseMailbox(text)).toEqual(mailbox)
})

it.each([
  ['a letter', 'a'],
  ['an address', 'a@'],
  ['an opening quote', '"'],
  ['a quoted letter', '"\\a'],
  ['a label', 'a.'],
])('takes no text of many megabytes for a mailbox: %s, time and again', (_, item) => {
  const long = item.repeat(10_000_000 / item.length)
  for (const text of [long, `${long}@example.com`, `"${long}`, `${long} <ann@example.com>`, `<ann@${long}>`])
    expect(parseMailbox(text)).toBeUndefined()
})
