// Root component of the console. Checks whether the user has access, then shows the page that the URL names, or the sign-in
// form.
import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { groups, pageOf } from './pages.tsx'
import { Button } from './parts/bits.tsx'
import { Notices, say } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { hrefOf, useRoute } from './route.ts'
import { hasSession, isUnauthorized, onSession, q, signOut } from './session.ts'
import { SignIn } from './sign-in.tsx'

/** Whether the user has access: not known yet (`asked`), yes (`given`), or only after signing in (`refused`). */
type Access = 'asked' | 'given' | 'refused'

/** The console: the navigation, and the page in the URL. */
export function App() {
  const { path, query } = useRoute()
  const [access, setAccess] = useState<Access>('asked')
  const [session, setSession] = useState(0)
  useEffect(() => onSession(() => setSession((before) => before + 1)), [])
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // A cheap request that shows whether the API accepts the credentials. All components accept the same ones, except those
    // with their own accounts.
    q()
      .queue.get('/tasks', { worker: 'default', limit: 1 }, { signal })
      .then(
        () => setAccess('given'),
        (error) => !signal.aborted && setAccess(isUnauthorized(error) ? 'refused' : 'given'),
      )
    return () => controller.abort()
  }, [session])

  const [name = '', ...rest] = path
  const listed = pageOf(name)
  const CurrentPage = listed?.page
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the page
      </button>
      <Navigation current={name} isSignedIn={hasSession()} />
      <main id="main" tabIndex={-1} key={session}>
        {access === 'refused' && <SignIn />}
        {access === 'given' && CurrentPage && (
          <Boundary key={name}>
            <CurrentPage path={rest} query={query} />
          </Boundary>
        )}
        {access === 'given' && !CurrentPage && (
          <Page title="Page not found">
            <p>
              The console has no page at this address. <a href="#/">Overview</a>
            </p>
          </Page>
        )}
      </main>
      <Notices />
    </>
  )
}

/** Error boundary: if a page throws, shows the error in place of the page and keeps the navigation. */
function Boundary({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return (
    <Page title="This page failed">
      <div class="failure" role="alert">
        <p>{say(error)}</p>
        <Button onClick={reset}>Try again</Button>
      </div>
    </Page>
  )
}

function Navigation({ current, isSignedIn }: { current: string; isSignedIn: boolean }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [current])
  return (
    <header class="top">
      <div class="brand">
        <a href="#/">Quartermaster</a>
        <button
          type="button"
          class="menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen((before) => !before)}
        >
          Menu
        </button>
      </div>
      <nav id="navigation" aria-label="Pages" class={isOpen ? 'open' : undefined}>
        {groups.map(({ title, pages }) => (
          <div key={title}>
            <h2>{title}</h2>
            <ul>
              {pages.map((page) => (
                <li key={page.name}>
                  <a href={hrefOf([page.name])} aria-current={page.name === current ? 'page' : undefined}>
                    {page.title}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div>
          <h2>More</h2>
          <ul>
            <li>
              <a href="/docs/">Guide</a>
            </li>
            <li>
              <a href="/_docs">API</a>
            </li>
            <li>
              <Theme />
            </li>
            {isSignedIn && (
              <li>
                <Button kind="plain" onClick={signOut}>
                  Sign out
                </Button>
              </li>
            )}
          </ul>
        </div>
      </nav>
    </header>
  )
}

const schemes = { auto: 'light dark', light: 'light', dark: 'dark' }
type Scheme = keyof typeof schemes

const isScheme = (text: string | null): text is Scheme => text !== null && text in schemes

function Theme() {
  const stored = localStorage.getItem('theme')
  const [scheme, setScheme] = useState<Scheme>(isScheme(stored) ? stored : 'auto')
  useEffect(() => {
    document.documentElement.style.colorScheme = schemes[scheme]
    localStorage.setItem('theme', scheme)
  }, [scheme])
  return (
    <label class="theme">
      Theme{' '}
      <select
        value={scheme}
        onChange={({ currentTarget }) => isScheme(currentTarget.value) && setScheme(currentTarget.value)}
      >
        <option value="auto">system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  )
}
