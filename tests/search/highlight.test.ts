// Tests the marks that highlighting puts around words.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyzerOf } from '#search/analysis/analyzer'
import { highlight } from '#search/highlight'

const english = analyzerOf({ stemmer: 'english', stopwords: 'english' })
const plain = analyzerOf({ stemmer: 'none', stopwords: 'none' })

const none: ReadonlySet<string> = new Set()

const marked = (text: string, query: string, analysis = plain) =>
  highlight(text, analysis, { terms: new Set(analysis.queryTokens(query).map(({ term }) => term)) })

const begun = (text: string, prefix: string) => highlight(text, plain, { terms: none, prefix })

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(...Array.from('aéßI&<>"\'\u00ad\u0301中国かกข\u1112\u1161हिन्दी👍🏽 \ud800\udc00')),
  }),
)

describe('a text', () => {
  it.each([
    ['The runner runs', 'running', 'The runner <mark>runs</mark>', english],
    ['Das Café, die STRASSE', 'strasse cafe', 'Das <mark>Café</mark>, die <mark>STRASSE</mark>', plain],
    ['去北京大学吧', '北京大学', '去<mark>北京大学</mark>吧', plain],
    ['去北京，大学', '北京大学', '去<mark>北京</mark>，<mark>大学</mark>', plain],
    ['a 👍🏽 b', '👍', 'a <mark>👍🏽</mark> b', plain],
    ["l'eau <b>", "l'eau b", '<mark>l</mark>&#39;<mark>eau</mark> &lt;<mark>b</mark>&gt;', plain],
  ])('has marks around the matching words: %s', (given, query, expected, analysis) => {
    expect(marked(given, query, analysis)).toBe(expected)
  })

  it('has marks around the prefix of a word', () => {
    expect(begun('Straßen, strasse, STRÄSSLE', 'strasse')).toBe('<mark>Straße</mark>n, <mark>strasse</mark>, STRÄSSLE')
    expect(begun('Straßen', 'stras')).toBe('<mark>Straßen</mark>')
    expect(begun('e\u0301le\u0300ve', 'el')).toBe('<mark>e\u0301l</mark>e\u0300ve')
    expect(begun('中国人', '中')).toBe('<mark>中</mark>国人')
    expect(begun('d’Artagnan', 'art')).toBe('d’<mark>Art</mark>agnan')
    expect(begun('क्षमा', 'क्')).toBe('<mark>क्षमा</mark>')
  })

  it('has marks around whole words that the target function matches', () => {
    const target = { terms: none, prefix: 'he', matches: ({ word }: { word: string }) => word === 'hello' }
    expect(highlight('Hello help', plain, target)).toBe('<mark>Hello</mark> <mark>he</mark>lp')
  })

  it('is escaped without marks if no word matches', () => {
    expect(marked(`<a href="x">&'</a>`, 'zebra')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;')
    expect(highlight('', plain, { terms: none })).toBe('')
    expect(highlight('abc', plain, { terms: none, prefix: '' })).toBe('abc')
  })

  it('is unchanged after marks and escapes are removed', () => {
    fc.assert(
      fc.property(text, text, (given, query) => {
        const words = plain.queryTokens(query)
        const prefix = words.at(-1)?.word ?? ''
        const html = highlight(given, plain, { terms: new Set(words.map(({ term }) => term)), prefix })
        expect(written(html.replaceAll(/<\/?mark>/g, ''))).toBe(given)
        expect(html.replaceAll(/<mark>[^<]+<\/mark>/g, '')).not.toMatch(/[<>]/)
      }),
    )
  })

  it('has no mark inside a grapheme', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const { word, start, end } of plain.tokens(given)) {
          for (let length = 1; length <= word.length; length++) {
            const within = written(begun(given.slice(start, end), word.slice(0, length)))
            const end0 = within.indexOf('</mark>') - '<mark>'.length
            expect(boundaries(given.slice(start, end))).toContain(end0)
          }
        }
      }),
    )
  })
})

const written = (html: string) => html.replaceAll(/&(lt|gt|quot|amp|#39);/g, (entity) => entities[entity] ?? entity)

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&', '&#39;': "'" }

const boundaries = (given: string) => [
  ...Array.from(new Intl.Segmenter('und').segment(given), ({ index }) => index),
  given.length,
]
