// Data of persons in the SMS gateway: messages and the blacklist, by phone.
import type { PersonalPlace } from '#core/person/places'
import { isAnyOf, personalTable } from '#core/person/tables'
import type { Env } from './bindings.ts'
import { schema } from './schema.ts'

/** `text` is stored on a local start only. */
const messageColumns = [
  'id',
  'kind',
  'phone',
  'state',
  'reason',
  'provider',
  'segments',
  'created_at',
  'updated_at',
  'text',
]

export const personalData: readonly PersonalPlace<Env>[] = [
  personalTable(schema, {
    table: 'messages',
    columns: ['phone'],
    key: ['id'],
    matches: ({ messages }, { phone }) => isAnyOf(messages.phone, [phone]),
    exported: messageColumns,
  }),
  personalTable(schema, {
    table: 'blacklist',
    columns: ['phone'],
    key: ['phone'],
    matches: ({ blacklist }, { phone }) => isAnyOf(blacklist.phone, [phone]),
    exported: ['phone', 'created_at', 'provider'],
  }),
]
