// Benchmark of the signature component: its operations on a million signatures, and parsing alone.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { post } from '../scripts/lib/post.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import type { BenchOperation, BenchRequest } from './operation.ts'
import { measureParsing } from './signature/parser-measurement.ts'

const many = 1_000_000
const kept = 1_000

/** Signed data by size. Each process of the benchmark makes its own with OpenSSL. */
const cms = signAll({ '5 kB': 4_000, '100 kB': 99_000, '2 MB': 2_000_000 })

const get = (path: string, params: Record<string, string>): BenchRequest => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams(params)}`,
})

/** Random text that makes the names of this process unique. */
const run = Math.random().toString(36).slice(2)

const save = (document: string, size: keyof typeof cms) => (n: number) => ({
  method: 'POST',
  path: '/signature',
  body: { document, thread: `${run}-${n}`, version: 0, cms: cms[size], tags: ['new', `day${n % 30}`] },
})

const verify = (size: keyof typeof cms): BenchOperation => ({
  name: `POST /signature/verify, ${size}`,
  request: () => ({ method: 'POST', path: '/signature/verify', body: { cms: cms[size] } }),
  connections: 1,
})

export const operations: BenchOperation[] = [
  { name: 'POST /signature, 5 kB', request: save('small', '5 kB'), floor: 'write' },
  { name: 'POST /signature, 2 MB', request: save('large', '2 MB'), connections: 1 },
  {
    name: 'GET /signature, 5 kB',
    request: (n) => get('/signature', { document: 'kept', thread: `t${n % kept}` }),
    floor: 'read',
  },
  { name: 'GET /signature, 2 MB', request: () => get('/signature', { document: 'one', thread: 't' }), connections: 1 },
  {
    name: 'GET /signatures, 10 of 1 000',
    request: () => get('/signatures', { tags: 'few', limit: '10' }),
    floor: 'read',
  },
  {
    name: 'GET /signatures, 10 of 1 000 000',
    request: () => get('/signatures', { tags: 'all', limit: '10' }),
    floor: 'read',
    goal: { within: 1.5, of: 'GET /signatures, 10 of 1 000' },
  },
  {
    name: 'GET /signatures, any of 3 tags',
    request: (n) => get('/signatures', { tags: `all,tag${n % 1_000},none`, limit: '10' }),
    floor: 'read',
  },
  {
    name: 'GET /signatures, tag and document',
    request: (n) => get('/signatures', { tags: 'all', document: `document${n % 100}`, limit: '10' }),
    floor: 'read',
  },
  verify('5 kB'),
  verify('100 kB'),
  verify('2 MB'),
]

/**
 * Fills the database with a million signatures by one statement per batch, because single calls would take too long.
 * All have the same small signature.
 */
export async function prepare(stack: Stack, origin: string) {
  for (let n = 0; n < kept; n++)
    await post(origin, '/signature', { document: 'kept', thread: `t${n}`, cms: cms['5 kB'], tags: ['few'] })
  await post(origin, '/signature', { document: 'one', thread: 't', cms: cms['2 MB'] })
  const database = await stack.database('signature')
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 10001 UNION ALL SELECT i + 1 FROM n WHERE i < ${many + 10_000})`
  const statements = [
    `INSERT INTO signature_records (id, document, thread, version, save, created_at, updated_at)
      ${numbers} SELECT i, 'document' || i % 100, 'story' || i, 1, '', 0, 0 FROM n`,
    `INSERT INTO signature_versions (record_id, version, format, signature, size, signers, tags, version_created_by,
        version_created_at, version_comment)
      ${numbers} SELECT i, 1, 'cms', 'MAA=', 2, '[]', '["all"]', '', 0, '' FROM n`,
    `INSERT INTO signature_tags (record_id, tag, document) ${numbers} SELECT i, 'all', 'document' || i % 100 FROM n`,
    `INSERT INTO signature_tags (record_id, tag, document)
      ${numbers} SELECT i, 'tag' || i % 1000, 'document' || i % 100 FROM n`,
  ]
  for (const statement of statements) await database.prepare(statement).run()
}

/** Measures parsing and verification alone. */
export const compare = () => measureParsing()

/** Signs content of these sizes in bytes with P-256. Returns the signatures in base64, by name. */
function signAll<Name extends string>(sizes: Record<Name, number>): Record<Name, string> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem']
    openssl('req', '-x509', ...key, '-out', 'cert.pem', '-subj', '/CN=Bench')
    const signed = Object.entries<number>(sizes).map(([name, size]) => {
      writeFileSync(join(folder, 'content'), Buffer.alloc(size, 'Lorem ipsum dolor sit amet. '))
      const form = ['-binary', '-nodetach', '-outform', 'DER', '-in', 'content', '-out', 'signed']
      openssl('cms', '-sign', ...form, '-signer', 'cert.pem', '-inkey', 'key.pem')
      return [name, readFileSync(join(folder, 'signed')).toString('base64')]
    })
    return Object.fromEntries(signed)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
