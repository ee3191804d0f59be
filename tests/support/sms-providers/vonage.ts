// A fake of Vonage: https://developer.vonage.com/en/api/sms
import { address, json, objectionToForm, type Protocol, type Received } from './protocol.ts'

const fieldsOf = ({ body }: Received) => new URLSearchParams(body)

/**
 * The characters of the GSM alphabet: https://developer.vonage.com/en/messaging/sms/guides/concatenation-and-encoding
 */
const short = /^[!"#$%'()*+,\-./:;<=>?@_¡£¥§¿&¤0-9A-Za-zÄÅÆÇÉÑØøÜßÖàäåæèéìñòöùüΔΦΓΛΩΠΨΣΘΞ|^€{}[\]~\\ \n\r]*$/

export const vonage: Protocol = {
  objectionTo(request) {
    if (request.method !== 'POST' || request.path !== '/sms/json') return `${request.method} ${request.path}`
    if (request.headers.authorization) return 'Credentials in a header'
    const fields = fieldsOf(request)
    if (short.test(fields.get('text') ?? '') !== (fields.get('type') === 'text')) return 'Wrong field type'
    return objectionToForm(request, {
      known: [
        ...['api_key', 'api_secret', 'from', 'to', 'text', 'type'],
        ...['client-ref', 'callback', 'status-report-req'],
      ],
      required: ['api_key', 'api_secret', 'from', 'to', 'text', 'type'],
      like: {
        from: /^([1-9]\d{0,14}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
        to: /^\d{7,15}$/,
        type: /^(text|unicode)$/,
        'client-ref': /^.{1,40}$/,
        callback: address,
        'status-report-req': /^(true|false)$/,
      },
    })
  },
  isKnown(request) {
    const fields = fieldsOf(request)
    return fields.get('api_key') === 'abcd1234' && fields.get('api_secret') === 'a secret = of vonage'
  },
  accept: (request, parts) =>
    messages(
      request,
      Array.from({ length: parts }, () => '0'),
    ),
  /**
   * The code `0,5` stands for a message of two parts with a status each, and `http 500` for a reply that is not of this
   * API.
   */
  fail(code, request) {
    const status = /^http (\d+)$/.exec(code)?.[1]
    return status ? json(Number(status), { title: 'Wrong' }) : messages(request, code.split(','))
  },
  errors: { credentials: '4', rule: '3' },
}

function messages(request: Received, statuses: string[]) {
  const to = fieldsOf(request).get('to')
  return json(200, {
    'message-count': String(statuses.length),
    messages: statuses.map((status, i) =>
      status === '0'
        ? {
            ...{ to, 'message-id': `0C0000021234567${i}`, status, 'remaining-balance': '15.5' },
            ...{ 'message-price': '0.0333', network: '23410', 'client-ref': fieldsOf(request).get('client-ref') },
          }
        : { status, 'error-text': 'As documented' },
    ),
  })
}
