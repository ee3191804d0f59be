import { notConfigured } from '#core/failure'
import { addressOf } from '#core/http/base'
import type { CoreEnv } from '#core/http/declaration'

/** Environment variables of the one-time passwords. */
export interface OtpVariables extends CoreEnv {
  QUEUE_URL?: string
  SMS_URL?: string
  EMAIL_URL?: string
  QUEUE_TOKEN?: string
  SMS_TOKEN?: string
  EMAIL_TOKEN?: string
  /** Address of this component, at which the queue calls back. Default: derived from `BASE_URL`. */
  SELF_URL?: string
  /** Secret from which the keys for hashing and encryption are derived. After a change, all passwords are invalid. */
  OTP_SECRET?: string
  /** Queue worker that holds the tasks which send the messages. Default: `otp`. */
  OTP_QUEUE_WORKER?: string
  /** Number of wrong checks that lock a target. Default: 5. */
  OTP_MAX_ATTEMPTS?: string
  /** With `off`, lists of rules that were never set are empty. Otherwise they have default rules. */
  OTP_DEFAULT_LIMITS?: string
  /** With `true`, a password stays valid after a correct check. */
  OTP_REUSABLE?: string
  /** Token of the bot, from the bot platform. */
  CHATAPP_BOT_TOKEN?: string
  /** Address of the bot platform, if it is not https://api.telegram.org. */
  CHATAPP_URL?: string
  /** The `secret_token` that the bot platform sends with each update, by which updates are recognized as genuine. */
  CHATAPP_WEBHOOK_SECRET?: string
  /** Lifetime of a password that the bot sends to a user, in seconds. Default: 300. */
  CHATAPP_LIFETIME?: string
  /** Text of the bot's answer. The password replaces the placeholder `{password}`. */
  CHATAPP_MESSAGE?: string
  /** Seconds for which updates of the bot and its caught messages are stored. Default: 2 days and 7 days. */
  OTP_RETENTION?: string
}

/** The secret for hashing and encryption. Throws 503 if it is missing. */
export function secretOf({ OTP_SECRET }: Pick<OtpVariables, 'OTP_SECRET'>): string {
  if (!OTP_SECRET) throw notConfigured('Set OTP_SECRET, the key that hashes and encrypts one-time passwords.')
  return OTP_SECRET
}

/** Number of wrong checks that lock a target, 1 to 1000. Throws 503 if the variable is invalid. */
export const maxAttempts = ({ OTP_MAX_ATTEMPTS }: Pick<OtpVariables, 'OTP_MAX_ATTEMPTS'>) =>
  wholeNumber('OTP_MAX_ATTEMPTS', OTP_MAX_ATTEMPTS || '5', 1_000)

/** Whether lists of rules that were never set have the default rules. */
export function areDefaultLimitsOn({ OTP_DEFAULT_LIMITS = '' }: Pick<OtpVariables, 'OTP_DEFAULT_LIMITS'>): boolean {
  if (['', 'on'].includes(OTP_DEFAULT_LIMITS)) return true
  if (OTP_DEFAULT_LIMITS === 'off') return false
  throw notConfigured('OTP_DEFAULT_LIMITS must be on or off.')
}

/** Whether a password stays valid after a correct check. */
export function isReusable({ OTP_REUSABLE = '' }: Pick<OtpVariables, 'OTP_REUSABLE'>): boolean {
  if (['', '0', 'false'].includes(OTP_REUSABLE)) return false
  if (['1', 'true'].includes(OTP_REUSABLE)) return true
  throw notConfigured('OTP_REUSABLE must be true or false.')
}

/** Lifetime of a password that the bot sends, in seconds, 1 to 86400. */
export const botLifetime = ({ CHATAPP_LIFETIME }: Pick<OtpVariables, 'CHATAPP_LIFETIME'>) =>
  wholeNumber('CHATAPP_LIFETIME', CHATAPP_LIFETIME || '300', 86_400)

const placeholder = '{password}'
const maxMessageCharacters = 4_000

