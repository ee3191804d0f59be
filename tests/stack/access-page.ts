// Writes the page docs/access-by-operation.md from the OpenAPI document of all components.
import type { Description, Operation } from '#core/http/openapi'
import { scopeOf } from '#core/http/security'
import { type ApiOperation, operationsIn } from './operations.ts'

const intro = `# Access by operation

The credentials that each operation needs. [Security](security.md#access) explains the kinds of credentials. This page is made from the
OpenAPI document, and CI compares the two.

- **Scope**: keys and tokens need it. \`write\` includes \`read\`, and \`manage\` includes both. \`AUTH_TOKENS\` and HTTP Basic may call every
  operation with a scope, except those of the bus.
- **Can be bound to**: a credential with [bounds](access.md) may call the operation if all its bounds are in this column. It may not pass
  the parameters that are named as refused. All other operations refuse credentials with bounds.
- **Other ways**: proofs that an operation accepts instead of credentials with the scope.

## Pages and metrics

| path | scope | other ways |
| --- | --- | --- |
| \`/_metrics\` of the gateway | \`metrics\` of each component whose metrics the reply has | |
| \`/<component>/_metrics\` | \`<component>:metrics\` | on the bus, the \`Api-Secret\` of the administrator |
| \`/<component>/_health\` | open to everyone; the state of the dependencies needs \`<component>:read\` | on the bus, the \`Api-Secret\` of the administrator |
| \`/_health\` of the gateway | open to everyone | |
| \`/_docs\`, \`/_openapi.json\`, also of each component | open to everyone | |
| \`/docs\`, and the files of the console | open to everyone | |
| all paths of the catcher that are not listed below | open to everyone | |
`

/** The page as Markdown. */
export function accessPageOf(description: Description): string {
  const components = Object.entries(Object.groupBy(operationsIn(description), ({ component }) => component))
  return [intro, ...components.map(([component, operations]) => sectionOf(component, operations!))].join('\n')
}

const sectionOf = (component: string, operations: ApiOperation[]) => `## ${component}

| operation | scope | can be bound to | other ways |
| --- | --- | --- | --- |
${operations.map(rowOf).join('\n')}
`

function rowOf({ name, operation }: ApiOperation): string {
  const { 'x-bindable': bindable = [], 'x-selectors': selectors = [] } = operation
  const bounds = [quoted(bindable), selectors.length > 0 && `refused: ${quoted(selectors)}`].filter(Boolean).join('; ')
  const cells = [`\`${name}\``, scopeText(operation), bounds, otherWays(operation)]
  return `|${cells.map((cell) => (cell ? ` ${cell} ` : ' ')).join('|')}|`
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

function scopeText(operation: Operation): string {
  const { security } = operation
  const scope = scopeOf(operation)
  if (scope) return `\`${scope}\``
  if (security.length === 0) return 'open to everyone'
  return security.some(({ bearer }) => bearer) ? 'any key' : 'no keys'
}

function otherWays({ security, 'x-proven-by': provenBy }: Operation): string {
  const ways = [security.some(({ token }) => token) && 'a token of `POST /access/token` in `?token=`', provenBy]
  return ways.filter(Boolean).join('; ')
}
