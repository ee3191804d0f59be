// Tests signatures made by openssl: the component stores, lists and verifies them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start } from '../stack.ts'

let stack: Stack
let folder: string

const at = (name: string) => join(folder, name)
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })

/** Makes a key and a certificate with this name. */
function certify(name: string) {
  const [key, certificate] = [`${name}.key`, `${name}.pem`]
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key]
  openssl('req', '-x509', ...ec, '-out', certificate, '-days', '30', '-subj', `/O=Acme/CN=${name}`)
  return ['-signer', certificate, '-inkey', key]
}

/** Signs a file with openssl. Returns the signature in DER. */
function sign(file: string, ...settings: string[]): Buffer {
  openssl('cms', '-sign', '-binary', '-in', file, '-outform', 'DER', '-out', 'signed.der', ...settings)
  return readFileSync(at('signed.der'))
}

const bytes = ({ signature }: Content['signature']) => Buffer.from(signature, 'base64')

interface Content {
  signature: { id: number; signature: string }
  verification: object
}

async function call(method: string, path: string, params: object): Promise<Content> {
  const { status, body } = await askJson(`${stack.url}/signature${path}`, method, params)
  expect({ status, body }).toMatchObject({ body: { status: true, message: null } })
  return (body as { content: Content }).content
}

describe.skipIf(!has('openssl'))('a document signed by OpenSSL', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quartermaster-signature-'))
    stack = await start({ components: only('signature') })
  })

  afterAll(async () => {
    await stack.dispose()
    rmSync(folder, { recursive: true })
  })

  it('is stored, listed by tag, verified, signed a second time, and read in both versions', async () => {
    const document = 'The parties agree.\n'
    writeFileSync(at('contract.txt'), document)
    const [ann, bob] = [certify('Ann'), certify('Bob')]
    const signed = sign('contract.txt', '-nodetach', ...ann)
    const where = { document: 'contract', thread: 'order-7' }

    const { signature: first } = await call('POST', '/signature', {
      ...{ ...where, version: 0, cms: signed.toString('base64'), tags: ['waiting', 'sales'] },
      ...{ version_created_by: 17, version_comment: 'By the seller' },
    })
    expect(first).toMatchObject({
      ...{ ...where, version: 1, format: 'cms', tags: ['waiting', 'sales'], version_created_by: '17' },
      signers: [{ subject: 'CN=Ann,O=Acme', algorithm: expect.stringContaining('ECDSA') }],
    })
    const { signature: read } = await call('GET', '/signature', where)
    expect(read).toEqual(first)
    expect(bytes(read).equals(signed)).toBe(true)
    writeFileSync(at('read.der'), bytes(read))
    const noTrust = ['-noverify', '-binary', '-inform', 'DER', '-in', 'read.der']
    expect(openssl('cms', '-verify', ...noTrust).toString()).toBe(document)

    expect(await call('GET', '/signatures', { tags: ['waiting', 'other'] })).toMatchObject({
      signatures: [{ chain: 'order-7', stage: '1', parent: null, signature: read.signature }],
    })
    expect(await call('POST', '/signature/verify', where)).toMatchObject({
      verification: { result: 'valid', signers: [{ subject: 'CN=Ann,O=Acme', result: 'valid' }] },
    })

    const both = sign('contract.txt', '-nodetach', ...ann, ...bob)
    const next = { ...where, cms: both.toString('base64'), tags: ['done'] }
    expect(await askJson(`${stack.url}/signature/signature`, 'POST', { ...next, version: 2 })).toMatchObject({
      status: 409,
      body: { status: false, status_code: 'version_conflict', content: { version: 1 } },
    })
    const { signature: second } = await call('POST', '/signature', { ...next, version: 1 })
    expect(second).toMatchObject({ id: first.id, version: 2, tags: ['done'], version_created_by: '' })
    expect(await call('GET', '/signatures', { tags: ['waiting'] })).toEqual({ signatures: [] })
    expect(await call('GET', '/signatures', { tags: ['done'], count: true })).toMatchObject({
      signatures: [{ stage: '2', parent: 1 }],
      nb_results: 1,
    })
    for (const [version, signed_] of [
      [1, signed],
      [2, both],
    ] as const) {
      const { signature } = await call('GET', '/signature', { ...where, version })
      expect(bytes(signature).equals(signed_)).toBe(true)
    }
    expect(await call('GET', '/signature/versions', where)).toMatchObject({
      versions: [{ version: 2 }, { version: 1 }],
    })
    const { verification } = await call('POST', '/signature/verify', where)
    expect(verification).toMatchObject({ result: 'valid', signers: [{ result: 'valid' }, { result: 'valid' }] })
  })

  it('with a detached signature is verified with its content, and not with another one', async () => {
    writeFileSync(at('act.txt'), 'Done.\n')
    const cms = sign('act.txt', ...certify('Eve')).toString('base64')
    const where = { document: 'act', thread: 'order-7' }
    await call('POST', '/signature', { ...where, cms })
    const of = (text: string) => ({ ...where, content: Buffer.from(text).toString('base64') })
    expect(await call('POST', '/signature/verify', of('Done.\n'))).toMatchObject({ verification: { result: 'valid' } })
    expect(await call('POST', '/signature/verify', of('Gone.\n'))).toMatchObject({
      verification: { result: 'invalid' },
    })
  })

  it('with 9 MB is returned unchanged, and is verified', async () => {
    writeFileSync(at('large.bin'), Buffer.alloc(9_000_000, 'A large document. '))
    const signed = sign('large.bin', '-nodetach', ...certify('Ann'))
    const where = { document: 'large', thread: 'order-7' }
    await call('POST', '/signature', { ...where, cms: signed.toString('base64') })
    const { signature } = await call('GET', '/signature', where)
    expect(bytes(signature).equals(signed)).toBe(true)
    expect(await call('POST', '/signature/verify', where)).toMatchObject({ verification: { result: 'valid' } })
  })
})
