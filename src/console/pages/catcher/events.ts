import { useEffect } from 'preact/hooks'
import { q } from '../../session.ts'

/** Milliseconds in which what comes together counts once. */
const together = 300

/** Follows a space: `changed` runs when something was caught or forgotten. */
export function useComing(space: string, changed: () => void) {
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = async () => {
      for await (const { event } of q().catcher.events('/_requests_/stream', space ? { space } : {}, { signal })) {
        if (event !== 'request' && event !== 'cleared') continue
        timer ??= setTimeout(() => {
          timer = undefined
          changed()
        }, together)
      }
    }
    // What is wrong is said where the requests are listed, by the same component.
    follow().catch(() => undefined)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [space, changed])
}
