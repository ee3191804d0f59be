import { useEffect, useState } from 'preact/hooks'
import { type Reading, type Traffic, trafficOf } from '../metrics.ts'
import { State } from '../parts/bits.tsx'
import { LoadedContent, Page } from '../parts/page.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { lastMinute, readings, readMetrics } from '../readings.ts'
import { hrefOf } from '../route.ts'
import { healthOf, q } from '../session.ts'
import { pageTitled } from '../titles.ts'
import { useData } from '../use.ts'

/** Overview page: every component with its health and its traffic. */
export function Overview() {
  const components = useData((signal) => q().gateway.get('/', {}, { signal }), [])
  const traffic = useTraffic()
  return (
    <Page
      title="Overview"
      about="The health of every component and of its dependencies, and its traffic in the last minute."
    >
      <LoadedContent of={components}>
        {({ components: rows }) => (
          <ul class="cards">
            {rows.map(({ name }) => (
              <li key={name}>
                <Card name={name} traffic={traffic} />
              </li>
            ))}
          </ul>
        )}
      </LoadedContent>
    </Page>
  )
}

function Card({ name, traffic }: { name: string; traffic: Reading[] }) {
  const health = useData((signal) => healthOf(name, signal), [name], { every: 10_000 })
  const { data } = health
  const page = pageTitled(name)
  return (
    <article class="card" aria-label={name}>
      <header class="section">
        <h2>{page === undefined ? name : <a href={hrefOf([page])}>{name}</a>}</h2>
        <State of={data?.state ?? (health.error === undefined ? '…' : 'down')} />
      </header>
      <Figures component={name} readings={traffic} />
      {data?.dependencies && (
        <ul class="dependencies">
          {Object.entries(data.dependencies).map(([dependency, { state, latency_ms }]) => (
            <li key={dependency}>
              {dependency}: {state}, {latency_ms} ms
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

function Figures({ component, readings }: { component: string; readings: Reading[] }) {
  const ends = lastMinute(readings)
  if (!ends) return <p class="quiet">Counting…</p>
  const { rate, errors, p95 } = trafficOf(component, ...ends)
  return (
    <>
      <p class="rate">
        <b>{rate.toFixed(rate < 10 ? 1 : 0)}</b> requests a second
        {p95 !== undefined && <>, 95 % within {boundOf(p95)}</>}
        {errors > 0 && <span class="wrong">, {errors} failed</span>}
      </p>
      <Sparkline
        values={ratesOf(component, readings)}
        label={`Requests a second of ${component} over the last minutes`}
      />
    </>
  )
}

const boundOf = (ms: number) => (ms === Number.POSITIVE_INFINITY ? 'more than measured' : `${ms} ms`)

const ratesOf = (component: string, readings: Reading[]): Traffic['rate'][] =>
  readings.slice(1).map((reading, i) => trafficOf(component, readings[i]!, reading).rate)

const every = 5_000

/** Delay of the second reading: a rate needs two readings, so that it comes sooner than the later ones. */
const secondReadingMs = 1_000

/** The readings of the last minutes. The hook adds one every few seconds. */
function useTraffic(): Reading[] {
  const [seen, setSeen] = useState(readings())
  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const read = async () => {
      if (!document.hidden) await readMetrics(controller.signal).catch(() => undefined)
      if (controller.signal.aborted) return
      setSeen(readings())
      timer = setTimeout(read, readings().length < 2 ? secondReadingMs : every)
    }
    void read()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [])
  return seen
}
