// Sends random requests to the notifications' API: each must get a valid reply of the API, never a 500.
import { beforeAll, describe } from 'vitest'
import { notification } from '#notification/index'
import { fuzz } from '../support/fuzz.ts'
import { everywhere, targets } from './support.ts'

describe.each(everywhere())('notifications on $dialect', ({ fetch, given }) => {
  beforeAll(async () => {
    await given({ code: 'fuzzed' })
  })

  const texts = ['', 'Hi {{ a }}', '{% for i in a %}{{ i }}{% endfor %}', { en: 'Hi', kk: 'Сәлем {{ b }}' }, '{% if']
  fuzz(
    fetch,
    notification,
    {
      id: [1, 2, '1'],
      name: ['a'],
      description: ['', 'b'],
      code: ['fuzzed', 'other'],
      notification: ['fuzzed'],
      has_email: [true, false],
      has_sms: [true, false],
      has_feed: [true, false],
      email_subject: texts,
      email_html: texts,
      sms_message: [...texts, 1],
      feed_title: texts,
      feed_text: texts,
      feed_image: texts,
      locale: ['en', 'kk-KZ'],
      email: [targets.email, ''],
      phone: [targets.phone],
      feed_collection: ['news'],
      feed_recipient: ['ann'],
      feed_payload: [{}, { a: [1] }],
      payload: [{}, { a: [1, '<b>'], b: null }, { a: { b: 'c' } }],
      limit: [1, 1000],
      count: [true],
    },
    40,
  )
})
