// Sends random requests to the fulltext API, and checks that none fails with 500.
import { exports } from 'cloudflare:workers'
import { search } from '#search/index'
import { fuzz } from '../support/fuzz.ts'

fuzz((...sent) => exports.default.fetch(...sent), search('fulltext'), {
  name: ['shop', 'news'],
  index: ['shop', 'news'],
  code: ['a', 'b'],
  title: ['A title'],
  text: ['some text', 'other words'],
  documents: [
    [{ code: 'a', text: 'some' }],
    [
      { code: 'a', title: 'b', text: 'c' },
      { code: 'b', text: '' },
    ],
  ],
  search: ['some', '"some text" ot', 'a', '"'],
  stemmer: ['english', 'none'],
  stopwords: ['english', ['a']],
  shards: [1, 2],
  from: [0, 1],
  size: [0, 10],
  highlight: [true],
  count: [true],
})
