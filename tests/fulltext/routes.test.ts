// Tests the routes of the fulltext API.
import { describe, expect, it } from 'vitest'
import { codes, filled, fresh, must, search } from '../search/support.ts'
import { ask } from '../support/requests.ts'

const articles = [
  { code: 'river', title: 'Rivers of the north', text: 'Long rivers run to a cold sea.' },
  { code: 'sea', title: 'The sea', text: 'Where each river ends.' },
  { code: 'hill', text: 'A hill with no title, and no water at all.' },
]

describe('an index', () => {
  it('is created, described and deleted', async () => {
    const name = fresh()
    expect(await ask('POST', '/index', { name })).toEqual({ status: 200, json: { status: true } })
    expect(await must('GET', '/index', { name })).toEqual({
      index: {
        name,
        stemmer: 'english',
        stopwords: 'english',
        shards: 1,
        documents: 0,
        bytes: expect.any(Number),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    })
    expect(await ask('DELETE', '/index', { name })).toEqual({ status: 200, json: { status: true } })
    expect(await ask('GET', '/index', { name })).toMatchObject({ status: 404 })
  })

  it.each([
    [
      { stemmer: '_english_', stopwords: '_none_' },
      { stemmer: 'english', stopwords: 'none' },
    ],
    [
      { stemmer: '_none_', stopwords: ['foo', 'Bär'] },
      { stemmer: 'none', stopwords: ['foo', 'Bär'] },
    ],
    [
      { stemmer: 'none', stopwords: '_english_', shards: 3 },
      { stopwords: 'english', shards: 3 },
    ],
  ])('keeps its settings: %j', async (given, kept) => {
    expect(await must('GET', '/index', { name: await filled([], given) })).toMatchObject({ index: kept })
  })

  it('is listed by name', async () => {
    const created = [await filled([]), await filled([]), await filled([])]
    const all = await must<{ indexes: { name: string }[] }>('GET', '/indexes', { limit: 1000 })
    const listed = all.indexes.map(({ name }) => name)
    expect(listed).toEqual(expect.arrayContaining(created))
    expect(listed).toEqual(listed.toSorted())
    expect(await must('GET', '/indexes', { limit: 2, offset: 1, count: true })).toEqual({
      indexes: listed.slice(1, 3).map((name) => ({ name })),
      nb_results: listed.length,
    })
  })

  it('reports its number of documents and size over all shards', async () => {
    const name = await filled(articles, { shards: 4 })
    const { index } = await must<{ index: { documents: number; bytes: number } }>('GET', '/index', { name })
    expect(index.documents).toBe(3)
    expect(index.bytes).toBeGreaterThan(10_000)
  })
})

describe('a document', () => {
  it('can be found, read, replaced and deleted at once', async () => {
    const index = await filled([])
    expect(await ask('POST', '/document', { index, ...articles[0] })).toEqual({ status: 200, json: { status: true } })
    expect(await codes(index, 'river')).toEqual(['river'])
    expect(await must('GET', '/document', { index, code: 'river' })).toEqual({ document: articles[0] })
    await must('POST', '/document', { index, code: 'river', text: 'Now of something else.' })
    expect(await codes(index, 'north')).toEqual([])
    expect(await must('GET', '/document', { index, code: 'river' })).toEqual({
      document: { code: 'river', text: 'Now of something else.' },
    })
    expect(await ask('DELETE', '/document', { index, code: 'river' })).toEqual({ status: 200, json: { status: true } })
    expect(await codes(index, 'something')).toEqual([])
    expect(await ask('DELETE', '/document', { index, code: 'river' })).toMatchObject({ status: 404 })
    expect(await ask('GET', '/document', { index, code: 'river' })).toMatchObject({ status: 404 })
  })

  it('is deleted by the query as well as by a body', async () => {
    const index = await filled(articles)
    expect(await ask('DELETE', `/document?index=${index}&code=sea`)).toMatchObject({ status: 200 })
    expect(await codes(index, 'sea')).toEqual(['river'])
  })

  it('has an optional title', async () => {
    const index = await filled(articles)
    expect((await search(index, 'hill')).documents).toEqual([articles[2]])
    expect((await search(index, 'ends')).documents).toEqual([articles[1]])
  })

  it('is returned unchanged', async () => {
    const odd = { code: 'ä/😀 "x"', title: '\u{feff}\ttitle', text: 'e\u0301 <b>&amp;</b>\u2028\r\n 語  ' }
    const index = await filled([odd])
    expect(await must('GET', '/document', { index, code: odd.code })).toEqual({ document: odd })
  })

  it('may have a megabyte, in any script', async () => {
    for (const text of ['語'.repeat(333_333), 'word '.repeat(200_000), `${'a b '.repeat(249_999)}😀`]) {
      const index = await filled([{ code: 'large', text }])
      expect(await must('GET', '/document', { index, code: 'large' })).toEqual({ document: { code: 'large', text } })
    }
  })
})

describe('a bulk', () => {
  it('writes all its documents, of those with the same code the last', async () => {
    const documents = Array.from({ length: 1000 }, (_, i) => ({ code: `c${i % 900}`, text: `entry ${i}` }))
    const index = await filled(documents, { shards: 2 })
    expect(await search(index, 'entry', { size: 0, count: true })).toEqual({ documents: [], nb_results: 900 })
    expect(await must('GET', '/document', { index, code: 'c5' })).toEqual({
      document: { code: 'c5', text: 'entry 905' },
    })
  })

  it('is complete after concurrent bulk writes', async () => {
    const index = await filled([], { shards: 3 })
    const bulks = Array.from({ length: 6 }, (_, n) =>
      Array.from({ length: 50 }, (_, i) => ({ code: `c${i}`, text: `writer${n}` })),
    )
    await Promise.all(bulks.map((documents) => must('POST', '/documents', { index, documents })))
    const counts = await Promise.all(
      bulks.map(async (_, n) => (await search(index, `writer${n}`, { size: 0, count: true })).nb_results!),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50)
    expect(await must('GET', '/index', { name: index })).toMatchObject({ index: { documents: 50 } })
  })

  it('of 30 MB is written, of letters that take three bytes', async () => {
    const text = '語彙'.repeat(4_900)
    const documents = Array.from({ length: 1000 }, (_, i) => ({ code: `c${i}`, text: `${i} ${text}` }))
    const index = await filled(documents, { shards: 2 })
    const page = await search(index, '語彙', { size: 1000, count: true })
    expect(page).toMatchObject({ nb_results: 1000, has_more: true })
    const next = await search(index, '語彙', { from: page.documents.length, size: 3 })
    expect(next.documents).toHaveLength(3)
    expect(page.documents.map(({ code }) => code)).not.toContain(next.documents[0]!.code)
  })
})

describe('a search', () => {
  it('ranks by words in title and text, the best first', async () => {
    const index = await filled(articles)
    expect(await codes(index, 'rivers of the sea')).toEqual(['sea', 'river'])
    expect(await codes(index, 'northern river')).toEqual(['river', 'sea'])
  })

  it('accepts its parameters from the query or from a body, numbers as text too', async () => {
    const index = await filled(articles)
    const { json } = await ask('GET', `/documents?index=${index}&search=river&from=1&size=1`)
    expect(json).toMatchObject({ content: { documents: [{ code: 'sea' }] } })
  })

  it('has scores, highlights and the number of matches only on request', async () => {
    const index = await filled(articles)
    expect(await search(index, 'river')).toEqual({ documents: [articles[0], articles[1]] })
    const { documents, nb_results } = await search(index, 'river', {
      score: true,
      count: true,
      highlight: true,
      size: 1,
    })
    expect(nb_results).toBe(2)
    expect(documents).toEqual([
      {
        ...articles[0],
        score: expect.any(Number),
        highlight: { title: '<mark>Rivers</mark> of the north', text: 'Long <mark>rivers</mark> run to a cold sea.' },
      },
    ])
  })

  it('ends a page early if the highlights are too large', async () => {
    const text = 'x y '.repeat(100_000)
    const index = await filled(Array.from({ length: 8 }, (_, i) => ({ code: `c${i}`, text })))
    const page = await search(index, 'x y', { highlight: true, count: true })
    expect(page).toMatchObject({ nb_results: 8, has_more: true })
    expect(page.documents.map(({ code }) => code)).toEqual(['c0', 'c1', 'c2'])
    expect(page.documents[2]!.highlight!.text).toBe('<mark>x</mark> <mark>y</mark> '.repeat(100_000))
    const rest = await search(index, 'x y', { highlight: true, from: 6 })
    expect(rest).not.toHaveProperty('has_more')
    expect(rest.documents.map(({ code }) => code)).toEqual(['c6', 'c7'])
  })

  it('highlights phrases and prefixes, and escapes HTML', async () => {
    const index = await filled([{ code: 'a', text: '<i>Seas</i> & seasons of the “year”' }])
    const { documents } = await search(index, '"of the" sea', { highlight: true })
    expect(documents[0]!.highlight).toEqual({
      text: '&lt;i&gt;<mark>Seas</mark>&lt;/i&gt; &amp; <mark>sea</mark>sons <mark>of</mark> <mark>the</mark> “year”',
    })
  })

  it('matches phrases in order', async () => {
    const index = await filled(articles)
    expect(await codes(index, '"cold sea"')).toEqual(['river'])
    expect(await codes(index, '"sea cold"')).toEqual([])
  })

  it('matches stop words if the query has no other words', async () => {
    const index = await filled(articles)
    expect(await codes(index, 'no with')).toEqual(['hill'])
    expect(await codes(index, 'at all')).toEqual(['hill'])
  })

  it('ignores the custom stop words of the index', async () => {
    const index = await filled(articles, { stopwords: ['Sea'] })
    expect(await codes(index, 'sea hill')).toEqual(['hill'])
  })

  it.each(['__proto__', 'constructor', 'toString valueOf', 'hasOwnProperty'])(
    'finds words that are property names of objects: %s',
    async (text) => {
      const index = await filled(
        [
          { code: 'a', text },
          { code: 'b', text: 'other' },
        ],
        { shards: 2 },
      )
      expect(await codes(index, text, { highlight: true })).toEqual(['a'])
    },
  )
})

describe('health', () => {
  it('reports whether the catalog answers', async () => {
    expect(await must('GET', '/_health', {})).toMatchObject({ dependencies: { catalog: { state: 'up' } } })
  })
})

it.each([
  ['/document', '/document/search', { code: 'sea' }],
  ['/document', '/document/search', { code: 'none' }],
  ['/documents', '/documents/search', { search: 'river', highlight: true }],
])('answers to GET %s and to POST %s alike for %j', async (path, postPath, params: object) => {
  const index = await filled(articles)
  const { request_id: _, ...asked } = (await ask('GET', path, { index, ...params })).json
  const { request_id: __, ...sent } = (await ask('POST', postPath, { index, ...params })).json
  expect(sent).toEqual(asked)
  expect(sent.status).toBe(!('code' in params && params.code === 'none'))
})
