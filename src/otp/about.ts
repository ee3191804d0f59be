/** Parts that the descriptions of several operations share. */

export const sends = `The caller chooses the password and its message. It is on its way when the reply comes, and tried again for a while as \
long as it is valid. 502 queue_failed: nothing was sent, stored or counted. 504 queue_timeout: it may have been sent, and counts. A send \
that a rule refuses is answered 429, with the seconds in Retry-After:`

export const checks = `A right password is used up by that, unless OTP_REUSABLE is set: a repeat is answered \`already_used\`, and counts \
nothing. Passwords that have expired, and those of other targets and channels, are wrong. After OTP_MAX_ATTEMPTS wrong ones, 5 unless \
set, all checks of the target on this channel are answered \`attempts_exceeded\` until 15 minutes after the last of them; a new password \
does not end that, and a right one resets the count. After 100 wrong checks in a row while the target had a valid password they are so \
until DELETE /lock, or until there was no check for 24 hours. HEAD checks nothing.`

export const limits = `A rule says how many sends are accepted within so many minutes, looking back from each. All rules of a list hold. A list \
that is given replaces the one before as a whole, an empty one switches the limit off, and one that is left out stays as it is. A list \
that was never given has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day for a target, 100 an hour \
for an IP address, of sends that carry one. Rules for \`ips\` that are given make \`ip\` required.`
