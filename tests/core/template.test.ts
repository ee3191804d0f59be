// Tests Liquid templates: values, filters, dates in several languages, escaping and limits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatLocale, localeFor } from '#core/template/locale'
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

  it('escapes values for HTML, unless they are marked as HTML', async () => {
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

  it('returns a text without Liquid unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        fc.pre(!/\{[{%]/.test(text))
        expect(await render(text, {}, 'html')).toBe(text)
      }),
    )
  })

  it('lists the values that it reads', () => {
    const text = '{% assign own = a.b %}{% for item in list %}{{ item.x }}{{ own }}{{ c | append: d }}{% endfor %}'
    expect(parseTemplate(text, 'html').variables).toEqual(['a', 'list', 'c', 'd'])
  })

  it('reports the position of a syntax error', () => {
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
  ])('is refused if it is nested too deeply or has too many tags: %#', (text) => {
    expect(() => parseTemplate(text, 'text')).toThrow(TemplateError)
  })

  it.each([
    '{% for i in (1..5000) %}{% assign b = items | reverse %}{% endfor %}',
    '{% for i in (1..5000) %}{% assign b = items | map: "x" | sum %}{% endfor %}',
    '{% for i in (1..5000) %}{% assign b = long | url_encode %}{% endfor %}',
    `{% for i in (1..99900) %}{% endfor %}${'{{ a }}'.repeat(200)}`,
  ])('counts the input of filters, and nodes outside of blocks: %#', async (text) => {
    const values = { items: Array.from({ length: 5_000 }, (_, i) => i), long: 'long '.repeat(1_000) }
    await expect(render(text, values)).rejects.toThrow(TemplateError)
  })

  it('does not change the values', async () => {
    const values = { a: 1 }
    expect(await render('{% increment a %}{% increment b %}{{ a }}', values)).toBe('102')
    expect(values).toEqual({ a: 1 })
  })

  it('finds positions in many lines', () => {
    const lines = Array.from({ length: 1_000 }, () => '{{ a }}\n').join('')
    expect(problem(() => parseTemplate(`${lines} {{ a | nosuchfilter }}`, 'text'))).toEqual([1001, 2])
    expect(parseTemplate(lines, 'text').variables).toEqual(['a'])
  })

  it('is refused if it is too long', () => {
    expect(() => parseTemplate('x'.repeat(1_000_001), 'text')).toThrow(/parse length limit exceeded/)
  })
})

describe('values out of JSON', () => {
  it('are parsed as JSON, except integers that a double cannot hold', () => {
    const json =
      '{"a": [1.50, -0, "12345678901234567890"], "b": {"c": 12345678901234567890, "d": -9007199254740993, "e": 1e30}}'
    expect(valuesIn(json)).toEqual({
      a: [1.5, -0, '12345678901234567890'],
      b: { c: '12345678901234567890', d: '-9007199254740993', e: 1e30 },
    })
    expect(valuesIn('{"a": 9007199254740991}')).toEqual({ a: 9007199254740991 })
  })
})

describe('the locale of a text in several languages', () => {
  it.each([
    ['kk', 'kk', 'the locale itself'],
    ['KK_kz', 'kk', 'its language, whatever the case'],
    ['zh-Hant-TW', 'zh-Hant', 'with one subtag fewer'],
    ['zh-hant-x-private', 'zh-Hant', 'without the private subtag'],
    ['zh', 'zh-Hant', 'the only one of the language'],
    ['en-US', 'en-GB', 'another region of the language, the first in the list'],
    ['en', 'en-GB', 'a region of the language'],
    ['fr', 'de-AT', 'another region of the language to fall back on'],
    ['', 'de-AT', 'the fallback'],
  ])('for %j is %j: %s', (requested, chosen) => {
    expect(localeFor(['kk', 'en-GB', 'en-AU', 'zh-Hant', 'de-AT', 'de-DE'], requested, 'de-CH')).toBe(chosen)
  })

  it('is another region of the language, else the fallback, else the first one', () => {
    expect(localeFor(['kk', 'en-GB'], 'en-US', 'kk')).toBe('en-GB')
    expect(localeFor(['kk', 'en-GB'], 'fr', 'de')).toBe('kk')
    expect(localeFor([], 'fr')).toBeUndefined()
  })

  it('is the requested one if it exists', () => {
    const locale = fc.stringMatching(/^[a-z]{2,3}(-[A-Za-z]{4})?(-[A-Z]{2})?$/)
    const names = fc.uniqueArray(locale, { minLength: 1, selector: (name) => name.toLowerCase() })
    fc.assert(
      fc.property(names, locale, (available, other) => {
        for (const name of available)
          expect(localeFor(available, name.toUpperCase().replaceAll('-', '_'), other)).toBe(name)
        expect(available).toContain(localeFor(available, other, ''))
      }),
    )
  })

  it('formats in the region of the reader, unless the text is in another language', () => {
    expect(formatLocale('en-AU', 'en')).toBe('en-AU')
    expect(formatLocale('kk-KZ', 'ru')).toBe('ru')
    expect(formatLocale('kk-KZ', null)).toBe('kk-KZ')
  })
})

