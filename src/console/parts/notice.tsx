import { useEffect, useState } from 'preact/hooks'

interface Notice {
  id: number
  text: string
  kind: 'done' | 'error'
}

const shown = 6_000
let notices: Notice[] = []
let last = 0
let render = () => {}

/** Tells what came of an action, also to who listens to the page. */
export function notify(text: string, kind: Notice['kind'] = 'done') {
  const notice = { id: ++last, text, kind }
  notices = [...notices.slice(-2), notice]
  render()
  setTimeout(() => forget(notice.id), kind === 'error' ? 2 * shown : shown)
}

function forget(id: number) {
  notices = notices.filter((notice) => notice.id !== id)
  render()
}

/** Where notices appear. */
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

/** What an error says to a person. */
export function say(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong'
}
