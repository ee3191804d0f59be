// Tests the routes of the signature API.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { ann, attached, content, detached, enveloped } from './samples.ts'
import { fresh, on, refusal, signaturesOn } from './support.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const signer = { ...ann, signed_at: expect.stringMatching(/^2026-11-21 21:20:0\d$/), algorithm: expect.any(String) }

const fields = () => ({ document: fresh(), thread: 'order-7', cms: attached })

const shape = {
  id: expect.any(Number),
  version: 1,
  signature: attached,
  format: 'cms',
  signers: [signer],
  version_created_by: '',
  version_created_at: time,
  version_comment: '',
  tags: [],
  created_at: time,
  updated_at: time,
}

describe.each(databases)('signatures on $dialect', (database) => {
  const { ask, save, read, list } = signaturesOn(on(database))

  it('are saved with their signers', async () => {
    const { document, thread, cms } = fields()
    const made = { version_created_by: 17, version_comment: 'First', tags: ['b', 'a', 'b'] }
    expect(await ask('POST', '/signature', { document, thread, version: 0, cms, ...made })).toEqual({
      status: 201,
      json: {
        status: true,
        message: null,
        content: { signature: { ...shape, document, thread, ...made, version_created_by: '17', tags: ['b', 'a'] } },
      },
    })
  })

  it.each([
    ['PEM', 'cms', `-----BEGIN CMS-----\r\n${attached.replace(/.{64}/g, '$&\r\n')}\r\n-----END CMS-----\r\n`],
    ['XML', 'xml', enveloped],
  ])('that are %s come back as its bytes, and are verified', async (_, format, cms) => {
    const { document, thread } = fields()
    const saved = await save({ document, thread, cms })
    expect(saved).toMatchObject({ format, signers: [{ subject: 'CN=Ann' }] })
    expect(Buffer.from(saved.signature, 'base64').toString()).toBe(cms)
    expect(await read({ document, thread })).toEqual(saved)
    expect(await ask('POST', '/signature/verify', { document, thread })).toMatchObject({
      json: { content: { verification: { format, result: 'valid', signers: [{ result: 'valid' }] } } },
    })
  })

  it('in base64 with line breaks, or base64 of XML, are returned as base64', async () => {
    const lines = attached.replace(/.{76}/g, '$&\n')
    expect(await save({ ...fields(), cms: lines })).toMatchObject({ format: 'cms', signature: attached })
    const cms = Buffer.from(enveloped).toString('base64')
    expect(await save({ ...fields(), cms })).toMatchObject({ format: 'xml', signature: cms })
  })

  it('are read', async () => {
    const { document, thread } = await save(fields())
    expect(await ask('GET', '/signature', { document, thread })).toEqual({
      status: 200,
      json: { status: true, message: null, content: { signature: { ...shape, document, thread } } },
    })
  })

  it('are listed with the keys of both forms', async () => {
    const { document, thread } = await save({ ...fields(), tags: ['x'] })
    const listed = { chain: thread, stage: '1', parent: null }
    expect(await ask('GET', '/signatures', { document })).toEqual({
      status: 200,
      json: {
        status: true,
        message: null,
        content: { signatures: [{ ...shape, document, thread, ...listed, tags: ['x'] }] },
      },
    })
  })

  it('get a next version, which is independent', async () => {
    const first = await save({ ...fields(), tags: ['old'], version_created_by: 'ann', version_comment: 'First' })
    const { document, thread } = first
    const second = await save({ document, thread, version: 1, cms: detached })
    expect(second).toEqual({ ...shape, id: first.id, document, thread, version: 2, signature: detached })
    expect(await read({ document, thread })).toEqual(second)
    expect(await read({ document, thread, version: 1 })).toEqual({ ...first, updated_at: time })
    expect((await list({ document })).signatures).toMatchObject([{ stage: '2', parent: 1, signature: detached }])
    expect((await list({ document, tags: ['old'] })).signatures).toEqual([])
  })

  it('have their versions listed, the newest first', async () => {
    const { document, thread } = await save({ ...fields(), tags: ['a'], version_comment: 0 })
    await save({ document, thread, version: 1, cms: detached, version_created_by: 'bob' })
    await save({ document, thread, version: 2, cms: attached })
    const versionOf = (version: number, cms: string, more: object = {}) => ({
      ...{ version, format: 'cms', signers: [signer], size: atob(cms).length, tags: [], version_created_at: time },
      ...{ version_created_by: '', version_comment: '', ...more },
    })
    const all = [
      versionOf(3, attached),
      versionOf(2, detached, { version_created_by: 'bob' }),
      versionOf(1, attached, { tags: ['a'], version_comment: '0' }),
    ]
    const query = { document, thread, count: true }
    expect(await ask('GET', '/signature/versions', query)).toEqual({
      status: 200,
      json: { status: true, message: null, content: { versions: all, nb_results: 3 } },
    })
    const { json } = await ask('GET', '/signature/versions', { ...query, limit: 1, offset: 1 })
    expect(json.content).toEqual({ versions: [all[1]], nb_results: 3 })
    expect((await ask('GET', '/signature/versions', { document, thread, offset: 9 })).json.content).toEqual({
      versions: [],
    })
  })

  it('are deleted with versions and tags', async () => {
    const { document, thread } = await save({ ...fields(), tags: ['gone'] })
    await save({ document, thread, version: 1, cms: detached, tags: ['gone'] })
    expect(await ask('DELETE', '/signature', { document, thread })).toEqual({ status: 200, json: { status: true } })

    for (const version of [{}, { version: 1 }, { version: 2 }])
      expect(await ask('GET', '/signature', { document, thread, ...version })).toMatchObject(
        refusal(404, 'signature_not_found'),
      )
    expect(await ask('GET', '/signature/versions', { document, thread })).toMatchObject(
      refusal(404, 'signature_not_found'),
    )
    expect((await list({ document, count: true })).nb_results).toBe(0)
    expect((await list({ document, tags: ['gone'], count: true })).nb_results).toBe(0)
    expect(await ask('DELETE', '/signature', { document, thread })).toMatchObject(refusal(404, 'signature_not_found'))
    expect(await save({ document, thread, cms: attached })).toMatchObject({ version: 1, tags: [] })
    expect((await list({ tags: ['gone'] })).signatures).toEqual([])
  })

  it('are verified from the store and from the request', async () => {
    const { document, thread } = await save(fields())
    await save({ document, thread, version: 1, cms: detached })
    const verification = (result: string) => ({
      status: 200,
      json: {
        status: true,
        message: null,
        content: { verification: { format: 'cms', result, signers: [{ ...signer, result }] } },
      },
    })
    const verify = (params: object) => ask('POST', '/signature/verify', params)
    expect(await verify({ document, thread, version: 1 })).toMatchObject(verification('valid'))
    expect(await verify({ document, thread, content: btoa(content) })).toMatchObject(verification('valid'))
    expect(await verify({ document, thread, content: btoa('Another') })).toMatchObject(verification('invalid'))
    expect(await verify({ cms: attached })).toMatchObject(verification('valid'))
    expect(await verify({ cms: detached, content: btoa(content) })).toMatchObject(verification('valid'))
  })
})
