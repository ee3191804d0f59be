// Long descriptions of the feed's API for the OpenAPI document.

export const component = `Notification and news feeds. A feed is a set of collections of records. A record is addressed to a recipient, is read or unread, \
and can have a sender, a thread, a title, a text, an image and any JSON as payload. Users are names that the caller chooses. Records are sorted by id: a later record has a larger id. Browsers get new records and changes from \
\`GET /stream\` as server-sent events.`

export const streamed = `Server-sent events:

- \`record\`: a new record, or one that changed its recipient to this one. The data is the record, as \`GET /record\` returns it.
- \`updated\`: the present state of a changed record, in the same format.
- \`deleted\`: the \`id\` of a record that was deleted or changed its recipient.
- \`read\`: \`is_read\` with the \`id\` of a record, or with \`id\` null and \`until\`, the last id of the records that are read now.
- \`reset\`: one call changed more than 100 records. List the records again.

\`Last-Event-ID\` resumes: the stream sends all new records, and changes of the last 24 hours. On Postgres, a record that is committed after a \
record with a larger id, while no client is connected, is not sent on resume. A comment line every 15 seconds keeps the connection open. The stream ends when the \
credentials that opened it, or that requested its token, expire, and at most 45 seconds after their key is deleted or its secret ends.`

export const streamToken =
  'The token lets a browser open `GET /stream` within a minute: an `EventSource` cannot send credentials. To connect again later, request a new token and pass the id of the last event as `last_event_id`.'

export const listing =
  'The records of a user that match all filters, newest first. A page ends early at 8 MB and has `has_more` then. To page through many records, pass the last `id` of a page instead of `offset`.'
