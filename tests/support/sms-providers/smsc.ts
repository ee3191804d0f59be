// A fake of the SMS provider smsc.ru: https://smsc.ru/api/http/send/sms/, /voice/ and /sms_answer/
import { json, objectionToForm, type Protocol, type Received } from './protocol.ts'

const fieldsOf = ({ body }: Received) => new URLSearchParams(body)

/** Only the fields of a plain message: others would make it a flash message, a test or a transliterated text. */
const known = ['login', 'psw', 'apikey', 'phones', 'mes', 'id', 'sender', 'charset', 'fmt', 'call']

const texts: Record<string, string> = {
  1: 'parameters error',
  2: 'authorise error',
  3: 'no money',
  4: 'ip is blocked',
  5: 'invalid date format',
  6: 'message is denied',
  7: 'invalid number',
  8: "can't to deliver",
  9: 'duplicate request, wait a minute',
}

/** Error codes of messages that the provider stored before they failed, and which therefore have an id. */
const entered = ['3', '6', '7', '8']

export const smsc: Protocol = {
  objectionTo(request) {
    if (request.method !== 'POST' || request.path !== '/sys/send.php') return `${request.method} ${request.path}`
    if (request.headers.authorization) return 'Credentials in a header'
    const isKeyed = fieldsOf(request).has('apikey')
    const credentials = isKeyed ? ['apikey'] : ['login', 'psw']
    return objectionToForm(request, {
      known: known.filter((name) => credentials.includes(name) || !['login', 'psw', 'apikey'].includes(name)),
      required: [...credentials, 'phones', 'mes', 'charset', 'fmt'],
      like: {
        phones: /^\+\d{7,15}$/,
        id: /^[\w.-]{1,40}$/,
        sender: /^(.{1,11}|\d{1,15})$/,
        charset: /^utf-8$/,
        fmt: /^3$/,
        call: /^1$/,
      },
    })
  },
  isKnown(request) {
    const fields = fieldsOf(request)
    if (fields.has('apikey')) return fields.get('apikey') === 'the key of smsc'
    return fields.get('login') === 'shop' && fields.get('psw') === 'the password & of smsc'
  },
  accept: (request, cnt) => json(200, { id: fieldsOf(request).get('id') ?? 3218, cnt }),
  /** The code `9 busy` stands for error 9 with another text. */
  fail(code, request) {
    const [number] = code.split(' ')
    const error = code === '9 busy' ? 'too many concurrent requests' : (texts[number!] ?? 'unknown error')
    const id = entered.includes(number!) ? { id: fieldsOf(request).get('id') ?? 3218 } : {}
    return json(200, { error, error_code: Number(number), ...id })
  },
  errors: { credentials: '2', rule: '1' },
}
