// Draws the picture of a soak test: latency, memory and rate over time.
import { escapeHtml } from '#core/template/html'
import { processesIn } from '../faults.ts'
import { intervalsOf, maxOf, quantiles } from '../figures.ts'
import type { SoakResult } from '../run.ts'
import { draw, type Panel, type PlotLine, size } from './panel.ts'
import { linear, logarithmic, round } from './scale.ts'

const intervals = 120
const gap = 14

/** Returns a standalone SVG that is readable on light and on dark backgrounds. */
export function plotOf(result: SoakResult, title: string): string {
  const end = maxOf(
    [...result.calls, ...result.samples].map(({ at }) => at),
    1,
  )
  const panels = [latencyOf(result), memoryOf(result), rateOf(result)]
  const height = panels.length * (size.height + gap)
  const drawn = panels.map((panel, i) => draw(panel, i * (size.height + gap), end))
  const description = `${panels.map((panel) => panel.title).join('; ')}. ${result.calls.length} operations.`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeHtml(title)}</title>
<desc id="description">${escapeHtml(description)}</desc>
<style>${style}</style>
<rect class="ground" width="${size.width}" height="${height}"/>
${drawn.join('\n')}
</svg>
`
}

const spread = ({ calls }: SoakResult) =>
  intervalsOf(calls, Math.max(1, Math.min(intervals, Math.floor(calls.length / 20))))

function latencyOf(result: SoakResult): Panel {
  const line = (share: number): PlotLine => ({
    name: `p${share * 100}`,
    points: spread(result).map(({ from, to, calls }) => [(from + to) / 2, quantiles(calls)(share)]),
  })
  const lines = [line(0.5), line(0.99)]
  const values = valuesOf(lines)
  const scale = logarithmic(
    -maxOf(
      values.map((value) => -value),
      Number.NEGATIVE_INFINITY,
    ),
    maxOf(values, 1),
  )
  return { title: 'Latency from when an operation was due, ms', lines, scale, label: String }
}

const megabyte = 1_024 * 1_024

function memoryOf({ samples }: SoakResult): Panel {
  const every = Math.ceil(samples.length / (2 * intervals))
  const some = samples.filter((_, i) => i % every === 0)
  const lines = processesIn(samples).map((process): PlotLine => {
    return { name: process, points: some.map(({ at, held }) => [at, (held[process]?.own ?? Number.NaN) / megabyte]) }
  })
  return { title: 'Private memory by process, MB', lines, ...even(lines) }
}

function rateOf(result: SoakResult): Panel {
  const perSecond = (name: string, count: (calls: SoakResult['calls']) => number): PlotLine => ({
    name,
    points: spread(result).map(({ from, to, calls }) => [(from + to) / 2, (1_000 * count(calls)) / (to - from)]),
  })
  const errors = (calls: SoakResult['calls']) => calls.filter(({ error }) => error).length
  const lines = [perSecond('operations', (calls) => calls.length), perSecond('errors', errors)]
  return { title: 'Operations and errors each second', lines, ...even(lines) }
}

const even = (lines: PlotLine[]) => ({
  scale: linear(maxOf(valuesOf(lines), 0.001)),
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
