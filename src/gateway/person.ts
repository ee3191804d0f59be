// The gateway's own API: erases and exports the data of a person in all components.
import type * as z from 'zod'
import { api } from '#core/http/api'
import * as wire from './contract.ts'
import type { Env } from './env.ts'
import { errors } from './errors.ts'
import { exportLines } from './export.ts'
import type { Operations } from './operations.ts'

/** What all these endpoints require: the scope `*:manage`, since they reach the data of all components. */
const managed = { level: 'manage' } as const

const ndjson = 'application/x-ndjson'

const exported = {
  ...managed,
  params: wire.ExportOf,
  produces: ndjson,
  replies: { 200: { description: 'One JSON object per line: `component`, `place` (a table or kind) and `row`' } },
  description:
    'Returns the rows in which the components find the person, as newline-delimited JSON, component by component. Each line has `component`, `place` (a table or kind) and `row`. Hashes, secrets and the content of encrypted columns are left out. If a component fails, the reply ends without its last chunk. With `after` or `component`, the reply is one page: its last line is `{"next": "…"}`, whose value is `after` of the next page, or null after the last page. A page makes at most 30 calls to components. The guide lists what each component exports.',
} as const

/** `GET /person` and its POST form, `DELETE /person`, and `GET /operation`. */
export const personApi = api<Env, keyof typeof errors>({
  name: 'gateway',
  title: 'Gateway',
  description: 'Routes requests to all components, and works on the data of all components at once.',
  errors,
  scopeComponent: '*',
})
  .delete(
    '/person',
    {
      ...managed,
      summary: 'Erase a person',
      description:
        'Starts to erase the data of a person in all components, and returns at once. The operation runs in steps and continues after a crash; `GET /operation` returns its progress. The identifiers are combined with OR. Payments are kept unless `ERASE_PAYMENTS=true`. Data that arrives for the person after the request may stay: stop sending first.',
      params: wire.PersonOf,
      status: 202,
      reply: wire.started,
      errors: ['operations_full'],
    },
    async ({ env, params, nameObject }) => {
      const { id, subject } = await operationsOf(env).start(params)
      nameObject(subject)
      return { operation: { id } }
    },
  )
  .get('/person', { ...exported, summary: 'Export the data of a person' }, exportPerson)
  .post('/person', { ...exported, summary: 'Export the data of a person, from a body' }, exportPerson)
  .get(
    '/operation',
    {
      ...managed,
      summary: 'Get an operation',
      description:
        'Returns the progress of an operation: whether it is done, and the number of erased rows of each component. Operations are deleted 30 days after their end.',
      params: wire.OperationOf,
      reply: wire.operation,
      errors: ['operation_not_found'],
    },
    async ({ env, params }) => ({ operation: await operationsOf(env).find(params.id) }),
  )

/** The paths of the API. */
export const isOwnPath = (path: string): boolean => personApi.endpoints.some((endpoint) => endpoint.path === path)

/** The object that runs the operations. */
export function operationsOf({ OPERATIONS }: Env): DurableObjectStub<Operations> {
  if (!OPERATIONS) throw new Error('Bind the durable object class Operations as OPERATIONS')
  return OPERATIONS.getByName('all')
}

interface ExportCall {
  env: Env
  params: z.output<typeof wire.ExportOf>
  nameObject: (id: string) => void
}

async function exportPerson({ env, params, nameObject }: ExportCall): Promise<Response> {
  const { component, after, ...person } = params
  const lines = exportLines(env, person, { component, after })
  nameObject(await operationsOf(env).subjectOf(person))
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
  const headers = { 'content-type': ndjson, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return new Response(body, { headers })
}
