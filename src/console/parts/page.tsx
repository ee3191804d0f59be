import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { routeOf } from '../route.ts'
import { isUnauthorized } from '../session.ts'
import { guideOf } from '../titles.ts'
import type { Loaded } from '../use.ts'
import { say } from './notice.tsx'

interface PageProps {
  title: string
  /** A sentence on what is seen here. */
  about?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

/** The page that was opened first leaves the focus to the browser. */
let isOpened = false

/** A page: its heading takes the focus when it is gone to, so that the keyboard goes on there. */
export function Page({ title, about, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The link that led here may be gone, and the focus with it.
  useEffect(() => {
    if (isOpened) heading.current?.focus()
    isOpened = true
  }, [])
  useEffect(() => {
    document.title = `${title} · Quartermaster`
    if (document.activeElement !== document.body) heading.current?.focus()
  }, [title])
  return (
    <>
      <header class="page">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about && (
            <p>
              {about}{' '}
              <a href={guideOf(routeOf(location.hash).path[0])} aria-label={`Guide to ${title}`}>
                Guide
              </a>
            </p>
          )}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** A part of a page under a heading of its own. */
export function Section({ title, actions, children }: Omit<PageProps, 'about'>) {
  return (
    <section>
      <header class="section">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** What was loaded, once it is there; until then that it is on its way, or what went wrong. */
export function Shown<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  const { data, error, reload } = of
  return (
    <>
      {error !== undefined && !isUnauthorized(error) && (
        <div class="failure" role="alert">
          <p>{say(error)}</p>
          <button type="button" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {data !== undefined ? children(data) : error === undefined && <p class="quiet">Loading…</p>}
    </>
  )
}
