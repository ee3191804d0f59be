import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { documentsOf } from '#bus/schema'
import { kits } from '#core/db/kit'
import type { PersonalPlace } from '#core/person/places'
import { recordsOf } from '#feed/schema'

expect(env).toBeDefined()

interface Module {
  personalData?: readonly PersonalPlace<never>[]
  schema?: { d1: Record<string, unknown> }
}

// Vite replaces these calls. The types of Vite would bring those of browsers.
declare global {
  interface ImportMeta {
    glob<T>(pattern: string, options: { eager: true; query?: string; import?: string }): Record<string, T>
  }
}

const persons = import.meta.glob<Module>('../../src/*/person.ts', { eager: true })
const schemas = import.meta.glob<Module>('../../src/*/schema.ts', { eager: true })
const sources = import.meta.glob<string>('../../src/**/*.ts', { eager: true, query: '?raw', import: 'default' })

const componentOf = (path: string) => /src\/([^/]+)\//.exec(path)?.[1] ?? 'src'

/** Names of columns that may hold an identifier of a person. */
const personal =
  /(^|_)(person|user|recipient|sender|phone|e?mail|address|ip|target|author|created_by|account|signer|owner|contact|customer)s?($|_)/

/** Columns with such names that no place covers, with the reasons. */
const exceptions: Record<string, string> = {
  'access batches.sender': 'is the random id of an isolate',
  'bus bus_attempts.target': 'is `handler`, `webhook` or the id of a subscription',
  'catcher new_spaces.address': 'an IP address, deleted after an hour',
  'delivery delivery_deliveries.has_email': 'whether the delivery uses the channel',
  'delivery delivery_deliveries.email_subject': 'a text of the delivery, for all recipients',
  'delivery delivery_deliveries.email_html': 'a text of the delivery, for all recipients',
  'delivery head.recipients': 'a number',
  'delivery pieces.recipients': 'a number',
  'delivery messages.recipient': 'the number of a row in recipients',
  'gateway operations.person': 'deleted when the operation ends',
  'notification notification_notifications.has_email': 'whether the template has the channel',
  'notification notification_notifications.email_subject': 'a text of the template',
  'notification notification_notifications.email_html': 'a text of the template',
  'payment payment_http_log.ip': 'the address of the processor or of a stranger, deleted after PAYMENT_LOG_DAYS',
  'signature signature_versions.signers': 'names in the signed data, which is evidence and is kept',
}

/** All columns as `component table.column`. A number in the name of a table becomes `*`. */
const columns = [
  ...Object.entries(schemas).flatMap(([path, { schema }]) =>
    drizzleColumns(componentOf(path), Object.values(schema!.d1)),
  ),
  ...drizzleColumns('feed', [recordsOf({ dialect: 'd1', kit: kits.d1 }, 1)]),
  ...drizzleColumns('bus', [documentsOf({ dialect: 'd1', kit: kits.d1 }, 1)]),
  ...Object.entries(sources).flatMap(([path, text]) => sqlColumns(componentOf(path), text)),
]

function drizzleColumns(component: string, tables: unknown[]): string[] {
  return tables
    .filter((table) => is(table, Table))
    .flatMap((table) =>
      Object.values(getTableColumns(table)).map(
        ({ name }) => `${component} ${getTableName(table).replace(/_\d+$/, '_*')}.${name}`,
      ),
    )
}

/** The columns of the tables in durable objects, which are created in SQL. */
function sqlColumns(component: string, source: string): string[] {
  const text = source.replaceAll(/--.*$/gm, '')
  const created = [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+) \(((?:[^()]|\([^()]*\))*)\)/g)]
  const added = [...text.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g)]
  return [
    ...created.flatMap(([, table, body]) =>
      body!
        .replaceAll(/\([^()]*\)/g, '')
        .split(',')
        .map((definition) => `${component} ${table}.${definition.trim().split(/\s/)[0]}`),
    ),
    ...added.map(([, table, column]) => `${component} ${table}.${column}`),
  ]
}

const covered = Object.entries(persons).flatMap(([path, { personalData }]) =>
  (personalData ?? []).flatMap((place) =>
    Object.entries(place.columns).flatMap(([table, names]) =>
      names.map((name) => `${componentOf(path)} ${table}.${name}`),
    ),
  ),
)

it('finds the tables of databases and of durable objects', () => {
  expect(columns).toEqual(
    expect.arrayContaining([
      'sms sms_messages.phone',
      'feed feed_records_*.recipient',
      'delivery recipients.data',
      'queue tasks.json',
    ]),
  )
})

it('covers each column with a name of personal data, or has a reason not to', () => {
  const suspected = columns.filter((column) => personal.test(column.slice(column.indexOf('.') + 1)))
  expect(suspected.filter((column) => !covered.includes(column) && !(column in exceptions))).toEqual([])
})

it('covers and excepts existing columns only', () => {
  expect([...covered, ...Object.keys(exceptions)].filter((column) => !columns.includes(column))).toEqual([])
})
