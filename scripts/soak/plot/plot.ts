// The picture of a soak: latency, memory, and how much was done, over time.
import { escapeHtml } from '#core/template/html'
import { highest, quantiles, stretchesOf } from '../figures.ts'
import { processesIn } from '../judge.ts'
import type { Seen } from '../run.ts'
import { draw, type Panel, type PlotLine, size } from './panel.ts'
import { linear, logarithmic, round } from './scale.ts'

const stretches = 120
const gap = 14

/** An SVG that stands by itself, readable on light and on dark. */
export function plotOf(seen: Seen, title: string): string {
  const end = highest(
    [...seen.calls, ...seen.samples].map(({ at }) => at),
    1,
  )
  const panels = [latencyOf(seen), memoryOf(seen), rateOf(seen)]
  const height = panels.length * (size.height + gap)
  const drawn = panels.map((panel, i) => draw(panel, i * (size.height + gap), end))
  const description = `${panels.map((panel) => panel.title).join('; ')}. ${seen.calls.length} operations.`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeHtml(title)}</title>
<desc id="description">${escapeHtml(description)}</desc>
<style>${style}</style>
<rect class="ground" width="${size.width}" height="${height}"/>
${drawn.join('\n')}
</svg>
`
}

const spread = ({ calls }: Seen) => stretchesOf(calls, Math.max(1, Math.min(stretches, Math.floor(calls.length / 20))))

function latencyOf(seen: Seen): Panel {
  const line = (share: number): PlotLine => ({
    name: `p${share * 100}`,
    points: spread(seen).map(({ from, to, calls }) => [(from + to) / 2, quantiles(calls)(share)]),
  })
  const lines = [line(0.5), line(0.99)]
  const values = valuesOf(lines)
  const scale = logarithmic(
    -highest(
      values.map((value) => -value),
      Number.NEGATIVE_INFINITY,
    ),
    highest(values, 1),
  )
  return { title: 'Latency from when an operation was due, ms', lines, scale, label: String }
}

const megabyte = 1_024 * 1_024

function memoryOf({ samples }: Seen): Panel {
  const every = Math.ceil(samples.length / (2 * stretches))
  const some = samples.filter((_, i) => i % every === 0)
  const lines = processesIn(samples).map((process): PlotLine => {
    return { name: process, points: some.map(({ at, held }) => [at, (held[process]?.own ?? Number.NaN) / megabyte]) }
  })
  return { title: 'Private memory by process, MB', lines, ...even(lines) }
}

function rateOf(seen: Seen): Panel {
  const perSecond = (name: string, count: (calls: Seen['calls']) => number): PlotLine => ({
    name,
    points: spread(seen).map(({ from, to, calls }) => [(from + to) / 2, (1_000 * count(calls)) / (to - from)]),
  })
  const errors = (calls: Seen['calls']) => calls.filter(({ error }) => error).length
  const lines = [perSecond('operations', (calls) => calls.length), perSecond('errors', errors)]
  return { title: 'Operations and errors each second', lines, ...even(lines) }
}

const even = (lines: PlotLine[]) => ({
  scale: linear(highest(valuesOf(lines), 0.001)),
  label: (tick: number) => String(round(tick)),
})

const valuesOf = (lines: PlotLine[]) =>
  lines.flatMap(({ points }) => points.map(([, value]) => value)).filter((value) => !Number.isNaN(value))

const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.heading { font-weight: 600; }
.tick { fill: #59636e; }
.ground { fill: #ffffff; }
.grid { stroke: #d1d9e0; fill: none; }
.axis { stroke: #59636e; fill: none; }
.line { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.c0 { stroke: #0969da; } .c1 { stroke: #cf222e; } .c2 { stroke: #1a7f37; } .c3 { stroke: #9a6700; } .c4 { stroke: #8250df; } .c5 { stroke: #bc4c00; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .tick { fill: #9198a1; }
  .ground { fill: #0d1117; }
  .grid { stroke: #2f353d; }
  .axis { stroke: #9198a1; }
  .c0 { stroke: #4493f8; } .c1 { stroke: #f85149; } .c2 { stroke: #3fb950; } .c3 { stroke: #d29922; } .c4 { stroke: #ab7df8; } .c5 { stroke: #db6d28; }
}
`
