import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localeFor, textFor } from '#core/template/locale'
import { parseTemplate, TemplateError } from '#core/template/template'
import { valuesIn } from '#core/template/values'

const render = (text: string, values: object = {}, kind: 'html' | 'text' = 'text') =>
  parseTemplate(text, kind).render(values)

const problem = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof TemplateError) return [error.line, error.column]
    throw error
  }
}

describe('a template', () => {
  it('has values, filters and conditions', async () => {
    const text = '{% if count > 1 %}{{ name | upcase }} has {{ count }}{% else %}Nothing{% endif %}'
    expect(await render(text, { name: 'ann', count: 2 })).toBe('ANN has 2')
    expect(await render(text, { count: 1 })).toBe('Nothing')
  })

  it('is empty where a value is missing, or is not of the object itself', async () => {
    const text = '[{{ a }}{{ a.b.c }}{{ toString }}{{ x.constructor }}{{ __proto__ }}]'
    expect(await render(text, { x: {} })).toBe('[]')
  })

  it('writes objects as JSON, and lists one after the other', async () => {
    expect(await render('{{ o }} {{ l }}', { o: { a: 1 }, l: [1, 'b', null] })).toBe('{"a":1} 1b')
  })

  it('escapes values for HTML, unless they are said to be it', async () => {
    const values = { a: `<b>&"'` }
    expect(await render('<p>{{ a }}{{ a | raw }}</p>', values, 'html')).toBe(`<p>&lt;b&gt;&amp;&quot;&#39;<b>&"'</p>`)
    expect(await render('<p>{{ a }}</p>', values)).toBe(`<p><b>&"'</p>`)
  })

  it('never lets a value leave an element or an attribute', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (a) => {
        const html = await render('<p title="{{ a }}">{{ a }}</p>', { a }, 'html')
        expect(html.replace(/^<p title="/, '').replace(/<\/p>$/, '')).toMatch(/^[^<"]*">[^<]*$/)
      }),
    )
  })

  it('leaves a text without Liquid as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        fc.pre(!/\{[{%]/.test(text))
        expect(await render(text, {}, 'html')).toBe(text)
      }),
    )
  })

  it('knows which values it reads', () => {
    const text = '{% assign own = a.b %}{% for item in list %}{{ item.x }}{{ own }}{{ c | append: d }}{% endfor %}'
    expect(parseTemplate(text, 'html').variables).toEqual(['a', 'list', 'c', 'd'])
  })

  it('says where it does not parse', () => {
    expect(problem(() => parseTemplate('a\n  {% if x %}b', 'text'))).toEqual([2, 3])
    expect(problem(() => parseTemplate('{{ a | nosuchfilter }}', 'text'))).toEqual([1, 1])
    expect(problem(() => parseTemplate('a\nb {% nosuchtag %}', 'text'))).toEqual([2, 3])
    expect(problem(() => parseTemplate('{{ a ', 'text'))).toEqual([1, 1])
  })

  it.each(["{% include 'a' %}", "{% render 'a' %}", "{% layout 'a' %}x", '{% block a %}{% endblock %}'])(
    'has no other file: %s',
    (text) => {
      expect(problem(() => parseTemplate(text, 'text'))).toEqual([1, 1])
    },
  )

  it.each([
    '{% for i in (1..1000000000) %}{% endfor %}',
    '{% for i in (1..5000) %}{% for j in (1..5000) %}{% endfor %}{% endfor %}',
    '{% for i in (1..90000) %}{{ long }}{% endfor %}',
    `{% for i in (1..90000) %}${'x'.repeat(100)}{% endfor %}`,
    '{% assign a = long %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
    '{% assign a = long %}{% for i in (1..60) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}',
    "{{ 'a' | pad_left: 1000000000 }}",
    '{% tablerow i in (1..100000) cols:1 %}{{ long }}{% endtablerow %}',
  ])('ends, and says that it takes too much: %#', async (text) => {
    await expect((async () => render(text, { long: 'long '.repeat(200) }))()).rejects.toThrow(TemplateError)
  })

  it.each([
    '{% if a %}'.repeat(50_000) + '{% endif %}'.repeat(50_000),
    `{{ ${'a['.repeat(50_000)}1${']'.repeat(50_000)} }}`,
    `{{ ${'('.repeat(50_000)} }}`,
    '{{ a }}'.repeat(20_001),
    `{% liquid ${'\necho a'.repeat(20_001)} %}`,
  ])('is refused where it is nested too deep, or has too many tags: %#', (text) => {
    expect(() => parseTemplate(text, 'text')).toThrow(TemplateError)
  })

  it.each([
    '{% for i in (1..5000) %}{% assign b = items | reverse %}{% endfor %}',
    '{% for i in (1..5000) %}{% assign b = items | map: "x" | sum %}{% endfor %}',
    '{% for i in (1..5000) %}{% assign b = long | url_encode %}{% endfor %}',
    `{% for i in (1..99900) %}{% endfor %}${'{{ a }}'.repeat(200)}`,
  ])('counts what filters work on, and what stands outside of all blocks: %#', async (text) => {
    const values = { items: Array.from({ length: 5_000 }, (_, i) => i), long: 'long '.repeat(1_000) }
    await expect(render(text, values)).rejects.toThrow(TemplateError)
  })

  it('changes none of the values', async () => {
    const values = { a: 1 }
    expect(await render('{% increment a %}{% increment b %}{{ a }}', values)).toBe('102')
    expect(values).toEqual({ a: 1 })
  })

  it('has a place in each of many lines', () => {
    const lines = Array.from({ length: 1_000 }, () => '{{ a }}\n').join('')
    expect(problem(() => parseTemplate(`${lines} {{ a | nosuchfilter }}`, 'text'))).toEqual([1001, 2])
    expect(parseTemplate(lines, 'text').variables).toEqual(['a'])
  })

  it('is refused where it is too long', () => {
    expect(() => parseTemplate('x'.repeat(1_000_001), 'text')).toThrow(/parse length limit exceeded/)
  })
})

