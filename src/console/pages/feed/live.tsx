import { useEffect, useRef, useState } from 'preact/hooks'
import { notify, say } from '../../parts/notice.tsx'
import { q } from '../../session.ts'

interface LiveProps {
  collection: string
  recipient: string
  onEvent: () => void
}

/** A switch that follows the event stream of a recipient. */
export function Live({ collection, recipient, onEvent }: LiveProps) {
  const [isOn, setOn] = useState(false)
  const [last, setLast] = useState('')
  const listener = useRef(onEvent)
  listener.current = onEvent
  useEffect(() => {
    if (!isOn) return setLast('')
    const controller = new AbortController()
    const { signal } = controller
    setLast('Connected.')
    const follow = async () => {
      for await (const { event, data } of q().feed.events('/stream', { collection, recipient }, { signal })) {
        setLast(`${new Date().toLocaleTimeString()}: ${textOf(event, data)}`)
        listener.current()
      }
    }
    follow().catch((error) => {
      if (signal.aborted) return
      notify(say(error), 'error')
      setOn(false)
    })
    return () => controller.abort()
  }, [isOn, collection, recipient])
  return (
    <p class="actions">
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          onChange={() => setOn((before) => !before)}
        />{' '}
        Live
      </label>
      <span role="status" class="quiet">
        {last}
      </span>
    </p>
  )
}

function textOf(event: string, data: unknown): string {
  const { title, id, is_read, until } = (data ?? {}) as {
    title?: string
    id?: number
    is_read?: boolean
    until?: number
  }
  if (event === 'record') return `new record: ${title ?? id}.`
  if (event === 'read')
    return until === undefined ? `record ${id} is ${is_read ? 'read' : 'unread'}.` : 'all records are read.'
  if (event === 'updated') return `record changed: ${title ?? id}.`
  if (event === 'deleted') return `record ${id} deleted.`
  if (event === 'reset') return 'many records changed.'
  return `${event}.`
}
