// npm run deploy: brings the components to Cloudflare, with what they need, in the order in which they bind each other.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Component, findComponents, isGateway, selectComponents } from './deploy/components.ts'
import { requireDocker, withImages, withoutContainers } from './deploy/containers.ts'
import { dryRun } from './deploy/dry-run.ts'
import { inOrder } from './deploy/order.ts'
import { release } from './deploy/release.ts'
import { hasAccess, noSecrets, parseSecrets, redact, type Secrets, secretsOf } from './deploy/secrets.ts'
import { folder } from './deploy/state.ts'
import { Stop } from './deploy/stop.ts'
import { wranglerIn } from './deploy/wrangler.ts'
import { placeSite, siteFolder } from './site.ts'

const usage = `npm run deploy -- [component ...] [options]

Deploys all components, or the named ones: creates the D1 databases and R2 buckets that are missing, applies
migrations, uploads code and secrets. It may be run again at any time.

  --secrets FILE  variables of the components in dotenv format (default: ${folder}/secrets.env);
                  NAME=value is for every component, feed.NAME=value for one
  --without-containers
                  leave out the Workers in containers/, and bind none
  --dry-run       only build, and show the bundles; needs no network, no account and no Docker
  --verbose       show what wrangler says
  --help          show this

Docker builds the images of containers, unless MEDIA_CONTAINER_IMAGE names one in a registry.

CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID are wrangler's; without a token, npx wrangler login.`

const root = process.cwd()
const say = (line: string) => console.log(line)
let hidden: string[] = []

try {
  await main()
} catch (error) {
  const isPlain = error instanceof Stop || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  const text = isPlain ? (error as Error).message : ((error as Error).stack ?? String(error))
  console.error(redact(text, hidden))
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { values: asked, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      secrets: { type: 'string' },
      'without-containers': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (asked.help) return say(usage)
  const all = findComponents(root)
  const deployed = asked['without-containers'] ? withoutContainers(all) : withImages(all, process.env)
  const selected = new Set(selectComponents(deployed, names))
  const components = inOrder(deployed).filter((component) => selected.has(component))
  for (const { file, config } of components) {
    if (config.vars && 'LOCAL' in config.vars)
      throw new Stop(`${file} sets LOCAL, which opens a component: never deploy it`)
  }
  if (components.some(({ config }) => config.assets?.directory === siteFolder)) await placeSite()
  const wrangler = wranglerIn(root, asked.verbose ? (text) => process.stderr.write(redact(text, hidden)) : undefined)
  if (asked['dry-run']) return say(await dryRun(root, components, wrangler))

  requireDocker(root, components)
  const secrets = readSecrets(asked.secrets, all)
  hidden = [secrets.shared, ...Object.values(secrets.own)].flatMap((variables) => Object.values(variables))
  warnOfClosed(components, secrets)
  await release(components, { root, account: process.env.CLOUDFLARE_ACCOUNT_ID || 'default', secrets, wrangler, say })
}

function readSecrets(named: string | undefined, components: Component[]): Secrets {
  const file = named ?? join(root, folder, 'secrets.env')
  if (!existsSync(file)) {
    if (named === undefined) return noSecrets
    throw new Stop(`There is no secrets file ${file}`)
  }
  return parseSecrets(
    readFileSync(file, 'utf8'),
    components.map(({ name }) => name),
  )
}

/** The gateway and the containers' Workers check no access themselves. */
function warnOfClosed(components: Component[], secrets: Secrets): void {
  const closed = components
    .filter((component) => !isGateway(component) && component.file.startsWith('workers/'))
    .filter(({ name, config }) => !hasAccess({ ...config.vars, ...secretsOf(secrets, name) }))
    .map(({ name }) => name)
  if (closed.length === 0) return
  console.error(
    `Warning: ${closed.join(', ')} will answer 503 unless access was set before: the secrets file has neither AUTH_TOKENS, nor HTTP_AUTH_USERNAME and HTTP_AUTH_PASSWORD, nor OPEN=true for them`,
  )
}
