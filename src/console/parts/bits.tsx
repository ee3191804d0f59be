// Small components that all pages of the console use: state, button, progress, time, JSON and sizes.
import type { ComponentChildren } from 'preact'

const good = /^(up|ready|done|sent|delivered|finished|valid|on|200|201|success|active|completed|paid)$/
const bad = /^(down|failed|lost|invalid|expired|blacklisted|unknown|error)$/
const busy = /^(running|processing|started|queued|scheduled|waiting|held|partly sent)$/

/** The name of a state, in a colour that shows whether it is good, bad or in progress. */
export function State({ of }: { of: string }) {
  const kind = good.test(of) ? 'good' : bad.test(of) ? 'bad' : busy.test(of) ? 'busy' : ''
  return <span class={`state ${kind}`}>{of}</span>
}

interface ButtonProps {
  children: ComponentChildren
  onClick: () => unknown
  isBusy?: boolean
  isDisabled?: boolean
  kind?: 'main' | 'danger' | 'plain'
  /** Text for screen readers, if the button's own text is not clear without the rest of the page. */
  label?: string
}

/** A button. It is disabled while its action is running, so that the action is not run twice. */
export function Button({ children, onClick, isBusy = false, isDisabled = false, kind, label }: ButtonProps) {
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-busy={isBusy}
      disabled={isBusy || isDisabled}
      onClick={() => void onClick()}
    >
      {children}
    </button>
  )
}

/** Progress from 0 to 1, shown as a bar and in percent. */
export function Progress({ of, label }: { of: number; label: string }) {
  const percent = Math.floor(Math.min(1, Math.max(0, of)) * 100)
  return (
    <span class="progress">
      <progress max={100} value={percent} aria-label={label} />
      <span>{percent} %</span>
    </span>
  )
}

/** A UTC time of the API, shown in the browser's time zone. */
export function Time({ of }: { of: string | null | undefined }) {
  if (!of) return <>–</>
  const iso = of.includes('T') ? of : `${of.replace(' ', 'T')}Z`
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return <>{of}</>
  return (
    <time dateTime={iso} title={`${of} UTC`}>
      {date.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' })}
    </time>
  )
}

/** A value, shown as indented JSON. */
export function Json({ of, label }: { of: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users of a keyboard must be able to scroll
    <section class="json" aria-label={label} tabIndex={0}>
      <pre>{typeof of === 'string' ? of : JSON.stringify(of, null, 2)}</pre>
    </section>
  )
}

/** Formats a number of bytes with a unit, such as `1.5 MB`. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}
