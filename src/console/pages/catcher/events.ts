// Hook that reports new, answered and deleted requests of the catcher from its event stream, so that the page reloads its list.
import { useEffect } from 'preact/hooks'
import { q } from '../../session.ts'

/** Events within this time cause only one reload of the list, since a load test may send hundreds of requests a second. */
const debounceMs = 300

/** Follows the stream of a space. Calls `changed` after requests were caught, answered by another server, or deleted. */
export function useCaptureEvents(space: string, changed: () => void) {
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = async () => {
      for await (const { event } of q().catcher.events('/_requests_/stream', space ? { space } : {}, { signal })) {
        if (!['request', 'response', 'cleared'].includes(event)) continue
        timer ??= setTimeout(() => {
          timer = undefined
          changed()
        }, debounceMs)
      }
    }
    // Errors of the stream are not shown: the list of requests on the page calls the same component and shows them.
    follow().catch(() => undefined)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [space, changed])
}
