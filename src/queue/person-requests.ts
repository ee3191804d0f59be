// Reads the request of a stored task or schedule, and finds out whether it mentions a person.
import { mentionsPerson } from '#core/person/mentions'
import type { Person } from '#core/person/places'
import { unseal } from './seal.ts'
import type { Payload } from './tables.ts'

/** The texts of a request that are exported. Headers are left out, since they may have secrets, and so is the query of the URL. */
export interface RequestContent {
  url: string
  json: string | null
  body: string | null
}

type StoredRequest = Payload & { url: string; on_success: string | null; on_failure: string | null }

/** Reads a stored request: whether its URL, headers, JSON, body or callbacks mention the person. Encrypted parts are decrypted. */
export async function readRequest(
  secret: string | undefined,
  person: Person,
  { url, headers, json, body, sealed, on_success, on_failure }: StoredRequest,
): Promise<{ isTheirs: boolean; content: RequestContent }> {
  const secrets = sealed ? await unseal(secret, sealed).catch(() => undefined) : undefined
  const content = {
    url: withoutQuery(url),
    json: json ?? secrets?.json ?? null,
    body: textOf(body) ?? secrets?.body ?? decoded(secrets?.bytes) ?? null,
  }
  const queries = [url, on_success, on_failure].map((one) => one?.slice(withoutQuery(one).length + 1))
  const secretHeaders = secrets?.headers && JSON.stringify(secrets.headers)
  const texts = [content.json, content.body, ...queries, headers, secretHeaders]
  return { isTheirs: texts.some((text) => text && mentionsPerson(person, text)), content }
}

/** The size of a stored request in characters, about. */
export const charactersOf = ({ headers, json, body, sealed }: Payload): number =>
  (headers?.length ?? 0) + (json?.length ?? 0) + sizeOf(body) + (sealed?.byteLength ?? 0)

const sizeOf = (body: Payload['body']) => (body instanceof ArrayBuffer ? body.byteLength : (body?.length ?? 0))

/** A body as text. Bytes are decoded as UTF-8. */
const textOf = (body: Payload['body']) => (body instanceof ArrayBuffer ? new TextDecoder().decode(body) : body)

const decoded = (base64: string | undefined) => base64 && new TextDecoder().decode(Uint8Array.fromBase64(base64))

export const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')
