// Tests deployments of Workers with containers, with a fake Docker.
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { accountId } from './account.ts'
import { prepare } from './prepare.ts'
import { container, worker } from './project.ts'

const image = `registry.cloudflare.com/${accountId}/box-box@sha256:${'0'.repeat(64)}`

/** A fake Docker: reads its input, and replies to wrangler as if it had built and pushed an image. */
const docker = `#!/bin/sh
cat > /dev/null
echo "$*" >> docker.log
case "$*" in
  *inspect\\ registry*RepoDigests*) echo '["${image}"]' ;;
  *RepoDigests*) echo '[]' ;;
  *.Size*) echo '1000 1' ;;
esac
`

/** Alpha binds the container's Worker. In the order of names, alpha would be deployed first, which must not happen. */
const files = {
  ...container,
  'workers/alpha/wrangler.toml': worker('alpha', '[[services]]\nbinding = "BOX"\nservice = "box"\n'),
  'workers/alpha/index.ts':
    'export interface Env {\n  OPEN?: string\n}\nexport default { fetch: () => new Response("alpha") }',
}

/** Environment without Docker, wherever the test runs. */
const without = { WRANGLER_DOCKER_BIN: '/no/docker' }

describe.concurrent('npm run deploy, of containers', { timeout: 900_000 }, () => {
  test('builds the image with Docker, and deploys the container before the components that bind it', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context)
    project.write({ ...files, docker })
    const program = join(project.root, 'docker')
    chmodSync(program, 0o755)
    for (const _ of ['once', 'again']) {
      const { output, lines } = await project.deploy([], { WRANGLER_DOCKER_BIN: program })
      const deployed = lines.flatMap((line) => /^(\w+): deployed/.exec(line)?.[1] ?? [])
      expect(deployed, output).toEqual(['box', 'alpha', 'beta', 'gateway'])
    }
    expect(cloudflare.unexpectedRequests).toEqual([])
    expect(cloudflare.applications).toMatchObject([{ name: 'box-box', configuration: { image } }])
    expect(bindings('alpha').BOX).toEqual({ type: 'service', service: 'box' })
    const log = readFileSync(join(project.root, 'docker.log'), 'utf8')
    expect(log).toMatch(new RegExp(`^build .* ${project.root}/containers/box$`, 'm'))
  })

  test('uses an image of a registry without Docker', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    project.write(files)
    const { code } = await project.deploy([], { ...without, BOX_IMAGE: 'docker.io/somebody/box:1' })
    expect(code).toBe(0)
    expect(cloudflare.unexpectedRequests).toEqual([])
    expect(cloudflare.applications).toMatchObject([{ configuration: { image: 'docker.io/somebody/box:1' } }])
  })

  test('reports that Docker does not run before any change', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    project.write(files)
    const { code, lines } = await project.deploy([], without)
    expect(code).toBe(1)
    expect(lines).toEqual([
      'Docker builds the image of box, and does not run here: start it, set BOX_IMAGE to an image in a registry, or deploy --without-containers',
    ])
    expect(cloudflare.calls).toEqual([])
  })

  test('needs no Docker for other components', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    project.write(files)
    expect((await project.deploy(['beta'], without)).code).toBe(0)
    expect([...cloudflare.scripts.keys()]).toEqual(['beta', 'gateway'])
  })

  test('leaves out containers and their bindings with --without-containers', async (context) => {
    const { expect } = context
    const { cloudflare, project, bindings } = await prepare(context, 'OPEN=true\nbox.KEY=of-the-box')
    project.write(files)
    const { code } = await project.deploy(['--without-containers'], without)
    expect(code).toBe(0)
    expect([...cloudflare.scripts.keys()]).toEqual(['alpha', 'beta', 'gateway'])
    expect(Object.keys(bindings('alpha')).sort()).toEqual(['DEPLOYED_NAMES', 'OPEN'])
    expect(cloudflare.unexpectedRequests).toEqual([])
  })
})
