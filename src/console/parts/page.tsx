// Layout of a page of the console: its heading, its sections, and the loading and error states of its data.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { routeOf } from '../route.ts'
import { isUnauthorized } from '../session.ts'
import { guideOf } from '../titles.ts'
import type { Loaded } from '../use.ts'
import { say } from './notice.tsx'

interface PageProps {
  title: string
  /** A sentence about the content of the page. */
  about?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

/** False until the first page is shown. The first page does not take the focus, which is the browser's then. */
let isOpened = false

/** A page of the console. After navigation its heading gets the focus, so that keyboard users continue there. */
export function Page({ title, about, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // After navigation the element that had the focus, such as a link, may no longer exist.
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

/** A part of a page with a heading. */
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

/**
 * Renders loaded data with `children`. Before the data is loaded it shows "Loading…", and after an error the message with a
 * button to try again.
 */
export function LoadedContent<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
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
