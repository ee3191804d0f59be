// The media service with a container that a test can reach, end and begin again, and a passage between the two.
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
  /** Starts the container, and opens the way to it. */
  begin(variables?: Variables): Promise<void>
  /** Ends the container for good, and closes the way to it. */
  end(): Promise<void>
  /** The container's process. */
  pid(): number
  /** How the container answers to who asks for a job, or begins or ends one: 404 where it has none of that name. */
  jobStatus(digest: string, method?: string, job?: object): Promise<number>
  dispose(): Promise<void>
}

/** Starts all of it, but for the container. */
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
