// The SMS providers that the tests of the drivers cover, with the requests and replies that their documentation describes.
import { expect } from 'vitest'
import type { Seen } from '../../support/sms-providers.ts'
import { refused, type Subject, unknown } from './setting.ts'

const field =
  (name: string) =>
  ({ body }: Seen) =>
    new URLSearchParams(body).get(name) ?? ''

const inQuery =
  (name: string) =>
  ({ search }: Seen) =>
    new URLSearchParams(search).get(name) ?? ''

/** Text with the entities of XML replaced by their characters. */
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const smsc: Subject = {
  name: 'smsc',
  kind: 'sms',
  protocol: 'smsc',
  variables: { DRIVER: 'smsc', SENDER: 'Shop', USERNAME: 'shop', PASSWORD: 'the password & of smsc' },
  accepted: { state: 'sent', provider_id: expect.stringMatching(/^[0-9a-f-]{36}$/), segments: 1 },
  tellsParts: true,
  errors: [
    ['1', refused('rejected')],
    ['2', refused('credentials')],
    ['3', refused('balance')],
    ['4', refused('throttled')],
    ['5', refused('rejected')],
    ['6', refused('forbidden')],
    ['7', refused('phone')],
    ['8', refused('phone')],
    ['9', refused('throttled', 60)],
    ['9 busy', refused('throttled')],
    ['77', unknown('unavailable')],
  ],
  textOf: field('mes'),
  phoneOf: field('phones'),
  optional: ['sender', 'id', 'call'],
}

const twilio: Subject = {
  name: 'twilio',
  kind: 'sms',
  protocol: 'twilio',
  variables: {
    ...{ DRIVER: 'twilio', SENDER: '15005550006' },
    ...{ USERNAME: `AC${'0a'.repeat(16)}`, PASSWORD: 'the token of twilio' },
  },
  accepted: { state: 'sent', provider_id: `SM${'0c'.repeat(16)}`, segments: 1 },
  tellsParts: true,
  errors: [
    ['20003', refused('credentials')],
    ['20005', refused('balance')],
    ['20404', refused('rejected')],
    ['20429', refused('throttled')],
    ['20500', unknown('unavailable')],
    ['20503', unknown('unavailable')],
    ['21211', refused('phone')],
    ['21212', refused('sender')],
    ['21408', refused('forbidden')],
    ['21603', refused('sender')],
    ['21604', refused('phone')],
    ['21606', refused('sender')],
    ['21608', refused('forbidden')],
    ['21610', refused('unsubscribed')],
    ['failed 21610', refused('unsubscribed')],
    ['21611', refused('throttled')],
    ['21612', refused('phone')],
    ['21614', refused('phone')],
    ['21617', refused('text')],
    ['21703', refused('sender')],
    ['29999', refused('rejected')],
    ['63038', refused('throttled')],
    ['failed 21211', refused('phone')],
    ['failed 30001', refused('rejected')],
  ],
  throttling: '20429',
  textOf: field('Body'),
  phoneOf: field('To'),
  optional: ['StatusCallback'],
}

const twilioCall: Subject = {
  ...twilio,
  name: 'twilio, calling',
  kind: 'call',
  variables: { ...twilio.variables, LANGUAGE: 'ru-RU', VOICE: 'Polly."Tatyana"' },
  accepted: { state: 'sent', provider_id: `CA${'0d'.repeat(16)}` },
  tellsParts: false,
  errors: [
    ['20003', refused('credentials')],
    ['20429', refused('throttled')],
    ['20500', unknown('unavailable')],
    ['21201', refused('phone')],
    ['21203', refused('forbidden')],
    ['21210', refused('sender')],
    ['21213', refused('sender')],
    ['21214', refused('phone')],
    ['21215', refused('forbidden')],
    ['21216', refused('forbidden')],
    ['21217', refused('phone')],
    ['21219', refused('forbidden')],
  ],
  textOf: (seen) => unescaped(/<Say [^>]*>([^<]*)<\/Say>/.exec(field('Twiml')(seen))?.[1] ?? ''),
}

