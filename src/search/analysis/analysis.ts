/** How a full-text index takes words apart; `none` of either in one for search as you type. */
export interface AnalysisSettings {
  /** A language, such as `english`, or `none`. */
  stemmer: string
  /** A language, `none`, or the words themselves. */
  stopwords: string | readonly string[]
  /**
   * How Thai, Lao, Khmer and Burmese are taken apart: by a dictionary's words, or by pairs of characters, so that a text is
   * found at each letter while it is typed. Absent means `words`: indexes made before there was a choice have these.
   */
  unspaced?: 'words' | 'pairs'
}

/** A word of a text, as an index has it. */
export interface Word {
  /** What is indexed and looked up: folded, stemmed, folded again. */
  term: string
  /** The same without stemming: what the beginning of a word is looked up in. */
  word: string
  isStopword: boolean
}

/** A word and where it stands: UTF-16 offsets into the text as it was given. */
export interface WordPlace extends Word {
  start: number
  end: number
}

export interface Analysis {
  /** Calls back for each word of a document, in order; a word that comes often is the same object each time. */
  each(text: string, visit: (word: Word) => void): void
  /** The words of a document with their places, in order: those of `each`. */
  places(text: string): WordPlace[]
  /** The words of a query: as those of a document, but that a run of Chinese or Japanese has its pairs only. */
  query(text: string): WordPlace[]
}
