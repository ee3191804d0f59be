// Tests the stemmers and the lists of stop words.
import { describe, expect, it } from 'vitest'
import { analyzerOf } from '#search/analysis/analyzer'
import { canonicalName, stemmerNames, stopwordListNames } from '#search/analysis/languages'
import { stopwords } from '#search/analysis/stopwords/stopwords'

describe('stop words', () => {
  const ignored = (given: string, settings: Parameters<typeof analyzerOf>[0]) =>
    analyzerOf(settings)
      .queryTokens(given)
      .filter(({ isStopword }) => isStopword)
      .map(({ word }) => word)

  it('are those of a language, folded and before they are stemmed', () => {
    expect(ignored('THE it’s others', { stemmer: 'english', stopwords: '_english_' })).toEqual(['the', 'it'])
    expect(ignored('für Häuser', { stemmer: 'german', stopwords: 'german' })).toEqual(['fur'])
    expect(ignored("d'un home", { stemmer: 'catalan', stopwords: 'catalan' })).toEqual(['un'])
    expect(ignored("qu'un homme", { stemmer: 'french', stopwords: 'french' })).toEqual(['un'])
    expect(ignored('ВСЁ ещё дом', { stemmer: 'none', stopwords: 'russian' })).toEqual(['все', 'еще'])
  })

  it("can be the caller's words", () => {
    const words = ['Straße', ' ﬁn ', '', 'zwei Wörter', '\ud800']
    expect(ignored('STRASSE fin zwei Worter andere', { stemmer: 'none', stopwords: words })).toEqual([
      ...['strasse', 'fin', 'zwei', 'worter'],
    ])
  })

  it.each([...stopwords])('are all those of the list in %s', (name, list) => {
    const analysis = analyzerOf({ stemmer: 'none', stopwords: name })
    const found = analysis.queryTokens(list)
    expect(found.length).toBeGreaterThan(30)
    expect(found.filter(({ isStopword }) => !isStopword)).toEqual([])
    expect(analysis.queryTokens('quartermaster 42')).toMatchObject([{ isStopword: false }, { isStopword: false }])
  })

  it('are none with the name none', () => {
    expect(ignored('the a der и', { stemmer: 'english', stopwords: '_none_' })).toEqual([])
  })
})

describe('names', () => {
  it('are accepted with underscores', () => {
    expect(['russian', '_russian_', '_none_', '_', '__', '_a'].map(canonicalName)).toEqual([
      ...['russian', 'russian', 'none', '_', '', '_a'],
    ])
  })

  it('that do not exist are refused', () => {
    for (const name of ['klingon', 'constructor', '__proto__', '', 'Russian']) {
      expect(() => analyzerOf({ stemmer: name, stopwords: 'none' })).toThrow(RangeError)
      expect(() => analyzerOf({ stemmer: 'none', stopwords: name })).toThrow(RangeError)
    }
  })

  it('are sorted, with none', () => {
    for (const names of [stemmerNames, stopwordListNames]) {
      expect(names).toEqual([...names].sort())
      expect(names).toContain('none')
    }
  })

  it('are all accepted', () => {
    for (const name of stemmerNames) {
      const analysis = analyzerOf({ stemmer: `_${name}_`, stopwords: 'none' })
      expect(analysis.queryTokens('a1')).toMatchObject([{ word: 'a1' }])
    }
  })
})
