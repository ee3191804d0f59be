import { useEffect, useRef, useState } from 'preact/hooks'
import { notify, say } from '../../parts/notice.tsx'
import { q } from '../../session.ts'

interface LiveProps {
  collection: string
  recipient: string
  onEvent: () => void
}

/** A switch: while it is on, what happens to a recipient's records is told as it happens. */
export function Live({ collection, recipient, onEvent }: LiveProps) {
  const [isOn, setOn] = useState(false)
  const [last, setLast] = useState('')
  const told = useRef(onEvent)
  told.current = onEvent
  useEffect(() => {
    if (!isOn) return setLast('')
    const controller = new AbortController()
    const { signal } = controller
    setLast('Listening.')
    const follow = async () => {
      for await (const { event, data } of q().feed.events('/stream', { collection, recipient }, { signal })) {
        setLast(`${new Date().toLocaleTimeString()}: ${toldOf(event, data)}`)
        told.current()
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

function toldOf(event: string, data: unknown): string {
  const { title, id, is_read, until } = (data ?? {}) as {
    title?: string
    id?: number
    is_read?: boolean
    until?: number
  }
  if (event === 'record') return `a new record, ${title ?? id}.`
  if (event === 'read') return until === undefined ? `${id} is ${is_read ? 'read' : 'unread'}.` : 'all are read.'
  if (event === 'updated') return `record ${title ?? id} has changed.`
  if (event === 'deleted') return `record ${id} is gone.`
  if (event === 'reset') return 'many records have changed.'
  return `${event}.`
}