/** The text of the bot's answer, with the password in place of the placeholder. */
export function botMessage({ CHATAPP_MESSAGE }: Pick<OtpVariables, 'CHATAPP_MESSAGE'>, password: string): string {
  const template = CHATAPP_MESSAGE || `Your code: ${placeholder}`
  if (template.includes(placeholder) && template.length <= maxMessageCharacters)
    return template.replaceAll(placeholder, () => password)
  throw notConfigured(
    `CHATAPP_MESSAGE must contain ${placeholder} and have at most ${maxMessageCharacters} characters.`,
  )
}

/** Default retention of the bot's updates. The platform repeats an update for up to a day (Telegram Bot API); doubled for safety. */
const defaultUpdateSeconds = 2 * 86_400

/** Default retention of the bot's messages that a local start has caught. */
const defaultMessageSeconds = 7 * 86_400

const minRetentionSeconds = 86_400

/** How long updates of the bot and its caught messages are stored, in milliseconds. At least a day, while updates are repeated. */
export function retentionOf({ OTP_RETENTION }: Pick<OtpVariables, 'OTP_RETENTION'>) {
  if (!OTP_RETENTION) return { updatesMs: defaultUpdateSeconds * 1_000, messagesMs: defaultMessageSeconds * 1_000 }
  const seconds = /^[1-9]\d{4,9}$/.test(OTP_RETENTION) ? Number(OTP_RETENTION) : 0
  if (seconds < minRetentionSeconds)
    throw notConfigured(
      `OTP_RETENTION must be a whole number of seconds between ${minRetentionSeconds} and 9999999999.`,
    )
  return { updatesMs: seconds * 1_000, messagesMs: seconds * 1_000 }
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= max) return number
  throw notConfigured(`${name} must be a whole number from 1 to ${max}.`)
}

type BotEnv = Pick<OtpVariables, 'CHATAPP_BOT_TOKEN' | 'CHATAPP_URL' | 'LOCAL'>

/**
 * Whether messages of the bot are stored, to be read with GET /messages, instead of sent. True on a local start without a
 * configured bot.
 */
export const keepsMessages = ({ CHATAPP_BOT_TOKEN, CHATAPP_URL, LOCAL }: BotEnv) =>
  !CHATAPP_BOT_TOKEN && !CHATAPP_URL && LOCAL === 'true'

/** Throws `not_configured` if messages of the bot can neither be sent nor stored. */
export function checkBot(env: BotEnv): void {
  if (!keepsMessages(env)) botUrl(env)
}

/** Address of the bot at the platform, without a trailing slash. It is secret, since it contains the token. */
export function botUrl({ CHATAPP_BOT_TOKEN, CHATAPP_URL, LOCAL }: BotEnv): string {
  const token = CHATAPP_BOT_TOKEN || (LOCAL === 'true' && CHATAPP_URL ? 'local' : undefined)
  const base = CHATAPP_URL || 'https://api.telegram.org'
  if (!token) throw notConfigured('Set CHATAPP_BOT_TOKEN to the token of the bot.')
  const url = `${base.replace(/\/+$/, '')}/bot${token}`
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return url
  throw notConfigured('CHATAPP_URL must be a URL that begins with http:// or https://.')
}

/** Address at which the queue calls this component, without a trailing slash. */
export function selfUrl({ SELF_URL, BASE_URL }: Pick<OtpVariables, 'SELF_URL' | 'BASE_URL'>): string {
  const url = SELF_URL || (BASE_URL && addressOf(BASE_URL, 'otp'))
  if (!url) throw notConfigured('Set SELF_URL or BASE_URL to the URL at which the queue calls this component.')
  return url.replace(/\/+$/, '')
}

/**
 * Throws `not_configured` if a variable is invalid. Runs before the first request of an isolate, so that a mistake is found at
 * once.
 */
export function checkConfiguration(env: OtpVariables): void {
  secretOf(env)
  maxAttempts(env)
  isReusable(env)
  areDefaultLimitsOn(env)
  botLifetime(env)
  botMessage(env, '')
  retentionOf(env)
}
