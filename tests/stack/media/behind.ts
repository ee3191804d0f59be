// Starts the media component for tests, with a proxy between the Worker and its container, so that a test can kill the
// container, restart it, and stop requests on their way.
import { rm } from 'node:fs/promises'
import { type Containers, containerServers, startContainers } from '../../../scripts/stack/containers.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import type { Variables } from '../../../scripts/stack/variables.ts'
import { temporary } from '../stack.ts'
import { Passage } from './passage.ts'
import { startMedia } from './service.ts'

const token = 'the token of the tests'

export interface Behind {
  stack: Stack
  passage: Passage
  /** Starts the container, and lets the proxy pass requests to it. */
  begin(variables?: Variables): Promise<void>
  /** Ends the container for good, and makes the proxy break connections. */
  end(): Promise<void>
  /** The process id of the container's server. */
  pid(): number
  /** Calls the container directly, and returns the HTTP status: 404 if it has no job of that id. */
  jobStatus(digest: string, method?: string, job?: object): Promise<number>
  dispose(): Promise<void>
}

/** Starts the stack and the proxy, without the container. */
export async function startBehind(variables: Variables = {}): Promise<Behind> {
  const stateDir = temporary()
  const passage = await new Passage().listen()
  const to = { MEDIA_CONTAINER_URL: passage.url, MEDIA_CONTAINER_TOKEN: token }
  const stack = await startMedia({ stateDir, variables: { ...variables, ...to } })
  const servers = containerServers().filter(({ name }) => name === 'media')
  let containers: Containers | undefined

  async function end() {
    passage.to = undefined
    await containers?.dispose()
    containers = undefined
  }
  return {
    stack,
    passage,
    end,
    begin: async (own = {}) => {
      const options = { ...own, MEDIA_CONTAINER_TOKEN: token }
      containers = await startContainers({ servers, variables: options, stateDir, log: () => undefined })
      await containers.running.media!.up()
      passage.to = containers.running.media!.url
    },
    pid: () => containers!.running.media!.pid()!,
    jobStatus: async (digest, method = 'GET', job) => {
      const url = `${containers!.running.media!.url}/jobs/${digest}`
      const headers = { authorization: `Bearer ${token}` }
      const { status } = await fetch(url, { method, headers, ...(job && { body: JSON.stringify(job) }) })
      return status
    },
    dispose: async () => {
      await Promise.all([stack.dispose(), end()])
      passage.close()
      await rm(stateDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
