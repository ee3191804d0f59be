/** Description of the bus in its OpenAPI document: what the types of collections do, and what handlers and webhooks get. */
export const description = `Accepts documents for private APIs. Callers are users, each with a secret in the header Api-Secret. Administrators \
may do everything; other users read or write the collections to which they have access. A collection has a table of documents and one of three types. sync: \
the bus posts a document to the collection's handler, and the reply has the handler's answer. async: the bus stores the document, posts it to the \
handler through the queue, and posts the answer to the document's webhook. storage: the bus stores the document for others to fetch. A handler gets \
event, data, uuid, collection and document.id as JSON, a webhook the body of a sync reply; both with the headers of Standard Webhooks, signed if \
BOX_SIGNING_SECRET is set, and with the same webhook-id on each retry. Only 2xx is success. Instances with BOX_IS_SYSTEM have the same \
collections, users and access: each reads the others' collection "system", the replication log, which has the last change of each object. An object \
that is deleted at one instance is disabled at the others.`
