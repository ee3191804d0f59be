// Tests how chaos runs kill the processes of a stack: all of them, only the runtime, or only a container.
import { existsSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { temporary } from '../stack.ts'

it.runIf(existsSync('/proc/self/stat'))(
  'kills only the given container, which replies again later',
  async ({ onTestFinished }) => {
    const stateDir = temporary()
    const victim = victimOf({ components: ['media'], port: await freePort(0), stateDir, variables: {} })
    onTestFinished(async () => {
      await victim.end()
      rmSync(stateDir, { recursive: true, maxRetries: 5 })
    })
    await victim.start()
    expect(await victim.killContainer('media')).toBe(true)
    expect(await victim.killContainer('media')).toBe(true)
    expect(await victim.killContainer('feed')).toBe(false)
    expect(await victim.killRuntime()).toBe(true)
    expect(victim.kills).toHaveLength(3)
  },
)
