// Renders the templates in a stub's reply with the values of the caught request.
import { invalidParameters } from '#core/failure'
import { numberOf, parseJson } from '#core/http/json'
import { newRenderBudget, parseTemplate, TemplateError, type TemplateKind } from '#core/template/template'
import type { StubReply } from './contract/stubs.ts'
import { failure } from './errors.ts'
import type { ReceivedRequest } from './received-request.ts'
import { RequestFacts } from './request-facts.ts'
import { parseReceived } from './request-view.ts'

/** Limits of the templates in one reply. All templates of a reply share the steps of one render budget. */
const maxTemplates = 100
const maxCharacters = 1_000_000

const maxMessageLength = 200

/** Throws 400 if a template of a reply is invalid, or if there are too many. `at` names the reply: `replies.0`. */
export function checkTemplates(reply: StubReply, at: string): void {
  const templates = templatesIn(reply)
  if (templates.length > maxTemplates) throw invalidParameters({ [at]: `Must have at most ${maxTemplates} templates` })
  const errors = templates.flatMap(({ text, place, kind }) => {
    const message = errorIn(text, kind)
    return message ? [[`${at}.${place}`, message]] : []
  })
  if (errors.length > 0) throw invalidParameters(Object.fromEntries(errors))
}

function errorIn(text: string, kind: TemplateKind): string | undefined {
  try {
    parseTemplate(text, kind)
    return undefined
  } catch (error) {
    if (error instanceof TemplateError) return error.message.slice(0, maxMessageLength)
    throw error
  }
}

/** Renders the templates of a reply. Throws `template_failed` if one takes too many steps, or its output is too long or invalid. */
export async function renderReply(
  { reply, params }: { reply: StubReply; params: Record<string, string> },
  received: ReceivedRequest,
): Promise<StubReply> {
  const templates = templatesIn(reply)
  if (templates.length === 0) return reply
  const values = { request: requestValues(received, params) }
  const budget = newRenderBudget()
  const outputs: string[] = []
  let characters = 0
  for (const template of templates) {
    const output = await renderTemplate(template, values, budget)
    characters += output.length
    if (characters > maxCharacters) throw templateFailed(`the reply is longer than ${maxCharacters} characters`)
    outputs.push(output)
  }
  return replaceTemplates(reply, () => outputs.shift()!)
}

async function renderTemplate(
  { text, place, kind }: PlacedTemplate,
  values: object,
  budget: ReturnType<typeof newRenderBudget>,
): Promise<string> {
  const output = await parseTemplate(text, kind)
    .render(values, undefined, budget)
    .catch((error: unknown) => {
      if (error instanceof TemplateError) throw templateFailed(error.message.slice(0, maxMessageLength))
      throw error
    })
  if (place.startsWith('headers.') && !isHeaderValue(output))
    throw templateFailed(`the value of ${place} is not ASCII, or has control characters`)
  return output
}

const isHeaderValue = (text: string) => /^[\t\x20-\x7e]*$/.test(text)

const templateFailed = (reason: string) =>
  failure('template_failed', `A template of the stub could not be rendered: ${reason}.`)

/** What templates see as `request`. Masked credentials stay masked. */
function requestValues(received: ReceivedRequest, params: Record<string, string>) {
  const { json: _, ...request } = parseReceived(received)
  return { ...request, json: new RequestFacts(received).json, params }
}

/** A template in a reply. `place` names it within the reply: `body`, `headers.location`, `json.order.id`. */
interface PlacedTemplate {
  text: string
  place: string
  kind: TemplateKind
}

function templatesIn(reply: StubReply): PlacedTemplate[] {
  const templates: PlacedTemplate[] = []
  replaceTemplates(reply, (template) => {
    templates.push(template)
    return template.text
  })
  return templates
}

type Replace = (template: PlacedTemplate) => string

/** Replaces each template in the headers, the body and the strings of the JSON body, always in the same order. */
function replaceTemplates(reply: StubReply, replace: Replace): StubReply {
  const { headers, body, json } = reply
  const isHtml = Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /^\s*text\/html/i.test(value),
  )
  const replaced = (text: string, place: string, kind: TemplateKind = 'text') =>
    hasTemplate(text) ? replace({ text, place, kind }) : text
  return {
    ...reply,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, replaced(value, `headers.${name}`)]),
    ),
    ...(body !== undefined && { body: replaced(body, 'body', isHtml ? 'html' : 'text') }),
    ...(json !== undefined &&
      hasTemplate(json) && { json: JSON.stringify(replaceIn(parseJson(json), 'json', replaced)) }),
  }
}

const hasTemplate = (text: string) => /\{[{%]/.test(text)

/** A copy of a JSON value with all its strings replaced. Keys stay. */
function replaceIn(value: unknown, place: string, replace: (text: string, place: string) => string): unknown {
  if (typeof value === 'string') return replace(value, place)
  if (Array.isArray(value)) return value.map((item, i) => replaceIn(item, `${place}.${i}`, replace))
  // `parseJson` returns a number that a double cannot hold as an object, which `numberOf` recognises.
  if (typeof value !== 'object' || value === null || typeof numberOf(value) === 'number') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceIn(item, `${place}.${key}`, replace)]),
  )
}
