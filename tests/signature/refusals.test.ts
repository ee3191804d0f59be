// Tests the errors of the signature API.
import { describe, expect, it } from 'vitest'
import { attached } from './samples.ts'
import { fresh, invalidParameters, refusal, signaturesOn } from './support.ts'

const { ask, fetch, list } = signaturesOn()

const right = () => ({ document: fresh(), thread: 't', cms: attached })

describe('POST /signature refuses', () => {
  it.each<[string, object, ...string[]]>([
    ['no document', { document: undefined }, 'document'],
    ['an empty document', { document: '' }, 'document'],
    ['a document that is no string', { document: 7 }, 'document'],
    ['a document that is too long', { document: 'a'.repeat(256) }, 'document'],
    ['NUL in a document', { document: 'a\0' }, 'document'],
    ['no thread', { thread: null }, 'thread'],
    ['no cms', { cms: undefined }, 'cms'],
    ['a version in words', { version: 'two' }, 'version'],
    ['half a version', { version: 1.5 }, 'version'],
    ['a version below 0', { version: -1 }, 'version'],
    ['a version beyond what a number holds', { version: 2 ** 53 }, 'version'],
    ['tags that are no array', { tags: 'urgent' }, 'tags'],
    ['a tag that is no string', { tags: ['a', 7] }, 'tags.1'],
    ['tags in tags', { tags: [['a']] }, 'tags.0'],
    ['an empty tag', { tags: [''] }, 'tags.0'],
    ['a tag that is too long', { tags: ['a'.repeat(256)] }, 'tags.0'],
    ['10 000 tags', { tags: Array.from({ length: 10_000 }, (_, n) => `tag${n}`) }, 'tags'],
    ['101 tags', { tags: Array.from({ length: 101 }, (_, n) => `tag${n}`) }, 'tags'],
    ['10 000 tags that are not strings', { tags: Array(10_000).fill(1) }, 'tags'],
    ['an author that is neither text nor integer', { version_created_by: true }, 'version_created_by'],
    ['an author with parts', { version_created_by: { id: 1 } }, 'version_created_by'],
    ['half an author', { version_created_by: 1.5 }, 'version_created_by'],
    ['a comment that is too long', { version_comment: 'a'.repeat(10_001) }, 'version_comment'],
    ['data that is not signed data', { cms: 'hello' }, 'cms'],
  ])('%s', async (_, params, ...fields) => {
    const { document, ...newSignature } = right()
    expect(await ask('POST', '/signature', { document, ...newSignature, ...params })).toMatchObject(
      invalidParameters(...fields),
    )
    expect(await list({ document })).toEqual({ signatures: [] })
  })

  it('more than 16 MB', async () => {
    const body = new Uint8Array(16_000_001).fill(0x20)
    const { status } = await fetch('http://component/signature', { method: 'POST', body })
    expect(status).toBe(413)
  })
})

describe.each([
  ['GET', '/signature'],
  ['DELETE', '/signature'],
  ['GET', '/signature/versions'],
])('%s %s refuses', (method, path) => {
  it('a request without document and thread', async () => {
    expect(await ask(method, path, {})).toMatchObject(invalidParameters('document', 'thread'))
    expect(await ask(method, path, { document: 'a', thread: '' })).toMatchObject(invalidParameters('thread'))
  })

  it('a signature that does not exist', async () => {
    const document = fresh()
    const message = `No signature is stored for document "${document}", thread "t".`
    const { status, json } = refusal(404, 'signature_not_found')
    expect(await ask(method, path, { document, thread: 't' })).toMatchObject({ status, json: { ...json, message } })
  })

  it('a signature with a long name that does not exist, without repeating the name', async () => {
    const reply = await ask(method, path, { document: fresh(), thread: 't'.repeat(65) })
    expect(reply).toMatchObject(refusal(404, 'signature_not_found'))
    expect(JSON.stringify(reply.json)).not.toContain('tttt')
  })
})

describe('GET /signature refuses', () => {
  it('a version in words', async () => {
    expect(await ask('GET', '/signature', { ...right(), version: 'two' })).toMatchObject(invalidParameters('version'))
  })

  it('a version that does not exist', async () => {
    const newSignature = right()
    await ask('POST', '/signature', newSignature)
    for (const version of [0, 2]) {
      const { document, thread } = newSignature
      expect(await ask('GET', '/signature', { document, thread, version })).toMatchObject(
        refusal(404, 'signature_not_found'),
      )
    }
  })
})

describe('GET /signatures refuses', () => {
  it.each<[object, string]>([
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ offset: -1 }, 'offset'],
    [{ count: 'perhaps' }, 'count'],
    [{ tags: Array(101).fill('a') }, 'tags'],
    [{ document: 'a'.repeat(256) }, 'document'],
  ])('%j', async (params, field) => {
    expect(await ask('GET', '/signatures', params)).toMatchObject(invalidParameters(field))
  })
})

describe('POST /signature/verify refuses', () => {
  it.each<[string, object, ...string[]]>([
    ['nothing', {}, 'document', 'thread'],
    ['a document without its thread', { document: 'a' }, 'thread'],
    ['a thread without its document', { thread: 'a' }, 'document'],
    ['a stored signature together with cms', { document: 'a', thread: 't', cms: attached }, 'cms'],
    ['a version together with cms', { version: 1, cms: attached }, 'version'],
    ['content that is no base64', { cms: attached, content: '?' }, 'content'],
    ['data that is not signed data', { cms: 'hello' }, 'cms'],
  ])('%s', async (_, params, ...fields) => {
    expect(await ask('POST', '/signature/verify', params)).toMatchObject(invalidParameters(...fields))
  })

  it('a signature that is not stored', async () => {
    expect(await ask('POST', '/signature/verify', { document: fresh(), thread: 't' })).toMatchObject(
      refusal(404, 'signature_not_found'),
    )
  })
})

it('invalid input is rejected before any database query', async () => {
  const its = signaturesOn({ DB: undefined, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' })
  for (const params of [{ cms: 'hello' }, { version: 'two' }, { tags: Array(10_000).fill('a') }])
    expect(await its.ask('POST', '/signature', { ...right(), ...params })).toMatchObject({ status: 400 })
})