describe('values out of JSON', () => {
  it('are what JSON says, save for integers that no double holds', () => {
    const json =
      '{"a": [1.50, -0, "12345678901234567890"], "b": {"c": 12345678901234567890, "d": -9007199254740993, "e": 1e30}}'
    expect(valuesIn(json)).toEqual({
      a: [1.5, -0, '12345678901234567890'],
      b: { c: '12345678901234567890', d: '-9007199254740993', e: 1e30 },
    })
    expect(valuesIn('{"a": 9007199254740991}')).toEqual({ a: 9007199254740991 })
  })
})

describe('a text in several languages', () => {
  const texts = { en: 'English', kk: 'Kazakh', 'zh-Hant': 'Chinese' }

  it.each([
    ['kk', 'Kazakh'],
    ['kk-KZ', 'Kazakh'],
    ['KK_kz', 'Kazakh'],
    ['zh-Hant-TW', 'Chinese'],
    ['zh-hant-x-private', 'Chinese'],
    ['zh', 'English'],
    ['', 'English'],
  ])('is for %s what stands nearest', (locale, text) => {
    expect(textFor(texts, locale, 'en-GB')).toBe(text)
  })

  it('falls back on the first', () => {
    expect(textFor(texts, 'fr')).toBe('English')
    expect(textFor(texts, 'fr', 'de')).toBe('English')
    expect(textFor({}, 'fr')).toBeUndefined()
  })

  it('knows which locale that is', () => {
    expect(localeFor(Object.keys(texts), 'ZH_hant_TW', 'en')).toBe('zh-Hant')
    expect(localeFor(Object.keys(texts), 'fr', 'kk-KZ')).toBe('kk')
    expect(localeFor([], 'fr')).toBeUndefined()
  })

  it('is for a locale that has it, whatever else there is', () => {
    const locale = fc.stringMatching(/^[a-z]{2,3}(-[A-Za-z]{4})?(-[A-Z]{2})?$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(locale, { minLength: 1, selector: (name) => name.toLowerCase() }),
        locale,
        (names, other) => {
          const own = Object.fromEntries(names.map((name) => [name, `in ${name}`]))
          for (const name of names)
            expect(textFor(own, name.toUpperCase().replaceAll('-', '_'), other)).toBe(`in ${name}`)
          expect(names.map((name) => `in ${name}`)).toContain(textFor(own, other, ''))
        },
      ),
    )
  })

  it('may be the same in all', () => {
    expect(textFor('Same', 'fr')).toBe('Same')
  })
})
