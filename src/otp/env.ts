import { notConfigured } from '#core/failure'
import { addressOf } from '#core/http/base'
import type { CoreEnv } from '#core/http/declaration'

/** The variables that the one-time passwords read. */
export interface OtpVariables extends CoreEnv {
  QUEUE_URL?: string
  SMS_URL?: string
  EMAIL_URL?: string
  QUEUE_TOKEN?: string
  SMS_TOKEN?: string
  EMAIL_TOKEN?: string
  /** The component's own address, where the queue calls it back. */
  SELF_URL?: string
  /** What passwords are hashed and encrypted under. */
  OTP_SECRET?: string
  /** The queue's worker that delivers; `otp` unless given. */
  OTP_QUEUE_WORKER?: string
  /** Wrong checks of a target after which it is locked; 5 unless given. */
  OTP_MAX_ATTEMPTS?: string
  /** `off`: a list of rules that nobody has set is empty. */
  OTP_DEFAULT_LIMITS?: string
  /** `true`: a right check does not use a password up. */
  OTP_REUSABLE?: string
  /** The bot's token. */
  CHATAPP_BOT_TOKEN?: string
  /** In place of the bot platform's own address. */
  CHATAPP_URL?: string
  /** What the platform shows as proof that an update is its own. */
  CHATAPP_WEBHOOK_SECRET?: string
  /** Seconds that a password lives that the bot was asked for; 300 unless given. */
  CHATAPP_LIFETIME?: string
  /** What the bot answers with, `{password}` in it. */
  CHATAPP_MESSAGE?: string
}

/** What passwords are hashed and encrypted under; 503 where it is missing. */
export function secretOf({ OTP_SECRET }: Pick<OtpVariables, 'OTP_SECRET'>): string {
  if (!OTP_SECRET) throw notConfigured('Set OTP_SECRET, the key that hashes and encrypts one-time passwords.')
  return OTP_SECRET
}

/** Wrong checks of a target after which it is locked. */
export const mostAttempts = ({ OTP_MAX_ATTEMPTS }: Pick<OtpVariables, 'OTP_MAX_ATTEMPTS'>) =>
  wholeNumber('OTP_MAX_ATTEMPTS', OTP_MAX_ATTEMPTS || '5', 1_000)

/** Whether a list of rules that nobody has set has the default rules. */
export function hasDefaultLimits({ OTP_DEFAULT_LIMITS = '' }: Pick<OtpVariables, 'OTP_DEFAULT_LIMITS'>): boolean {
  if (['', 'on'].includes(OTP_DEFAULT_LIMITS)) return true
  if (OTP_DEFAULT_LIMITS === 'off') return false
  throw notConfigured('OTP_DEFAULT_LIMITS must be on or off.')
}

/** Whether a password may be checked again after it was right. */
export function isReusable({ OTP_REUSABLE = '' }: Pick<OtpVariables, 'OTP_REUSABLE'>): boolean {
  if (['', '0', 'false'].includes(OTP_REUSABLE)) return false
  if (['1', 'true'].includes(OTP_REUSABLE)) return true
  throw notConfigured('OTP_REUSABLE must be true or false.')
}

/** Seconds that a password lives that the bot was asked for. */
export const botLifetime = ({ CHATAPP_LIFETIME }: Pick<OtpVariables, 'CHATAPP_LIFETIME'>) =>
  wholeNumber('CHATAPP_LIFETIME', CHATAPP_LIFETIME || '300', 86_400)

const place = '{password}'

/** What the bot answers to who asks it for a password. */
export function botMessage({ CHATAPP_MESSAGE }: Pick<OtpVariables, 'CHATAPP_MESSAGE'>, password: string): string {
  const template = CHATAPP_MESSAGE || `Your code: ${place}`
  if (template.includes(place) && template.length <= 4_000) return template.replaceAll(place, () => password)
  throw notConfigured(`CHATAPP_MESSAGE must have ${place} in it, and 4000 characters at most.`)
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= most) return number
  throw notConfigured(`${name} must be a whole number from 1 to ${most}.`)
}

type BotEnv = Pick<OtpVariables, 'CHATAPP_BOT_TOKEN' | 'CHATAPP_URL' | 'LOCAL'>

/** Whether there is no bot, and its messages are kept for GET /messages: on a local start that names none. */
export const isCaught = ({ CHATAPP_BOT_TOKEN, CHATAPP_URL, LOCAL }: BotEnv) =>
  !CHATAPP_BOT_TOKEN && !CHATAPP_URL && LOCAL === 'true'

/** Refuses where the bot's messages would go nowhere. */
export function checkBot(env: BotEnv): void {
  if (!isCaught(env)) botUrl(env)
}

/** The address of the bot, its token in it, without a slash at its end. It is a secret. */
export function botUrl({ CHATAPP_BOT_TOKEN, CHATAPP_URL, LOCAL }: BotEnv): string {
  const token = CHATAPP_BOT_TOKEN || (LOCAL === 'true' && CHATAPP_URL ? 'local' : undefined)
  const base = CHATAPP_URL || 'https://api.telegram.org'
  if (!token) throw notConfigured('Set CHATAPP_BOT_TOKEN to the token of the bot.')
  const url = `${base.replace(/\/+$/, '')}/bot${token}`
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return url
  throw notConfigured('CHATAPP_URL must be a URL that begins with http:// or https://.')
}

/** Where the queue calls back, without a slash at its end. */
export function selfUrl({ SELF_URL, BASE_URL }: Pick<OtpVariables, 'SELF_URL' | 'BASE_URL'>): string {
  const url = SELF_URL || (BASE_URL && addressOf(BASE_URL, 'otp'))
  if (!url) throw notConfigured('Set SELF_URL or BASE_URL to the URL at which the queue calls this component.')
  return url.replace(/\/+$/, '')
}

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration(env: OtpVariables): void {
  secretOf(env)
  mostAttempts(env)
  isReusable(env)
  hasDefaultLimits(env)
  botLifetime(env)
  botMessage(env, '')
}
