// A fake of Twilio: https://www.twilio.com/docs/messaging/api/message-resource,
// https://www.twilio.com/docs/voice/api/call-resource
import { address, basicOf, json, objectionToForm, type Protocol, type Received } from './protocol.ts'

const account = `AC${'0a'.repeat(16)}`
const key = `SK${'0b'.repeat(16)}`
const root = `/2010-04-01/Accounts/${account}`

const fieldsOf = ({ body }: Received) => new URLSearchParams(body)

const phone = /^\+[1-9]\d{6,14}$/

/**
 * Matches a sender: a number, a short code, or a name of up to 11 letters, digits and spaces with at least one letter.
 */
const from = /^(\+[1-9]\d{6,14}|\d{3,6}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/

const say =
  /^<Response><Say( language="[^"<]*")?( voice="[^"<]*")?>([^<>&]|&(amp|lt|gt|quot|#39);)*<\/Say><\/Response>$/

const objections: Record<string, (request: Received) => string | undefined> = {
  [`${root}/Messages.json`](request) {
    const service = fieldsOf(request).has('MessagingServiceSid')
    return objectionToForm(request, {
      known: ['To', 'Body', 'StatusCallback', service ? 'MessagingServiceSid' : 'From'],
      required: ['To', 'Body', service ? 'MessagingServiceSid' : 'From'],
      like: { To: phone, From: from, MessagingServiceSid: /^MG[0-9a-f]{32}$/, StatusCallback: address },
    })
  },
  [`${root}/Calls.json`](request) {
    if ((fieldsOf(request).get('Twiml') ?? '').length > 4_000) return 'Twiml of more than 4000 characters'
    return objectionToForm(request, {
      known: ['To', 'From', 'Twiml', 'StatusCallback'],
      required: ['To', 'From', 'Twiml'],
      like: { To: phone, From: phone, Twiml: say, StatusCallback: address },
    })
  },
}

const statuses: Record<string, number> = { 20003: 401, 20404: 404, 20429: 429, 20500: 500, 20503: 503, 63038: 429 }

export const twilio: Protocol = {
  objectionTo(request) {
    const objection = objections[request.path]
    if (request.method !== 'POST' || !objection) return `${request.method} ${request.path}`
    return objection(request)
  },
  isKnown: (request) => [`${account}:the token of twilio`, `${key}:the secret of the key`].includes(basicOf(request)),
  accept: (request, parts) =>
    request.path.endsWith('/Calls.json') ? json(201, call(fieldsOf(request))) : json(201, message(request, parts)),
  /** The code `failed 30001` stands for a message that was stored, and could not be sent. */
  fail(code, request) {
    const [word, error] = code.split(' ')
    if (word === 'failed') return json(201, { ...message(request, 1), status: 'failed', error_code: Number(error) })
    const status = statuses[code] ?? 400
    const more_info = `https://www.twilio.com/docs/errors/${code}`
    return json(status, { code: Number(code), message: 'As documented', more_info, status })
  },
  errors: { credentials: '20003', rule: '20001' },
}

function message(request: Received, parts: number) {
  const fields = fieldsOf(request)
  const sid = `SM${'0c'.repeat(16)}`
  return {
    ...{ account_sid: account, api_version: '2010-04-01', body: fields.get('Body'), direction: 'outbound-api' },
    ...{ error_code: null, error_message: null, from: fields.get('From'), to: fields.get('To'), price: null },
    ...{ messaging_service_sid: fields.get('MessagingServiceSid'), num_media: '0', num_segments: String(parts) },
    ...{ sid, status: fields.has('From') ? 'queued' : 'accepted', uri: `${root}/Messages/${sid}.json` },
  }
}

function call(fields: URLSearchParams) {
  const sid = `CA${'0d'.repeat(16)}`
  return {
    ...{ account_sid: account, api_version: '2010-04-01', direction: 'outbound-api', duration: null },
    ...{ from: fields.get('From'), to: fields.get('To'), sid, status: 'queued', uri: `${root}/Calls/${sid}.json` },
  }
}
