// Types of the text analysis, which turns a text into the terms that are indexed and searched.

/** How an index analyzes text. A typeahead index has `none` for stemmer and stop words. */
export interface AnalysisSettings {
  /** Name of a stemmer, such as `english`, or `none`. */
  stemmer: string
  /** Name of a list of stop words, `none`, or the stop words themselves. */
  stopwords: string | readonly string[]
  /**
   * How Thai, Lao, Khmer and Burmese are split: into the words of a dictionary, or into pairs of characters. Typeahead uses pairs,
   * so that a text is found at each character while it is typed. Indexes created before this setting existed lack it, and use
   * `words`.
   */
  unspaced?: 'words' | 'pairs'
}

/** A word in the two forms that an index has of it. */
export interface Word {
  /** The form that is indexed and searched: folded, stemmed, and folded again. */
  term: string
  /** The form without stemming, folded only. Prefixes are searched in this form, since a stem may be shorter than the prefix. */
  word: string
  isStopword: boolean
}

/** A word at its position in a text. The offsets are UTF-16 units of the original text. */
export interface Token extends Word {
  start: number
  end: number
}

export interface Analyzer {
  /** Calls back for each word of a document, in order. A repeated word is the same object, so that callers can compare identities. */
  forEachWord(text: string, visit: (word: Word) => void): void
  /** Returns the tokens of a document, in order: the words of `forEachWord` with their offsets. */
  tokens(text: string): Token[]
  /**
   * Returns the tokens of a query. Unlike in a document, a run of Chinese or Japanese gives only its pairs, not its last character.
   */
  queryTokens(text: string): Token[]
}
