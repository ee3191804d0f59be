// Tests the routes of the typeahead API.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codes, type Document, filled, fresh, must, search } from '../search/support.ts'
import { ask } from '../support/requests.ts'

const cities = [
  'Astana',
  'Almaty',
  'Aktobe',
  'New York',
  'York',
  'San Francisco',
  'São Paulo',
  'İstanbul',
  '東京都',
  'Алматы',
]
const documents = cities.map((text, i) => ({ code: `c${i}`, text }))

const texts = async (index: string, text: string, params = {}) =>
  (await search(index, text, params)).documents.map((found) => found.text)

describe('an index', () => {
  it('has only a name and shards', async () => {
    const name = fresh()
    await must('POST', '/index', { name, stemmer: 'klingon', stopwords: 4 })
    expect(await must('GET', '/index', { name })).toEqual({
      index: { name, shards: 1, documents: 0, bytes: expect.any(Number), created_at: expect.any(String) },
    })
    expect(await ask('POST', '/index', { name })).toMatchObject({ status: 409 })
    expect(await must('GET', '/indexes', {})).toMatchObject({ indexes: expect.arrayContaining([{ name }]) })
    await must('DELETE', '/index', { name })
    expect(await ask('DELETE', '/index', { name })).toMatchObject({
      status: 404,
      json: { status_code: 'index_not_found' },
    })
  })
})

describe('a document', () => {
  it('has no title, even if one is sent', async () => {
    const index = await filled([])
    await must('POST', '/document', { index, code: 'a', title: { no: 'matter' }, text: 'written' })
    await must('POST', '/documents', { index, documents: [{ code: 'b', title: 'ignored', text: 'written too' }] })
    expect(await search(index, 'writ')).toEqual({
      documents: [
        { code: 'a', text: 'written' },
        { code: 'b', text: 'written too' },
      ],
    })
    expect(await search(index, 'ignored')).toEqual({ documents: [] })
    expect(await must('GET', '/document', { index, code: 'b' })).toEqual({
      document: { code: 'b', text: 'written too' },
    })
    await must('DELETE', '/document', { index, code: 'b' })
    expect(await codes(index, 'writ')).toEqual(['a'])
  })
})

