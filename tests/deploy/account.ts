// A fake Cloudflare account for tests of the deployment: its resources, and the parts of the API that wrangler calls.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

export const accountId = '0123456789abcdef0123456789abcdef'

export const uploadToken = 'the-token-of-an-upload'
const uploadedToken = 'the-token-of-what-was-uploaded'

/** A binding, as the metadata of an upload contains it. */
export interface Bound {
  name: string
  type: string
  [key: string]: unknown
}

/** A Worker as it was last uploaded. Its bindings include the secrets of earlier uploads. */
interface Script {
  tag: string
  version: string
  migrationTag: string | undefined
  bindings: Bound[]
  observability: unknown
  annotations: Record<string, string> | undefined
  code: string
}

/** A container that Cloudflare runs. */
interface Application {
  id: string
  name: string
  configuration: { image: string }
  durable_objects: { namespace_id: string }
}

interface ApiRequest {
  path: string[]
  query: URLSearchParams
  type: string
  body: Buffer
}

/** An error that the real API would return too. Any other exception fails the test. */
export class Refusal extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const jsonOf = ({ body }: ApiRequest) => JSON.parse(body.toString())

export function openAccount() {
  const databases: { name: string; uuid: string; sql: DatabaseSync }[] = []
  const buckets: string[] = []
  const scripts = new Map<string, Script>()
  const schedules = new Map<string, string[]>()
  const applications: Application[] = []
  /** The static files of a Worker: their contents by path. */
  const files = new Map<string, string>()
  const announced = new Map<string, string>()

  const scriptIn = ({ path }: ApiRequest): Script =>
    scripts.get(path[2]!) ?? refuse(404, 10007, 'This Worker does not exist on your account.')

  const upload = async (request: ApiRequest): Promise<Script> => {
    if (request.query.get('bindings_inherit') !== 'strict') throw new Error('an upload that does not inherit strictly')
    const { metadata, code } = await formOf(request)
    const before = scripts.get(request.path[2]!)
    for (const bound of metadata.bindings) checkBinding(bound)
    if (metadata.assets && metadata.assets.jwt !== uploadedToken) throw new Error('files that were not uploaded')
    if (metadata.migrations && metadata.migrations.old_tag !== before?.migrationTag) refuse(412, 10079, 'stale tag')
    if (!metadata.keep_bindings?.includes('secret_text')) throw new Error('an upload that drops secrets')
    const kept = (before?.bindings ?? []).filter(
      ({ name, type }) => type === 'secret_text' && metadata.bindings.every((bound) => bound.name !== name),
    )
    return {
      tag: before?.tag ?? randomUUID(),
      version: randomUUID(),
      migrationTag: metadata.migrations?.new_tag ?? before?.migrationTag,
      bindings: [...metadata.bindings, ...kept],
      observability: metadata.observability,
      annotations: metadata.annotations,
      code,
    }
  }

  const checkBinding = ({ type, service, bucket_name, id }: Bound) => {
    if (type === 'service' && !scripts.has(String(service))) refuse(400, 10143, `There is no Worker ${service}`)
    if (type === 'r2_bucket' && !buckets.includes(String(bucket_name))) refuse(400, 10085, `No bucket ${bucket_name}`)
    if (type === 'd1' && databases.every(({ uuid }) => uuid !== id)) refuse(400, 10021, 'binding DB has no valid id')
  }

  const routes: Record<string, (request: ApiRequest) => unknown> = {
    'GET d1/database': ({ query }) => {
      const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))]
      return databases.slice((page - 1) * size, page * size).map(({ uuid, name }) => ({ uuid, name }))
    },
    'POST d1/database': (request) => {
      const { name } = jsonOf(request)
      if (databases.some((database) => database.name === name)) refuse(400, 7502, `${name} exists already`)
      const uuid = randomUUID()
      databases.push({ name, uuid, sql: new DatabaseSync(':memory:') })
      return { uuid, name, version: 'production' }
    },
    'POST d1/database/*/query': (request) => {
      const found = databases.find(({ uuid }) => uuid === request.path[2]) ?? refuse(404, 7404, 'No such database')
      return query(found.sql, jsonOf(request).sql)
    },
    // A page of the list has twenty buckets. Others are found only by their names.
    'GET r2/buckets': () => ({ buckets: buckets.slice(0, 20).map((name) => ({ name, creation_date: '2026-11-01' })) }),
    'GET r2/buckets/*': ({ path }) => {
      const name = path[2]!
      return buckets.includes(name) ? { name } : refuse(404, 10006, 'The specified bucket does not exist.')
    },
    'POST r2/buckets': (request) => {
      const { name } = jsonOf(request)
      if (buckets.includes(name)) refuse(409, 10004, 'The bucket you tried to create already exists, and you own it.')
      buckets.push(name)
      return {}
    },
    'GET workers/scripts': () => [...scripts].map(([id, { migrationTag }]) => ({ id, migration_tag: migrationTag })),
    'GET workers/services/*': (request) => {
      const { tag, migrationTag } = scriptIn(request)
      const script = { tag, tags: [], migration_tag: migrationTag, last_deployed_from: 'wrangler' }
      return { default_environment: { environment: 'production', script } }
    },
    'GET workers/workers/*': (request) => {
      scriptIn(request)
      return { subdomain: { enabled: false, previews_enabled: false } }
    },
    'GET workers/scripts/*/deployments': (request) => {
      const { version } = scriptIn(request)
      return {
        deployments: [{ id: version, created_on: '2026-11-01', versions: [{ version_id: version, percentage: 100 }] }],
      }
    },
    'GET workers/scripts/*/settings': (request) => ({ bindings: scriptIn(request).bindings.map(withoutText) }),
    'GET workers/scripts/*/secrets': (request) =>
      scriptIn(request)
        .bindings.filter(({ type }) => type === 'secret_text')
        .map(withoutText),
    'PUT workers/scripts/*': async (request) => {
      const script = await upload(request)
      scripts.set(request.path[2]!, script)
      return { deployment_id: script.version, tag: script.tag }
    },
    'POST workers/scripts/*/versions': async (request) => {
      scriptIn(request)
      const script = await upload(request)
      scripts.set(request.path[2]!, script)
      return { id: script.version, resources: { script: { etag: 'etag' } } }
    },
    'POST workers/scripts/*/deployments': (request) => {
      const { versions } = jsonOf(request)
      if (versions[0].version_id !== scriptIn(request).version) throw new Error('a deployment of another version')
      return { id: randomUUID() }
    },
    'GET workers/scripts/*/versions/*': (request) => {
      const { version, bindings } = scriptIn(request)
      if (request.path[4] !== version) throw new Error('another version than the last')
      const isObject = ({ type }: Bound) => type === 'durable_object_namespace'
      const shown = bindings.map((bound) => (bound.type === 'secret_text' ? withoutText(bound) : bound))
      return {
        id: version,
        metadata: { created_on: '2026-11-01' },
        resources: {
          bindings: shown.map((bound) => (isObject(bound) ? { ...bound, namespace_id: bound.class_name } : bound)),
        },
      }
    },
    // wrangler reads the account before it builds an image, and the registry credentials before it pushes one.
    'GET containers/me': () => ({ external_account_id: accountId, limits: { disk_mb_per_deployment: 20_000 } }),
    'POST containers/registries/*/credentials': ({ path }) => ({
      username: 'v1',
      password: 'a',
      registry_host: path[2],
    }),
    'GET containers/applications': () => applications,
    'POST containers/applications': (request) => {
      const application: Application = { ...jsonOf(request), id: randomUUID() }
      if (applications.some(({ name }) => name === application.name)) throw new Error('an application that exists')
      applications.push(application)
      return application
    },
    'PATCH workers/scripts/*/script-settings': (request) => {
      scriptIn(request).observability = jsonOf(request).observability
    },
    'PATCH workers/scripts/*/secrets-bulk': (request) => {
      const script = scriptIn(request)
      const { secrets } = jsonOf(request)
      if (Object.values(secrets).some((secret) => secret !== null)) throw new Error('a secret that is not removed')
      const isSecret = ({ name, type }: Bound) => name in secrets && type === 'secret_text'
      if (script.bindings.filter(isSecret).length !== Object.keys(secrets).length) throw new Error('no such secrets')
      script.bindings = script.bindings.filter((bound) => !isSecret(bound))
    },
    'POST workers/scripts/*/assets-upload-session': (request) => {
      const { manifest } = jsonOf(request) as { manifest: Record<string, { hash: string; size: number }> }
      for (const [path, { hash }] of Object.entries(manifest)) announced.set(hash, path)
      return { jwt: uploadToken, buckets: [Object.values(manifest).map(({ hash }) => hash)] }
    },
    'POST workers/assets/upload': async ({ body, type, query }) => {
      if (query.get('base64') !== 'true') throw new Error('an upload that is not in base64')
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
      for (const [hash, content] of form) {
        const path = announced.get(hash)
        if (path === undefined) throw new Error('a file that was not announced')
        files.set(path, Buffer.from(await textOf(content), 'base64').toString())
      }
      return { jwt: uploadedToken }
    },
    'GET workers/subdomain': () => ({ subdomain: 'tests' }),
    'POST workers/scripts/*/subdomain': jsonOf,
    'PUT workers/scripts/*/schedules': (request) => {
      schedules.set(
        request.path[2]!,
        jsonOf(request).map(({ cron }: { cron: string }) => cron),
      )
    },
  }
  /** Sets a secret of a Worker as `wrangler secret put` does. */
  const setSecret = (worker: string, name: string) =>
    scripts.get(worker)!.bindings.push({ name, type: 'secret_text', text: 'by hand' })
  /** Forgets the stored names of variables, as if an older version had deployed the Worker. */
  const forgetNames = (worker: string) => {
    const script = scripts.get(worker)!
    script.bindings = script.bindings.filter(({ name }) => name !== 'DEPLOYED_NAMES')
  }
  return { setSecret, forgetNames, databases, buckets, scripts, schedules, applications, files, routes }
}

function refuse(status: number, code: number, message: string): never {
  throw new Refusal(status, code, message)
}

const withoutText = ({ text: _, ...bound }: Bound) => bound

interface Metadata {
  main_module: string
  bindings: Bound[]
  keep_bindings?: string[]
  migrations?: { old_tag?: string; new_tag: string }
  package_dependencies?: unknown
  assets?: { jwt?: string }
  observability?: unknown
  annotations?: Record<string, string>
}

async function formOf({ body, type }: ApiRequest) {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const metadata: Metadata = JSON.parse(await textOf(form.get('metadata')))
  if (metadata.package_dependencies) throw new Error('an upload with a list of packages')
  return { metadata, code: await textOf(form.get(metadata.main_module)) }
}

function textOf(part: string | File | null) {
  if (part === null) throw new Error('an upload without a part that it needs')
  return typeof part === 'string' ? part : part.text()
}

function query(database: DatabaseSync, sql: string) {
  const reply = (results: unknown[]) => [{ success: true, meta: { duration: 0 }, results }]
  if (/^\s*SELECT/i.test(sql)) return reply(database.prepare(sql).all())
  database.exec(`BEGIN; ${sql}; COMMIT`)
  return reply([])
}
