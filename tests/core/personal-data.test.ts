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

/** Names of columns that may have content of callers, in which a person may be mentioned. */
const content =
  /(^|_)(payload|body|json|task|sealed|data|content|text|html|message|title|headers|url|query|response|label|param|comment|subject|value|document|record|args|info|meta|note|request|reply|field|answer|error)s?($|_)/

/** Tables with texts or bytes of which no column is covered, with the reasons. */
const tableExceptions: Record<string, string> = {
  'access access_audit_days': 'names of components and days',
  'access access_keys': 'names of keys, which stand for servers; a key is deleted by its id',
  'access access_revoked': 'ids of keys and tokens',
  'access access_settings': 'settings of the deployment',
  'access access_signing_keys': 'key pairs of the deployment',
  'access batches': 'the audit log has no content, and is kept',
  'bus bus_accesses': 'names of users and collections of the deployment',
  'bus bus_blocked': 'changes of users, which stand for servers',
  'bus bus_changes': 'names of users and collections of the deployment',
  'bus bus_circuits': 'origins of webhooks',
  'bus bus_clients': 'users of the bus, which stand for servers',
  'bus bus_collections': 'names and settings of collections',
  'bus bus_conflicts': 'changes of users and collections, without secrets',
  'bus bus_operations': 'filters by event, state and time',
  'bus bus_peers': 'addresses of other instances',
  'bus bus_settings': 'settings of the instance',
  'bus bus_skipped': 'changes of users and collections',
  'bus bus_subscriptions': 'URLs and events of subscribers, which stand for servers',
  'bus bus_deliveries': 'states of deliveries to subscribers',
  'catcher named_spaces': 'names of spaces, deleted after CATCHER_RETENTION and two days',
  'catcher new_spaces': 'IP addresses, deleted after an hour',
  'catcher reply': 'a reply of the operator, for all requests; deleted after CATCHER_RETENTION',
  'catcher spaces': 'names of spaces, deleted after CATCHER_RETENTION and two days',
  'catcher stubs': 'replies of the operator, for all requests; deleted after CATCHER_RETENTION',
  'core senders': 'ids of isolates',
  'core series': 'labels of metrics, which have no personal values',
  'delivery definition': 'the delivery, for all recipients',
  'delivery delivery_deliveries': 'the delivery, for all recipients',
  'delivery head': 'states and settings',
  'delivery messages': 'states of messages, without content; the recipients are covered',
  'delivery outlets': 'names of channels, and the reasons of their last failures',
  'delivery pieces': 'states of parts of a delivery',
  'delivery slices': 'ids of tasks',
  'delivery stale': 'ids of tasks',
  'feed feed_collections': 'names and settings of collections',
  'gateway operations': 'deleted when the operation ends, but for an HMAC',
  'gateway steps': 'names of components; cursors are deleted when a step ends',
  'media media_items': 'files, which are deleted by their digests',
  'media media_traces': 'random digests of files',
  'notification notification_notifications': 'templates, for all recipients',
  'otp otp_limits': 'limits of channels',
  'queue counts': 'numbers of tasks by state',
  'queue freed_keys': 'flow keys, which the guide says must have no data of persons',
  'queue holds': 'flow keys, which the guide says must have no data of persons',
  'queue journal': 'is written to the tasks before each search',
  'queue key_states': 'flow keys, which the guide says must have no data of persons',
  'queue keys': 'idempotency keys, deleted after 25 hours',
  'queue objects': 'names of workers',
  'queue operations': 'filters by state and label; the guide says that labels must have no data of persons',
  'queue place': 'the name of the worker',
  'queue task_labels': 'the guide says that labels must have no data of persons',
  'queue workers': 'names and settings of workers',
  'search indexes': 'names of indexes',
  'search pages': 'words of the documents; the guide says when they leave with a deleted document',
  'signature signature_records': 'names of signed documents, which are evidence and are kept',
  'signature signature_tags': 'tags of signed documents, which are kept',
  'signature signature_traces': 'names of files in R2',
  'sms sms_receipts': 'ids of messages at the provider',
}