describe('a query', () => {
  it('finds the document at each keystroke', async () => {
    const index = await filled(documents)
    const word = 'francisco'
    for (let typed = 1; typed <= word.length; typed++) {
      expect(await texts(index, word.slice(0, typed))).toEqual(['San Francisco'])
    }
  })

  it.each([
    ['Thai', ['กรุงเทพมหานคร', 'มหาวิทยาลัยธรรมศาสตร์', 'ประเทศไทย', 'สวัสดีครับผมชื่อสมชาย', 'น้ำตกเอราวัณ']],
    ['Lao', ['ສາທາລະນະລັດປະຊາທິປະໄຕປະຊາຊົນລາວ', 'ວຽງຈັນ', 'ຫຼວງພະບາງ']],
    ['Khmer', ['ព្រះរាជាណាចក្រកម្ពុជា', 'ភ្នំពេញ', 'សៀមរាប']],
    ['Burmese', ['ပြည်ထောင်စုသမ္မတမြန်မာနိုင်ငံတော်', 'ရန်ကုန်မြို့', 'မန္တလေး']],
    ['Chinese', ['中华人民共和国', '东京都']],
  ])('finds %s text at each character', async (_, all) => {
    const index = await filled(all.map((text, i) => ({ code: `c${i}`, text })))
    for (const text of all) {
      for (let typed = 1; typed <= text.length; typed++) {
        expect([text.slice(0, typed), await texts(index, text.slice(0, typed))]).toEqual([
          text.slice(0, typed),
          expect.arrayContaining([text]),
        ])
      }
    }
  })

  it('finds Thai text by a word from its middle', async () => {
    const index = await filled([{ code: '1', text: 'ประเทศไทย' }])
    expect(await texts(index, 'ไทย')).toEqual(['ประเทศไทย'])
  })

  it.each([
    ['87015551234', ['87015551234 Aigerim']],
    ['AB12345', ['AB12345']],
    ['4400430512345679', []],
  ])('finds %s only without typos', async (typed, expected) => {
    const numbers = ['87015551234 Aigerim', '87015551243 Bolat', 'AB12345', 'AB12346', '4400430512345678']
    const index = await filled(numbers.map((text, i) => ({ code: `c${i}`, text })))
    expect(await texts(index, typed)).toEqual(expected)
  })

  it('leaves out excluded documents', async () => {
    const index = await filled(documents)
    expect(await texts(index, 'york -new')).toEqual(['York'])
    expect(await texts(index, 'york -n')).toEqual(['York', 'New York'])
  })

  it.each([
    ['san f', ['San Francisco']],
    ['york new', ['New York']],
    ['york', ['York', 'New York']],
    ['sao', ['São Paulo']],
    ['istanb', ['İstanbul']],
    ['東', ['東京都']],
    ['東京', ['東京都']],
    ['алм', ['Алматы']],
    ['york astana', []],
    ['the york', []],
    ['"new york"', ['New York']],
  ])('%s finds %j', async (text, expected) => {
    expect(await texts(await filled(documents), text)).toEqual(expected)
  })

  it('may have one typo from five letters on, and two from nine on', async () => {
    const index = await filled(documents)
    expect(await texts(index, 'asatna')).toEqual(['Astana'])
    expect(await texts(index, 'franicsco')).toEqual(['San Francisco'])
    expect(await texts(index, 'frnaicsco')).toEqual(['San Francisco'])
    expect(await texts(index, 'yorc')).toEqual([])
    expect(await texts(index, 'assatnaa')).toEqual([])
  })

  it('ranks exact words first, then prefixes, then typos, shorter texts first', async () => {
    const index = await filled(
      ['planet of the apes', 'planets', 'planed', 'a planet', 'planet'].map((text, i) => ({ code: `p${i}`, text })),
    )
    expect(await texts(index, 'planet')).toEqual(['planet', 'a planet', 'planet of the apes', 'planets', 'planed'])
  })

  it('has marks in the original text', async () => {
    const index = await filled([{ code: 'a', text: 'São & <b>Francisco</b>' }])
    const marked = async (text: string) => (await search(index, text, { highlight: true })).documents[0]!.highlight
    expect(await marked('sao fran')).toEqual({
      text: '<mark>São</mark> &amp; &lt;b&gt;<mark>Fran</mark>cisco&lt;/b&gt;',
    })
    expect(await marked('franicsco')).toEqual({ text: 'São &amp; &lt;b&gt;<mark>Francisco</mark>&lt;/b&gt;' })
  })
})

describe('an index of any number of shards', () => {
  const words = 'alpha alpine alphabet beta better gamma game gaming delta 東京 東京都'.split(' ')
  const document: fc.Arbitrary<Document> = fc.record({
    code: fc.integer({ min: 0, max: 30 }).map((n) => `c${n}`),
    text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((chosen) => chosen.join(' ')),
  })

  it('finds the same, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(document, { minLength: 1, maxLength: 20 }), { minLength: 1 }),
        async (bulks) => {
          const indexes = await Promise.all([1, 2, 8].map((shards) => filled([], { shards })))
          for (const documents of bulks)
            for (const index of indexes) await must('POST', '/documents', { index, documents })
          for (const text of ['a', 'alp', 'alhpa', 'gam bet', 'gaming dleta', '東']) {
            const all = indexes.map((index) => search(index, text, { count: true, score: true, size: 7 }))
            const [one, ...others] = await Promise.all(all)
            for (const other of others) expect(other).toEqual(one)
          }
          await Promise.all(indexes.map((name) => must('DELETE', '/index', { name })))
        },
      ),
      { numRuns: 10 },
    )
  })
})

describe('any query', () => {
  it.each([
    'cat AND',
    '*',
    '"',
    '""',
    '%',
    '\\',
    '😀',
    '\u200d',
    '...',
    'a'.repeat(10_000),
    'ab '.repeat(3_000),
    '語'.repeat(10_000),
  ])('%#: the response is a list', async (text) => {
    const index = await filled(documents, { shards: 2 })
    expect(await search(index, text, { highlight: true, count: true })).toEqual({ documents: [], nb_results: 0 })
  })
})
