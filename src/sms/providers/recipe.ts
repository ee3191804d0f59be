import { jsonIn } from './ask.ts'
import { BodyFormat, BodyTemplate, GatewayHeaders, GatewayMethod, GatewayUrl, StopRule } from './contract.ts'
import type { Account } from './provider.ts'
import type { JsonTemplate } from './template.ts'

/** How messages are handed to an HTTP gateway of any kind, as its account's variables say. */
export interface Recipe {
  url: string
  /** Where calls go, where that is another address. */
  callUrl: string | undefined
  method: string
  format: 'json' | 'form' | 'query'
  body: Record<string, JsonTemplate>
  headers: Record<string, string>
  /** The way to a message's identity in the reply. */
  id: string[] | undefined
  /** Where a refusal says why, and its words for a recipient who has opted out. */
  stop: { path: string[]; values: string[] } | undefined
}

const usual = { phone: '{phone}', text: '{text}', sender: '{sender}', id: '{id}' }

/** The recipe, or the name of the variable that is missing or cannot be read. */
export function recipeOf({ variable }: Account): Recipe | string {
  const method = GatewayMethod.safeParse(variable('METHOD') ?? 'POST')
  const isGet = method.data === 'GET'
  const read = {
    URL: GatewayUrl.safeParse(variable('URL')),
    CALL_URL: GatewayUrl.optional().safeParse(variable('CALL_URL')),
    METHOD: method,
    // `fetch` sends no body with a GET.
    FORMAT: (isGet ? BodyFormat.extract(['query']) : BodyFormat).safeParse(
      variable('FORMAT') ?? (isGet ? 'query' : 'json'),
    ),
    STOP: StopRule.optional().safeParse(variable('STOP')),
    BODY: BodyTemplate.safeParse(bodyIn(variable('BODY'))),
    HEADERS: GatewayHeaders.safeParse(jsonIn(variable('HEADERS') ?? '{}')),
  }
  const wrong = Object.entries(read).find(([, { success }]) => !success)
  if (wrong) return wrong[0]
  return {
    url: read.URL.data!,
    callUrl: read.CALL_URL.data,
    method: read.METHOD.data!,
    format: read.FORMAT.data!,
    body: read.BODY.data!,
    headers: read.HEADERS.data!,
    id: variable('ID')?.split('.'),
    stop: read.STOP.data === undefined ? undefined : stopOf(read.STOP.data),
  }
}

/** `error.code=21610,21611`: the path in a refusal's JSON, and the values that stand there. */
function stopOf(text: string) {
  const at = text.indexOf('=')
  const values = text.slice(at + 1).split(',')
  return { path: text.slice(0, at).split('.'), values: values.map((value) => value.trim()) }
}

/** The body's template, which may be written as the form that it makes: `to={phone}&text={text}`. */
function bodyIn(text: string | undefined): unknown {
  if (text === undefined) return usual
  return /^\s*(\[|\{\s*["}])/.test(text) ? jsonIn(text) : Object.fromEntries(new URLSearchParams(text))
}