const vonage: Subject = {
  name: 'vonage',
  kind: 'sms',
  protocol: 'vonage',
  variables: { DRIVER: 'vonage', SENDER: '+15005550006', USERNAME: 'abcd1234', PASSWORD: 'a secret = of vonage' },
  accepted: { state: 'sent', provider_id: '0C00000212345670', segments: 1 },
  tellsParts: true,
  errors: [
    ['1', refused('throttled')],
    ['2', refused('rejected')],
    ['3', refused('rejected')],
    ['4', refused('credentials')],
    ['5', unknown('unavailable')],
    ['6', refused('phone')],
    ['7', refused('unsubscribed')],
    ['8', refused('forbidden')],
    ['9', refused('balance')],
    ['10', refused('throttled')],
    ['11', refused('forbidden')],
    ['12', refused('text')],
    ['14', refused('credentials')],
    ['15', refused('sender')],
    ['22', refused('rejected')],
    ['23', refused('rejected')],
    ['29', refused('forbidden')],
    ['32', refused('credentials')],
    ['33', refused('phone')],
    ['99', unknown('unavailable')],
    ['constructor', unknown('unavailable')],
    ['9,9', refused('balance')],
    ['9,5', unknown('balance')],
    ['0,9', { state: 'unknown', reason: 'balance', provider_id: '0C00000212345670' }],
    ['5,0', { state: 'unknown', reason: 'unavailable', provider_id: '0C00000212345671' }],
    ['http 429', refused('throttled')],
    ['http 500', unknown('unavailable')],
  ],
  throttling: '1',
  textOf: field('text'),
  phoneOf: field('to'),
  optional: ['client-ref', 'callback', 'status-report-req'],
}

const errorsOverHttp: Subject['errors'] = [
  ['301', unknown('unreadable')],
  ['400', refused('rejected')],
  ['401', refused('credentials')],
  ['402', refused('balance')],
  ['403', refused('forbidden')],
  ['404', refused('rejected')],
  ['408', unknown('unreadable')],
  ['409', unknown('unreadable')],
  ['413', refused('text')],
  ['422', refused('rejected')],
  ['425', refused('rejected')],
  ['429', refused('throttled')],
  ['451', refused('forbidden')],
  ['499', unknown('unreadable')],
]

const http: Subject = {
  name: 'http with JSON',
  kind: 'sms',
  protocol: 'http',
  path: '/v1/messages',
  variables: {
    ...{ DRIVER: 'http', SENDER: 'Shop', USERNAME: 'shop', PASSWORD: 'the pässword of http', ID: 'messages.0.id' },
    BODY: '{"to": ["{+phone}"], "content": {"text": "{text}"}, "from": "{sender}", "ref": "{id}"}',
  },
  accepted: { state: 'sent', provider_id: '12345678901234567891' },
  errors: errorsOverHttp,
  throttling: '429',
  textOf: ({ body }) => JSON.parse(body).content.text,
  phoneOf: ({ body }) => JSON.parse(body).to[0],
}

const httpCall: Subject = {
  ...http,
  name: 'http with JSON, calling',
  kind: 'call',
  path: '/v1/calls',
  variables: {
    ...http.variables,
    BODY: '{"to": ["{+phone}"], "content": {"speech": "{text}"}, "from": "{sender}", "ref": "{kind} {id}"}',
  },
  textOf: ({ body }) => JSON.parse(body).content.speech,
}

const fields = 'user={username}&password={password}&to={phone}&from={sender}&message={text}&ref={id}'

const httpForm: Subject = {
  ...http,
  name: 'http with a form',
  path: '/form',
  variables: { ...http.variables, BODY: fields, FORMAT: 'form' },
  textOf: field('message'),
  phoneOf: field('to'),
}

const httpQuery: Subject = {
  ...httpForm,
  name: 'http with a query',
  path: '/query?v=1%202',
  variables: { ...http.variables, BODY: fields, METHOD: 'GET' },
  textOf: inQuery('message'),
  phoneOf: inQuery('to'),
}

/** All providers and kinds of messages that the drivers support. */
export const subjects: Subject[] = [
  smsc,
  {
    ...smsc,
    name: 'smsc with a key, calling',
    kind: 'call',
    variables: { DRIVER: 'smsc', SENDER: 'Shop', CALLER: '77010000000', APIKEY: 'the key of smsc' },
  },
  twilio,
  {
    ...twilio,
    name: 'twilio with a key and a messaging service',
    variables: {
      ...{ DRIVER: 'twilio', SENDER: `MG${'0e'.repeat(16)}`, ACCOUNT: `AC${'0a'.repeat(16)}` },
      ...{ USERNAME: `SK${'0b'.repeat(16)}`, PASSWORD: 'the secret of the key' },
    },
  },
  twilioCall,
  vonage,
  http,
  httpCall,
  httpForm,
  httpQuery,
]
