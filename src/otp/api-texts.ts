// Descriptions for the API documentation of one-time passwords: of the component, and of several operations each.
import { botHeader } from './proof.ts'

export const component = `Sends one-time passwords by SMS, voice call, email and messenger bot, and checks the passwords that users enter.

Your application generates each password at random and passes it with the message. The component stores the password as a keyed hash, \
and encrypted for GET /password, until the password expires.

Rules per channel limit how often passwords are sent, by IP address and by target (phone, email address or chat). A send that a rule \
rejects is not sent, stored or counted. Wrong checks are limited too. All limits are exact, also under concurrent requests.

A user who writes to the bot gets a password of six digits. The application in which the user enters the password calls GET /target to \
learn the id of the chat.`

export const sends = `The password comes from your application; \`GET /<channel>/check\` checks what the user enters. The reply has no content. It \
means that the queue has accepted the message; the queue retries until the password expires. After 502 \`queue_failed\` nothing was sent, stored or counted. After 504 \`queue_timeout\` the \
password may have been sent, and counts. If a rule of the channel rejects the send, the reply is 429 with \`Retry-After\` in seconds.`

export const checks = `The reply is 200 for a wrong password too: read \`status\`. A correct password is used up by the check, unless \
OTP_REUSABLE is set. Checking a used password again returns \`already_used\` and is not counted. Expired passwords, and those of \
other targets or channels, are wrong.

After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return \`attempts_exceeded\` until 15 \
minutes after the last wrong check. A check that returns \`attempts_exceeded\` does not prolong this \
time. A new password does not end the lock. A correct check resets the count.

After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have \
passed without any check, even one that returns \`attempts_exceeded\`.

A HEAD request checks no password.`

export const limits = `A rule allows \`rate\` sends within \`minutes\`, counted back from each send (sliding window). All rules of a list \
apply.

A list that you pass replaces the previous list completely. An empty list removes the limit. A list that you leave out stays unchanged.

A list that was never set has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day per target; 100 an hour \
per IP address, for sends with \`ip\`. While you have set rules for \`ips\`, \`ip\` is required; an empty list \
makes it optional again. A list that was set, even an empty one, never returns to the default rules.`

export const limitsInForce =
  'Returns the rules in force: those that you set, and the default rules for each list that you have not set.'

/** How the bot platform authenticates. */
export const fromBotPlatform = {
  headers: { [botHeader]: { description: 'The value of CHATAPP_WEBHOOK_SECRET. Required if that variable is set' } },
  provenBy: 'the secret of the bot platform, which is required if `CHATAPP_WEBHOOK_SECRET` is set',
}

export const webhook =
  'Webhook for updates of the Telegram Bot API, such as {"update_id": 1, "message": {"chat": {"id": 1002}, "text": "/start"}}. The reply has no content. A user who writes to the bot gets a password of six digits in the text of CHATAPP_MESSAGE, valid for CHATAPP_LIFETIME seconds (default: 300). No other chat has the same password during that time. Each update is answered once, even if the platform repeats it. Updates that are not messages are ignored. The request is authenticated by the secret_token with which you registered the webhook (CHATAPP_WEBHOOK_SECRET). If CHATAPP_WEBHOOK_SECRET is not set, the request needs access to this component.'

export const lookup =
  'Returns the phone, email address or chat to which the password was sent last on the channel, also if the password has been used, until it expires. Returns 404 if the password was not sent. After 20 unknown passwords per minute for one `ip`, or 200 per minute for all requests of the channel without `ip`, the reply is 429 `target_limit`.'
