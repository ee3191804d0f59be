// Sends random requests to the email API: each must get a valid reply of the API, never a 500.
import { describe } from 'vitest'
import { email } from '#email/index'
import { fuzz } from '../support/fuzz.ts'
import { letter, senderTo } from './support.ts'

const { fetch } = await senderTo()

describe('the sender of mail', () => {
  fuzz(fetch, email, {
    subject: [letter.subject, 'Ünï'],
    to: [letter.to, ['Ann <ann@example.com>', 'bob@example.com']],
    text: [letter.text],
    html: ['<p>Hi', '<body></body>'],
    signature_enabled: [true, 'false'],
    cc: ['ann@example.com'],
    bcc: [['ann@example.com']],
    reply_to: ['ann@example.com'],
    headers: [{}, { 'X-A': 'b' }],
    attachments: [[], [{ filename: 'a', content: 'YQ==' }]],
    id: ['1'],
    limit: [1, 1000],
    count: [true],
  })
})
