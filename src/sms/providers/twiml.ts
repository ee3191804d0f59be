// Builds the TwiML document (Twilio's XML for calls) that makes Twilio read a text aloud.
import { escapeHtml } from '#core/template/html'

/** Language and voice of a call; `undefined` selects Twilio's default. */
interface Speech {
  /** A language tag such as `ru-RU`. */
  language: string | undefined
  voice: string | undefined
}

/** Returns TwiML that speaks a text: https://www.twilio.com/docs/voice/twiml/say */
export function twimlOf(text: string, { language, voice }: Speech): string {
  const attributes = Object.entries({ language, voice }).map(([name, value]) =>
    value ? ` ${name}="${escapeHtml(value)}"` : '',
  )
  return `<Response><Say${attributes.join('')}>${escapeHtml(text.replace(invalidXml, ' '))}</Say></Response>`
}

/** Characters that XML 1.0 does not allow (section 2.2). With one of them Twilio would end the call with an error. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is the purpose.
const invalidXml = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g
