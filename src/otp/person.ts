// Data of persons in the one-time passwords: rows and limiter objects of the targets that the person's identifiers name.
import { and, eq, or, type SQL } from 'drizzle-orm'
import type { Person, PersonalPlace } from '#core/person/places'
import { isAnyOf, personalTable } from '#core/person/tables'
import type { Env } from './bindings.ts'
import { normalizeChatId, normalizeEmail, type OtpChannel } from './channels.ts'
import { type Otp, schema } from './schema.ts'

/** The targets of a person on each channel. */
function targetsOf({ phone, email, chat_id }: Person): { channel: OtpChannel; target: string }[] {
  const address = email === undefined ? undefined : normalizeEmail(email)
  const chat = chatOf({ chat_id })
  return [
    ...(phone === undefined ? [] : (['sms', 'call'] as const).map((channel) => ({ channel, target: phone }))),
    ...(address === undefined ? [] : [{ channel: 'email' as const, target: address }]),
    ...(chat === undefined ? [] : [{ channel: 'chatapp' as const, target: chat }]),
  ]
}

const chatOf = ({ chat_id }: Person) => (chat_id === undefined ? undefined : normalizeChatId(chat_id))

function matchesTarget({ passwords }: Otp, person: Person): SQL | undefined {
  const targets = targetsOf(person)
  if (targets.length === 0) return undefined
  const isOneOf = targets.map(({ channel, target }) =>
    and(eq(passwords.channel, channel), eq(passwords.target, target)),
  )
  return and(
    isAnyOf(
      passwords.target,
      targets.map(({ target }) => target),
    ),
    or(...isOneOf),
  )
}

/** The durable objects that count sends and checks of the person's targets. They have no tables with columns of a person. */
const attempts: PersonalPlace<Env> = {
  name: 'attempts',
  columns: {},
  subrequests: 8,
  async erase({ GUARD, LIMITER }, person) {
    const forgotten = await Promise.all(
      targetsOf(person).flatMap(({ channel, target }) => [
        GUARD.getByName(`${channel} ${target}`).forget(),
        LIMITER.getByName(`${channel} target ${target}`).forget(),
      ]),
    )
    return { erased: forgotten.filter(Boolean).length }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [
  personalTable(schema, {
    table: 'passwords',
    columns: ['target'],
    key: ['id'],
    matches: matchesTarget,
    exported: ['id', 'channel', 'target', 'created_at', 'expires_at', 'used_at'],
  }),
  personalTable(schema, {
    table: 'claims',
    columns: ['target'],
    key: ['channel_digest'],
    matches: ({ claims }, person) => isAnyOf(claims.target, [chatOf(person)]),
  }),
  personalTable(schema, {
    table: 'updates',
    columns: ['target'],
    key: ['id'],
    matches: ({ updates }, person) => isAnyOf(updates.target, [chatOf(person)]),
    exported: ['id', 'target', 'created_at', 'expires_at'],
  }),
  personalTable(schema, {
    table: 'messages',
    columns: ['target'],
    key: ['id'],
    matches: ({ messages }, person) => isAnyOf(messages.target, [chatOf(person)]),
    exported: ['id', 'target', 'created_at'],
  }),
  attempts,
]
