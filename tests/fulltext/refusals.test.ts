// Tests the errors of the fulltext API.
import { describe, expect, it } from 'vitest'
import { codes, filled, fresh, search } from '../search/support.ts'
import { ask } from '../support/requests.ts'

const refused = (status: number, status_code: string, errors?: object) => ({
  status,
  json: { status: false, status_code, ...(errors && { errors }) },
})
const invalid = (...fields: string[]) =>
  refused(400, 'validation_failed', Object.fromEntries(fields.map((field) => [field, expect.any(String)])))

const document = { code: 'a', text: 'b' }

describe('creating an index refuses', () => {
  it.each([
    ['no name', {}, 'name'],
    ['a name in capitals', { name: 'News' }, 'name'],
    ['a name that begins with a digit', { name: '1a' }, 'name'],
    ['a name of 49 characters', { name: 'a'.repeat(49) }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['no shards', { name: 'a', shards: 0 }, 'shards'],
    ['17 shards', { name: 'a', shards: 17 }, 'shards'],
    ['half a shard', { name: 'a', shards: 1.5 }, 'shards'],
    ['a stemmer that is not known', { name: 'a', stemmer: 'klingon' }, 'stemmer'],
    ['a stemmer that is a list', { name: 'a', stemmer: ['english'] }, 'stemmer'],
    ['a stemmer of half an underscore', { name: 'a', stemmer: '_english' }, 'stemmer'],
    ['stop words that are not known', { name: 'a', stopwords: '_klingon_' }, 'stopwords'],
    ['stop words that are no text', { name: 'a', stopwords: [1] }, 'stopwords.0'],
    ['1001 stop words', { name: 'a', stopwords: new Array(1001).fill('a') }, 'stopwords'],
    ['stop words of 65 characters', { name: 'a', stopwords: ['a'.repeat(65)] }, 'stopwords.0'],
  ])('%s', async (_, params, field) => {
    const reply = await ask('POST', '/index', params)
    expect([reply.status, Object.keys(reply.json.errors!)[0]!.split('.')[0]]).toEqual([400, field.split('.')[0]])
  })

  it.each(['stemmer', 'stopwords'])('an unknown %s, and lists the available ones', async (field) => {
    const { json } = await ask('POST', '/index', { name: fresh(), [field]: 'klingon' })
    expect(json.message).toMatch(/one of (\w+, )*english, (\w+, )*none\b/)
  })

  it.each(['serbian', 'nepali', 'esperanto', 'yiddish'])(
    'stop words of %s, and says that the language has a stemmer only',
    async (stopwords) => {
      const { json } = await ask('POST', '/index', { name: fresh(), stemmer: stopwords, stopwords })
      expect(json.errors).toEqual({
        stopwords: expect.stringMatching(
          `^"${stopwords}" has a stemmer but no list of stop words. Use an array of words`,
        ),
      })
    },
  )

  it.each([
    ['1001 stop words', new Array(1001).fill('a')],
    ['a stop word of 65 characters', ['a'.repeat(65)]],
    ['stop words that are no list', { a: 1 }],
  ])('%s, and reports the maximum number and length', async (_, stopwords) => {
    const { json } = await ask('POST', '/index', { name: fresh(), stopwords })
    expect(Object.values(json.errors!).join()).toMatch(/up to 1000 words of 64 characters|at most 64 characters|64/)
  })

  it.each([
    ['1001 words', new Array(1001).fill('a').join(',')],
    ['a word of 65 characters', `a,${'b'.repeat(65)}`],
  ])('%s separated by commas', async (_, stopwords) => {
    const { status, json } = await ask('POST', '/index', { name: fresh(), stopwords })
    expect([status, json.errors]).toEqual([
      400,
      { stopwords: expect.stringMatching(/at most (1000 words|64 characters)/) },
    ])
  })

  it.each(['toString', '__proto__', '_none'])('%j as a language', async (stemmer) => {
    const reply = await ask('POST', '/index', { name: fresh(), stemmer })
    expect(reply).toMatchObject(invalid('stemmer'))
  })
})

describe('writing refuses', () => {
  it.each([
    ['no index', { index: undefined }, 'index'],
    ['no code', { code: undefined }, 'code'],
    ['an empty code', { code: '' }, 'code'],
    ['a code of 256 characters', { code: 'a'.repeat(256) }, 'code'],
    ['a code with NUL', { code: 'a\0b' }, 'code'],
    ['no text', { text: undefined }, 'text'],
    ['a text that is none', { text: 1 }, 'text'],
    ['a text with NUL', { text: 'a\0b' }, 'text'],
    ['half a character', { text: 'a\ud800b' }, 'text'],
    ['a title that is none', { title: {} }, 'title'],
  ])('%s', async (_, given, field) => {
    const index = await filled([])
    expect(await ask('POST', '/document', { index, ...document, ...given })).toMatchObject(invalid(field))
  })

  it.each([
    ['none', []],
    ['1001', new Array(1001).fill(document)],
    ['a value that is not a list', 'a'],
  ])('a bulk of %s', async (_, documents) => {
    const index = await filled([])
    expect(await ask('POST', '/documents', { index, documents })).toMatchObject(invalid('documents'))
  })

  it('a bulk with invalid documents, reports them by position, and writes nothing', async () => {
    const index = await filled([])
    const documents = [document, { code: 'b' }, document, { text: 'c' }, { code: 'd', text: 4 }, null]
    const reply = await ask('POST', '/documents', { index, documents })
    expect(reply).toMatchObject(invalid('documents.1.text', 'documents.3.code', 'documents.4.text', 'documents.5'))
    expect(await codes(index, 'b')).toEqual([])
  })

  it('a document of more than a megabyte, reports it by position, and writes nothing', async () => {
    const index = await filled([])
    const documents = [
      document,
      { code: 'large', title: 'a', text: '語'.repeat(333_334) },
      { code: 'two', text: 'x'.repeat(2_000_000) },
    ]
    expect(await ask('POST', '/documents', { index, documents })).toMatchObject(
      refused(413, 'payload_too_large', { 'documents.1': expect.any(String), 'documents.2': expect.any(String) }),
    )
    expect(await codes(index, 'b')).toEqual([])
  })

  it('a body of more than a megabyte for one document, and of more than 30 for a bulk', async () => {
    const index = await filled([])
    const [two, many] = ['x'.repeat(2_000_000), 'y'.repeat(30_000_000)]
    expect(await ask('POST', '/document', { index, code: 'a', text: two })).toMatchObject(
      refused(413, 'payload_too_large'),
    )
    expect(await ask('POST', '/documents', { index, documents: [{ code: 'a', text: many }] })).toMatchObject(
      refused(413, 'payload_too_large'),
    )
  })
})

describe('searching refuses', () => {
  it.each([
    ['no index', { index: undefined }, 'index'],
    ['nothing to look for', { search: '' }, 'search'],
    ['10 001 characters', { search: 'a'.repeat(10_001) }, 'search'],
    ['NUL', { search: 'a\0' }, 'search'],
    ['a start before the first', { from: -1 }, 'from'],
    ['a size below none', { size: -1 }, 'size'],
    ['1001 documents', { size: 1001 }, 'size'],
    ['results past the first 10 000', { from: 9_951 }, 'from'],
    ['a start that is none', { from: 'x' }, 'from'],
    ['a value other than true and false', { highlight: 'maybe' }, 'highlight'],
  ])('%s', async (_, given, field) => {
    const params = { index: 'any', search: 'a', ...given }
    const defined = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
    expect(await ask('GET', '/documents', defined)).toMatchObject(invalid(field))
  })

  it('an index that does not exist', async () => {
    expect(await ask('GET', '/documents', { index: fresh(), search: 'a' })).toMatchObject(
      refused(404, 'index_not_found'),
    )
  })
})

describe('listing refuses', () => {
  it.each([{ limit: 0 }, { limit: 1001 }, { offset: -1 }])('%j', async (params) => {
    expect(await ask('GET', '/indexes', params)).toMatchObject({ status: 400 })
  })
})

describe('any search text', () => {
  const documents = [
    { code: 'cat', title: 'Cats & dogs', text: 'A cat AND a dog, NOT a fish. C++ and C#, "quoted", it\'s 50% off.' },
    { code: 'emoji', text: '😀 smile 👩‍👩‍👧 family' },
  ]

  it.each([
    'cat AND dog',
    'cat OR',
    'NOT cat',
    'AND',
    'NEAR(cat dog, 2)',
    '-cat +dog',
    'cat*',
    '*',
    'title:cat',
    '^cat$',
    '(cat',
    'cat)',
    '{cat}',
    '[cat',
    'cat"',
    '"',
    '""',
    '" "',
    '"cat',
    '"cat"dog"',
    "'",
    "'; DROP TABLE documents; --",
    'C++',
    '\\',
    '\\"',
    '😀',
    '👩‍👩‍👧',
    '🇩🇪',
    '\u200d',
    '\u202e',
    '\ufeff',
    '\u0301',
    '...',
    '—!?…',
    '%',
    '_',
    'a'.repeat(10_000),
    'cat '.repeat(2_500),
    '"'.repeat(10_000),
    '"cat dog" '.repeat(1_000),
    '😀'.repeat(5_000),
    '語'.repeat(10_000),
    'é'.normalize('NFD').repeat(5_000),
    Array.from({ length: 2_500 }, (_, i) => i.toString(36))
      .join(' ')
      .slice(0, 10_000),
  ])('%#: the response is a list', async (text) => {
    const index = await filled(documents, { shards: 2 })
    expect((await search(index, text, { highlight: true, score: true, count: true })).nb_results).toBeLessThan(3)
  })

  it.each(['?!', '"', '...', '+ - *', ' \t\n'])('nothing but punctuation finds nothing: %j', async (text) => {
    expect(await search(await filled(documents), text, { count: true })).toEqual({ documents: [], nb_results: 0 })
  })

  it('operators are words', async () => {
    const index = await filled(documents)
    expect(await codes(index, 'NOT cat')).toEqual(['cat'])
    expect(await codes(index, 'fish OR smile')).toHaveLength(2)
  })
})
