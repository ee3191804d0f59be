// Hook that reports new and deleted requests of the catcher from its event stream, so that the page reloads its list.
import { useEffect } from 'preact/hooks'
import { q } from '../../session.ts'

/** Events within this time cause one reload. */
const debounceMs = 300

/** Follows the stream of a space. Calls `changed` after requests were caught or deleted. */
export function useCaptureEvents(space: string, changed: () => void) {
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
        }, debounceMs)
      }
    }
    // The list of requests shows errors, since it calls the same component.
    follow().catch(() => undefined)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [space, changed])
}
