// Tests when the browser pool starts its first browser.
import { describe, expect, it } from 'vitest'
import { BrowserPool } from '../../../containers/chromium/browser/browser-pool.ts'

/** Makes a pool whose browsers never start, and counts the starts. */
function begun(warm: boolean) {
  let count = 0
  const install = () => {
    count++
    return new Promise<never>(() => {})
  }
  const rule = { allowPrivate: false, nameServers: [], ownPorts: new Set<number>() }
  const browsers = new BrowserPool(install, { rule, maxTraffic: 1 }, { warm, recycleAfter: 1, maxMemory: 1 })
  return { browsers, count: () => count }
}

describe('the first browser', () => {
  it('starts at once, and is used for the first document', async () => {
    const { browsers, count } = begun(true)
    expect(count()).toBe(1)
    await expect(browsers.ready(AbortSignal.timeout(1))).rejects.toThrow()
    expect(count()).toBe(1)
  })

  it('starts once with the first document if WARM is false', async () => {
    const { browsers, count } = begun(false)
    expect([browsers.current, count()]).toEqual([undefined, 0])
    const attempts = [1, 2].map(() => browsers.ready(AbortSignal.timeout(1)))
    expect(count()).toBe(1)
    for (const one of attempts) await expect(one).rejects.toThrow()
    expect(count()).toBe(1)
  })
})
