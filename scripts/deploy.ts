// npm run deploy: deploys Workers to Cloudflare with their databases, buckets and secrets, in the order of their bindings.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rootHeaderOf } from '#core/access/root-secrets'
import { bindPresent, boundElsewhere, withGateway } from './deploy/bindings.ts'
import { findComponents, isGateway, selectComponents, type WorkerProject } from './deploy/components.ts'
import { requireDocker, withImages, withoutContainers } from './deploy/containers.ts'
import { type DeployedWorker, readAllDeployed } from './deploy/deployed.ts'
import { whileDrained } from './deploy/drain.ts'
import { dryRun } from './deploy/dry-run.ts'
import { inOrder } from './deploy/order.ts'
import { planVariables } from './deploy/plan.ts'
import { type Drain, isOnPostgres, release } from './deploy/release.ts'
import { samplingRateOf } from './deploy/sampling-rate.ts'
import { type DeploySecrets, noSecrets, parseSecrets, redact, secretsOf } from './deploy/secrets.ts'
import { folder } from './deploy/state.ts'
import { Stop } from './deploy/stop.ts'
import { warningsOf } from './deploy/warnings.ts'
import { type Wrangler, wranglerIn } from './deploy/wrangler.ts'
import { placeSite, siteFolder } from './site.ts'

const usage = `npm run deploy -- [component ...] [options]

Deploys all components, or the named ones: creates the D1 databases and R2 buckets that are missing, applies
migrations, uploads code and secrets. Named components are deployed with the gateway, if it does not bind them yet; a
binding to a component that is not deployed is left out. It may be run again at any time.

  --secrets FILE  variables of the components in dotenv format (default: ${folder}/secrets.env);
                  NAME=value is for every component, feed.NAME=value for one
  --remove NAME   remove a secret that the file does not have: of every component, or of one as feed.NAME;
                  may be given several times
  --without-containers
                  leave out the Workers in containers/, and bind none
  --url URL       address of the deployed gateway, to drain the queue (default: that of its last deployment)
  --drain SECONDS maximum time to wait for running requests of the queue, 0 to interrupt them (default: 900)
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
  const { values: options, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      secrets: { type: 'string' },
      remove: { type: 'string', multiple: true, default: [] },
      'without-containers': { type: 'boolean' },
      url: { type: 'string' },
      drain: { type: 'string', default: '900' },
      'dry-run': { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (options.help) return say(usage)
  const all = findComponents(root)
  const deployed = options['without-containers'] ? withoutContainers(all) : withImages(all, process.env)
  const named = new Set(selectComponents(deployed, names))
  const ordered = inOrder(deployed)
  const selected = ordered.filter((component) => named.has(component))
  for (const { file, config } of deployed) {
    if (config.vars && 'LOCAL' in config.vars)
      throw new Stop(`${file} sets LOCAL, which gives everyone access: remove the line`)
  }
  const wrangler = wranglerIn(root, options.verbose ? (text) => process.stderr.write(redact(text, hidden)) : undefined)
  if (options['dry-run']) {
    await prepareSite(selected)
    return say(await dryRun(root, selected, wrangler))
  }

  requireDocker(root, selected)
  const secrets = readSecrets(options.secrets, all)
  hidden = [secrets.shared, ...Object.values(secrets.own)].flatMap((variables) => Object.values(variables))
  for (const component of selected) {
    isOnPostgres(component.name, secretsOf(secrets, component))
    samplingRateOf(secrets, component.name)
  }
  for (const warning of warningsOf(all, selected, secrets)) console.error(`Warning: ${warning}`)
  const gateway = ordered.filter(isGateway)
  const workers = await readAllDeployed([...new Set([...selected, ...gateway])].map(nameOf), wrangler)
  const components = withGateway(selected, ordered, workers)
  const plans = planVariables(components, workers, secrets, options.remove)
  const bound = bindPresent(components, ordered, await findPresent(components, ordered, wrangler))
  for (const { component, absent } of bound) {
    if (absent.length > 0) say(`${component.name}: does not bind ${absent.join(', ')}, which is not deployed`)
  }
  for (const name of options.remove) {
    if (![...plans.values()].some(({ removed }) => removed.includes(name.replace(/^.*\./, ''))))
      say(`No deployed Worker has ${name}`)
  }
  await prepareSite(components)
  const account = process.env.CLOUDFLARE_ACCOUNT_ID || 'default'
  await release(
    bound.map(({ component }) => component),
    { root, account, secrets, plans, wrangler, say, drain: drainOf(options, all, workers, secrets) },
  )
}

/** How the queue is drained: not at all if it is not deployed yet, or if its address or its credentials are unknown. */
function drainOf(
  { url, drain }: { url?: string | undefined; drain: string },
  components: WorkerProject[],
  deployed: Map<string, DeployedWorker>,
  secrets: DeploySecrets,
): Drain {
  const seconds = Number(drain)
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > 3_600)
    throw new Stop('--drain must be a number of seconds between 0 and 3600')
  const queue = components.find(({ name }) => name === 'queue')
  const authorization = queue && rootHeaderOf(secretsOf(secrets, queue))
  return async (state, save, work) => {
    const address = url ?? state.url
    if (!deployed.has('queue') || seconds === 0) return work()
    if (!address || !authorization) {
      say(
        'queue: not drained, since its address or AUTH_TOKENS is unknown: pass --url. Running requests are interrupted',
      )
      return work()
    }
    const keep = (paused: string[]) => {
      state.paused = paused
      save()
    }
    const settings = { queue: { url: address, authorization }, timeoutMs: seconds * 1_000, paused: state.paused }
    await whileDrained({ ...settings, save: keep, say }, work)
  }
}

function nameOf({ name }: WorkerProject) {
  return name
}

async function prepareSite(components: WorkerProject[]) {
  if (components.some(({ config }) => config.assets?.directory === siteFolder)) await placeSite()
}

/**
 * The names of the Workers that a component may bind: those of this deployment, and those that the account already has.
 * Other bindings are left out.
 */
async function findPresent(components: WorkerProject[], all: WorkerProject[], wrangler: Wrangler): Promise<string[]> {
  const found = await readAllDeployed(boundElsewhere(components, all), wrangler)
  return [...components.map(nameOf), ...found.keys()]
}

function readSecrets(named: string | undefined, components: WorkerProject[]): DeploySecrets {
  const file = named ?? join(root, folder, 'secrets.env')
  if (!existsSync(file)) {
    if (named === undefined) return noSecrets
    throw new Stop(`The secrets file ${file} does not exist`)
  }
  return parseSecrets(
    readFileSync(file, 'utf8'),
    components.map(({ name }) => name),
  )
}
