// Reads the configuration of the driver `http`, which talks to any HTTP gateway, from the variables of a provider.
import { BodyFormat, BodyTemplate, GatewayHeaders, GatewayMethod, GatewayUrl, StopRule } from './contract.ts'
import type { Account } from './driver.ts'
import { jsonIn } from './request.ts'
import type { JsonTemplate } from './template.ts'

/** The request that passes a message to the gateway, and the fields of the gateway's reply that the driver reads. */
export interface GatewayConfig {
  url: string
  /** Address for calls, if it differs from `url`. */
  callUrl: string | undefined
  method: string
  format: 'json' | 'form' | 'query'
  body: Record<string, JsonTemplate>
  headers: Record<string, string>
  /** Path of the message's id in the reply. Undefined if the reply has no id. */
  id: string[] | undefined
  /** Path of the error code in an error reply, and the codes that mean that the recipient has opted out. */
  stop: { path: string[]; values: string[] } | undefined
}

const defaultBody = { phone: '{phone}', text: '{text}', sender: '{sender}', id: '{id}' }

/** Reads the configuration, or returns the name of the variable that is missing or invalid. */
export function readGatewayConfig({ variable }: Account): GatewayConfig | string {
  const method = GatewayMethod.safeParse(variable('METHOD') ?? 'POST')
  const isGet = method.data === 'GET'
  const parsed = {
    URL: GatewayUrl.safeParse(variable('URL')),
    CALL_URL: GatewayUrl.optional().safeParse(variable('CALL_URL')),
    METHOD: method,
    // `fetch` throws for a GET with a body, so its format is always `query`.
    FORMAT: (isGet ? BodyFormat.extract(['query']) : BodyFormat).safeParse(
      variable('FORMAT') ?? (isGet ? 'query' : 'json'),
    ),
    STOP: StopRule.optional().safeParse(variable('STOP')),
    BODY: BodyTemplate.safeParse(bodyIn(variable('BODY'))),
    HEADERS: GatewayHeaders.safeParse(jsonIn(variable('HEADERS') ?? '{}')),
  }
  const invalid = Object.entries(parsed).find(([, { success }]) => !success)
  if (invalid) return invalid[0]
  return {
    url: parsed.URL.data!,
    callUrl: parsed.CALL_URL.data,
    method: parsed.METHOD.data!,
    format: parsed.FORMAT.data!,
    body: parsed.BODY.data!,
    headers: parsed.HEADERS.data!,
    id: variable('ID')?.split('.'),
    stop: parsed.STOP.data === undefined ? undefined : stopOf(parsed.STOP.data),
  }
}

/** Parses STOP, such as `error.code=21610,21611`: a path in the JSON of an error reply, and the values that mean an opt-out. */
function stopOf(text: string) {
  const at = text.indexOf('=')
  const values = text.slice(at + 1).split(',')
  return { path: text.slice(0, at).split('.'), values: values.map((value) => value.trim()) }
}

/** Parses BODY, which is JSON or a form such as `to={phone}&text={text}`. */
function bodyIn(text: string | undefined): unknown {
  if (text === undefined) return defaultBody
  return /^\s*(\[|\{\s*["}])/.test(text) ? jsonIn(text) : Object.fromEntries(new URLSearchParams(text))
}