describe('a date', () => {
  const at = { d: '2026-11-22T15:04:00Z' }
  const inLocale = (text: string, locale: string) => parseTemplate(text, 'text').render(at, locale)

  it.each([
    ['kk', 'жексенбі 22 қараша 2026'],
    ['kk-KZ', 'жексенбі 22 қараша 2026'],
    ['be', 'нядзеля 22 лістапада 2026'],
    ['hy', 'կիրակի 22 նոյեմբերի 2026'],
    ['ru', 'воскресенье 22 ноября 2026'],
    ['ru_RU', 'воскресенье 22 ноября 2026'],
    ['de-AT', 'Sonntag 22 November 2026'],
    ['en', 'Sunday 22 November 2026'],
    ['ja', '日曜日 22 11月 2026'],
    ['fa-IR', 'یکشنبه 22 نوامبر 2026'],
    ['en-u-ca-hebrew', 'Sunday 22 November 2026'],
    ['', 'Sunday 22 November 2026'],
    ['no locale at all', 'Sunday 22 November 2026'],
  ])('is in the language of %j', async (locale, text) => {
    expect(await inLocale("{{ d | date: '%A %d %B %Y' }}", locale)).toBe(text)
  })

  it.each([
    ["{{ d | date: '%B' }}", 'ноябрь'],
    ["{{ d | date: '%-d %-B' }}", '22 ноября'],
    ['{{ d | date_to_string }}', '22 нояб. 2026'],
    ['{{ d | date_to_long_string }}', '22 ноября 2026'],
    ['{{ d | date_to_rfc822 }}', 'Sun, 22 Nov 2026 15:04:00 +0000'],
    ["{{ d | date: '%^a %e %b' }}", 'ВС 22 нояб.'],
    ["{{ d | date: '%-d %B, %H:%M', 'Asia/Almaty' }}", '22 ноября, 20:04'],
    ["{{ d | date: '%A', -720 }}", 'понедельник'],
    ["{{ d | date: '%%B %5B' }}", '%B November'],
    ["{{ 'no date' | date: '%B' }}", 'no date'],
    ['{{ missing | date: "%B" }}', ''],
  ])('keeps flags, zones and other directives: %s', async (text, expected) => {
    if (expected === '%B November') expect(await inLocale(text, 'ru')).toMatch(/^%B \S+$/)
    else expect(await inLocale(text, 'ru')).toBe(expected)
  })
})

describe('HTML', () => {
  const html = (text: string, values: object = {}) => render(text, values, 'html')

  it.each([
    ['{{ s | newline_to_br }}', '&lt;a&gt;<br />\nb'],
    ['{{ s | escape }}', '&lt;a&gt;\nb'],
    ['{{ s | escape | newline_to_br }}', '&lt;a&gt;<br />\nb'],
    ['{{ s | newline_to_br | escape }}', '&lt;a&gt;<br />\nb'],
    ['{{ s | xml_escape }}', '&lt;a&gt;\nb'],
    ['{{ s | escape | escape_once }}', '&lt;a&gt;\nb'],
    ['{{ "1 &lt; 2 & 3 &#39; &#x27; &; &amp" | escape_once }}', '1 &lt; 2 &amp; 3 &#39; &#x27; &amp;; &amp;amp'],
    ['{{ s | escape | raw }}', '&lt;a&gt;\nb'],
    ['{{ s | newline_to_br | upcase }}', '&amp;LT;A&amp;GT;&lt;BR /&gt;\nB'],
    ['{% assign t = s | newline_to_br %}{{ t }}', '&lt;a&gt;<br />\nb'],
    ['{% capture t %}<b>{{ s }}</b>{% endcapture %}{{ t }}', '<b>&lt;a&gt;\nb</b>'],
    ['{% capture t %}ab{% endcapture %}{% if t == "ab" %}{{ t.size }}{% endif %}', '2'],
    ['{% capture t %}ab{% endcapture %}{{ t | append: s }}', 'ab&lt;a&gt;\nb'],
    ['[{% capture t %}ab{% endcapture %}{{ t.constructor }}{{ t.constructor.name }}]', '[]'],
  ])('is escaped once: %s', async (text, expected) => {
    expect(await html(text, { s: '<a>\nb' })).toBe(expected)
  })

  it('is not escaped in plain text', async () => {
    expect(await render('{{ s | newline_to_br }}', { s: '<a>\nb' })).toBe('<a><br />\nb')
  })

  it('never lets a value leave an element or an attribute, with any filters', async () => {
    const filter = fc.constantFrom(
      'escape',
      'escape_once',
      'newline_to_br',
      'strip',
      'append: a',
      'upcase',
      'default: a',
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(filter, { maxLength: 4 }), async (a, filters) => {
        const piped = ['a', ...filters].join(' | ')
        const text = `{% capture c %}{{ ${piped} }}{% endcapture %}<p>{{ ${piped} }}{{ c }}</p>`
        const rendered = (await html(text, { a })).replaceAll('<br />', '')
        expect(rendered.replace(/^<p>/, '').replace(/<\/p>$/, '')).toMatch(/^[^<"]*$/)
      }),
    )
  })
})

it('reads no variable in a number that is too large', () => {
  expect(parseTemplate('{{ 3 | times: 1e400 }}{{ a1 }}', 'text').variables).toEqual(['a1'])
})
