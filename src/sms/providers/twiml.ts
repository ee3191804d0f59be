import { escapeHtml } from '#core/template/html'

/** How a text is spoken, where the provider's own choice is not wanted. */
interface Speech {
  /** A language tag such as `ru-RU`. */
  language: string | undefined
  voice: string | undefined
}

/** TwiML that speaks a text: https://www.twilio.com/docs/voice/twiml/say */
export function twimlOf(text: string, { language, voice }: Speech): string {
  const attributes = Object.entries({ language, voice }).map(([name, value]) =>
    value ? ` ${name}="${escapeHtml(value)}"` : '',
  )
  return `<Response><Say${attributes.join('')}>${escapeHtml(text.replace(noXml, ' '))}</Say></Response>`
}

/** Characters that XML 1.0 has no way to write (section 2.2), so that the call would end with an error. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are meant.
const noXml = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g
