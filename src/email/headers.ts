const own = new Set([
  ...['from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject', 'date', 'message-id', 'mime-version'],
  ...['received', 'return-path', 'delivered-to', 'dkim-signature', 'domainkey-signature', 'authentication-results'],
])

/** Whether a header is one that a mail has itself, or that only those write who pass it on. */
export const isOwnHeader = (name: string) => own.has(name.toLowerCase()) || /^(content|resent|arc)-/i.test(name)
