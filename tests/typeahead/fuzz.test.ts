// Sends random requests to the typeahead API, and checks that none fails with 500.
import { exports } from 'cloudflare:workers'
import { search } from '#search/index'
import { fuzz } from '../support/fuzz.ts'

fuzz((...sent) => exports.default.fetch(...sent), search('typeahead'), {
  name: ['shop', 'news'],
  index: ['shop', 'news'],
  code: ['a', 'b'],
  text: ['some text', 'other words'],
  documents: [
    [{ code: 'a', text: 'some' }],
    [
      { code: 'a', text: 'c' },
      { code: 'b', text: '' },
    ],
  ],
  search: ['some', '"some text" ot', 'a', '"'],
  shards: [1, 2],
  from: [0, 1],
  size: [0, 10],
  highlight: [true],
  count: [true],
})
