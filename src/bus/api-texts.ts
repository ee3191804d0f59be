// Texts for the OpenAPI document: the description of the bus, and long descriptions of operations.

/** What the types of collections do, and what handlers and webhooks get. */
export const description = `Accepts documents for private APIs. Callers are users, each with a secret in the header Api-Secret. Administrators \
may do everything; other users read or write the collections to which they have access. A collection has a table of documents and one of three types. sync: \
the bus posts a document to the collection's handler, and the reply has the handler's answer. async: the bus stores the document, posts it to the \
handler through the queue, and posts the answer to the document's webhook. storage: the bus stores the document for others to fetch. A handler gets \
event, data, uuid, collection and document.id as JSON, a webhook the body of a sync reply; both with the headers of Standard Webhooks, signed if \
the receiver has a signing secret or BOX_SIGNING_SECRET is set, and with the same webhook-id on each retry. Only 2xx is success. Instances with BOX_IS_SYSTEM have the same \
collections, users and access: each reads the others' collection "system", the replication log, which has the last change of each object. An object \
that is deleted at one instance is disabled at the others.`

export const submission =
  'Needs write access. `uuid` is the idempotency key: a repeat with the same event, data and webhook returns the first document, and any other content gets 409 `uuid_taken` (the order of keys in `data` does not matter). 2xx is success; 4xx other than 408, 425 and 429 is final too. sync: the reply waits for the handler. A repeat during the call gets the same answer, and a repeat after an answer that is not final calls the handler again. async: the document is stored and delivered by the queue. After no answer, 408, 425, 429, 5xx, or a redirect that would change the method, the handler is retried after 10 s, 1, 5 and 15 min, 1 h, then hourly for 75 h, with up to 20 % jitter and not before the `Retry-After` of a 429 or 503 (at most 1 h). The webhook is retried on the same schedule until it answers 2xx. While a handler or webhook is down, one document at a time probes it and the others wait. storage: the document is stored. The reply is 201 for a repeat too, and if the handler fails: see `response.status_code`. Only sync has `response`. Without access the reply is 403, whether the collection exists or not.'

export const listing =
  'Lists documents by id. To fetch new documents, pass the last `id` that you have; `order` `desc` lists the newest first. A page ends early at 8 MB, with `has_more`. The collection `system` is the replication log, for administrators. Needs read access.'

export const synchronisation =
  'Returns how far the replication log of each other instance was read, and the newest 100 conflicts. A conflict is a change of this instance that was replaced by a later change of another instance, made without knowledge of the first. Both lists are empty unless BOX_IS_SYSTEM is set. Administrators only.'

export const replaying =
  'Calls the handler again from the start of the retry schedule, whatever it answered before, with the same uuid and `webhook-id`. The webhook then gets the new answer, with a new `webhook-id`. 409 `document_processing` during a delivery, 409 `not_async` for a document without a webhook. Needs write access.'

export const attempts =
  'Lists the calls that were made for a document: to its handler, its webhook and the subscribers, each with its status, duration and the beginning of the answer. The last 20 attempts of each target are stored, until the document is deleted. An attempt that a crash interrupted is not listed: its number is missing. Needs read access.'

export const bulkReplay =
  'Starts an operation that replays all matching documents of an async collection, in the background and in the order in which they were sent, and returns its id at once. Documents under way are left out. The operation continues after a crash. A document that was sent after this call is not replayed. Use it when an endpoint is repaired, for example with `state` `failed` or `rejected`. 409 `not_async` for other collections. Needs write access.'

export const deletion =
  'Deletes the document with its attempts, which cannot be undone. A document that waits for its delivery is not delivered any more; 409 `document_processing` while it is being delivered. Its id is not given again. A repeat with its `uuid` is a new document. Needs write access.'

export const subscription =
  'Creates a subscription to an async or storage collection. The subscriber gets each document that is sent from now on and whose event matches, by POST with the body that a handler gets, signed with the secret of the subscription. The reply has the secret; no later reply shows it. Only 2xx is success; any other answer is retried for 75 hours as for a webhook, and 410 disables the subscription. Each subscription has separate attempts and a separate circuit breaker. At most 50 subscriptions for each collection. 503 `not_configured` without BOX_SECRET_KEY. Administrators only.'

export const signingSecret =
  'Adds a signing secret to the handler of a collection, to the webhooks of an origin, or to a subscription, and returns it; no later reply shows it. To rotate a secret, add a new one: the new and the previous one both sign, so that the receiver may have either. Then delete the older with `DELETE /signing-secret`. A third secret replaces the oldest. 503 `not_configured` without BOX_SECRET_KEY. Administrators only.'