/** Tables that are covered by other columns, with the reasons why these need no search for their content. */
const contentExceptions: Record<string, string> = {
  'badge badge_badges': 'is deleted with the badges of its user',
  'bus bus_attempts': 'the error is a message of the component',
  'feed feed_records_*': 'is deleted with the records of its recipient or sender; texts are not searched',
  'otp otp_messages': 'is deleted with the messages of its chat',
  'otp otp_passwords': 'is deleted with the passwords of its target',
  'otp otp_updates': 'is deleted with the updates of its chat',
  'payment payment_http_log': 'the headers are deleted with the row',
  'payment payment_transaction': 'is the id of a request',
  'payment payment_webhook_log': 'is deleted with the payment of its account',
  'queue attempts': 'the error is a message of the component',
  'queue tasks': 'the error is a message of the component; the guide says that labels must have no data of persons',
  'search documents': 'is deleted with the document of its code; texts are not searched',
  'signature signature_versions': 'is evidence and is kept',
  'sms sms_messages': 'is deleted with the messages of its phone',
}

/** Columns with such names that no place covers, with the reasons. */
const exceptions: Record<string, string> = {
  'access batches.sender': 'is the random id of an isolate',
  'bus bus_subscriptions.url': 'the address of a server that an administrator has set',
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

/** A column, as `component table.column`, and whether it holds texts or bytes. */
interface Column {
  name: string
  isText: boolean
}

/** All columns. A number in the name of a table becomes `*`. */
const allColumns = [
  ...Object.entries(schemas).flatMap(([path, { schema }]) =>
    drizzleColumns(componentOf(path), Object.values(schema!.d1)),
  ),
  ...drizzleColumns('feed', [recordsOf({ dialect: 'd1', kit: kits.d1 }, 1)]),
  ...drizzleColumns('bus', [documentsOf({ dialect: 'd1', kit: kits.d1 }, 1)]),
  ...Object.entries(sources).flatMap(([path, text]) => sqlColumns(componentOf(path), text)),
]

function drizzleColumns(component: string, tables: unknown[]): Column[] {
  return tables
    .filter((table) => is(table, Table))
    .flatMap((table) =>
      Object.values(getTableColumns(table)).map((column) => ({
        name: `${component} ${getTableName(table).replace(/_\d+$/, '_*')}.${column.name}`,
        isText: /^(text|blob)/i.test(column.getSQLType()),
      })),
    )
}

/** The columns of the tables in durable objects, which are created in SQL. */
function sqlColumns(component: string, source: string): Column[] {
  const text = source.replaceAll(/--.*$/gm, '')
  const created = [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+) \(((?:[^()]|\([^()]*\))*)\)/g)]
  const added = [...text.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+) (\w+)/g)]
  const columnOf = (table: string, column: string, type = '') => ({
    name: `${component} ${table}.${column}`,
    isText: /^(TEXT|BLOB)$/.test(type),
  })
  return [
    ...created.flatMap(([, table, body]) =>
      body!
        .replaceAll(/\([^()]*\)/g, '')
        .split(',')
        .map((definition) => definition.trim().split(/\s+/))
        .map(([column, type]) => columnOf(table!, column!, type)),
    ),
    ...added.map(([, table, column, type]) => columnOf(table!, column!, type)),
  ]
}

const columns = allColumns.map(({ name }) => name)

const columnIn = (name: string) => name.slice(name.indexOf('.') + 1)
const tableIn = (name: string) => name.slice(0, name.indexOf('.'))

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
  const suspected = columns.filter((column) => personal.test(columnIn(column)))
  expect(suspected.filter((column) => !covered.includes(column) && !(column in exceptions))).toEqual([])
})

it('covers a column of each table with texts, or has a reason not to', () => {
  const tables = new Set(allColumns.filter(({ isText }) => isText).map(({ name }) => tableIn(name)))
  const coveredTables = new Set(covered.map(tableIn))
  expect([...tables].filter((table) => !coveredTables.has(table) && !(table in tableExceptions))).toEqual([])
  expect(Object.keys(tableExceptions).filter((table) => coveredTables.has(table) || !tables.has(table))).toEqual([])
})

it('covers each column with content of callers, or has a reason not to', () => {
  const tables = new Set(allColumns.map(({ name }) => tableIn(name)))
  expect(Object.keys(contentExceptions).filter((table) => !tables.has(table))).toEqual([])
  const suspected = allColumns
    .filter(
      ({ name, isText }) =>
        isText &&
        content.test(columnIn(name)) &&
        ![tableExceptions, contentExceptions].some((reasons) => tableIn(name) in reasons),
    )
    .map(({ name }) => name)
  expect(suspected.filter((column) => !covered.includes(column) && !(column in exceptions))).toEqual([])
})

it('covers and excepts existing columns only', () => {
  expect([...covered, ...Object.keys(exceptions)].filter((column) => !columns.includes(column))).toEqual([])
})
