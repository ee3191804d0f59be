// Notices about the results of actions, such as "Copied.", at the edge of the page. Also the text of an error.
import { useEffect, useState } from 'preact/hooks'

interface Notice {
  id: number
  text: string
  kind: 'done' | 'error'
}

const noticeMs = 6_000
let notices: Notice[] = []
let last = 0
let render = () => {}

/** Shows a notice for some seconds. Screen readers read it aloud. */
export function notify(text: string, kind: Notice['kind'] = 'done') {
  const notice = { id: ++last, text, kind }
  notices = [...notices.slice(-2), notice]
  render()
  setTimeout(() => forget(notice.id), kind === 'error' ? 2 * noticeMs : noticeMs)
}

function forget(id: number) {
  notices = notices.filter((notice) => notice.id !== id)
  render()
}

/** The area of the page in which the notices appear. `App` renders it once. */
export function Notices() {
  const [, again] = useState(0)
  useEffect(() => {
    render = () => again((before) => before + 1)
    return () => {
      render = () => {}
    }
  }, [])
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ id, text, kind }) => (
        <p key={id} class={kind}>
          <span>{text}</span>
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => forget(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  )
}

/** The message of an error, for the user. */
export function say(error: unknown): string {
  return error instanceof Error ? error.message : 'An unexpected error occurred.'
}
