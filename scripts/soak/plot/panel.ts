// Draws one panel of a soak test's picture as SVG: lines over time, with axes and a legend.
import { escapeHtml } from '#core/template/html'
import { round, type Scale, timeline } from './scale.ts'

export interface PlotLine {
  name: string
  /** Points of the line: milliseconds from the start, and the value. NaN makes a gap. */
  points: [at: number, value: number][]
}

export interface Panel {
  title: string
  scale: Scale
  lines: PlotLine[]
  /** Returns the text of a tick of the axis. */
  label(tick: number): string
}

/** Sizes of a panel and its margins, in SVG units. */
export const size = { width: 960, height: 260, left: 70, right: 20, top: 46, bottom: 34 }

const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom }

/** Draws the panel at `top`, in SVG units, for a time span in milliseconds. */
export function draw({ title, scale, lines, label }: Panel, top: number, end: number): string {
  const time = timeline(end)
  const x = (at: number) => round(size.left + time.at(at) * inner.width)
  const y = (value: number) => round(size.top + (1 - Math.min(1, scale.at(value))) * inner.height)
  const right = size.width - size.right
  const bottom = size.height - size.bottom
  const rows = scale.ticks.map(
    (tick) => `<path class="grid" d="M${size.left} ${y(tick)}H${right}"/>
<text class="tick" x="${size.left - 8}" y="${y(tick) + 4}" text-anchor="end">${escapeHtml(label(tick))}</text>`,
  )
  const columns = time.ticks.map(
    (tick) => `<path class="axis" d="M${x(tick)} ${bottom}v5"/>
<text class="tick" x="${x(tick)}" y="${bottom + 19}" text-anchor="middle">${escapeHtml(time.label(tick))}</text>`,
  )
  const curves = lines.map(({ points }, i) => `<path class="line c${i}" d="${pathOf(points, x, y)}"/>`)
  return `<g transform="translate(0 ${top})">
<text class="heading" x="${size.left}" y="18">${escapeHtml(title)}</text>
${legend(lines)}
${rows.join('\n')}
<path class="axis" d="M${size.left} ${size.top}V${bottom}H${right}"/>
${columns.join('\n')}
${curves.join('\n')}
</g>`
}

/** Draws the legend: a mark and a name per line, side by side. */
function legend(lines: PlotLine[]): string {
  let left = size.left
  return lines
    .map(({ name }, i) => {
      const item = `<path class="line c${i}" d="M${left} 33h18"/><text class="tick" x="${left + 24}" y="37">${escapeHtml(name.trim())}</text>`
      left += 44 + name.trim().length * 6.5
      return item
    })
    .join('\n')
}

/** An SVG path with gaps where the value is NaN. */
function pathOf(points: PlotLine['points'], x: (at: number) => number, y: (value: number) => number): string {
  let isOn = false
  return points
    .map(([at, value]) => {
      if (Number.isNaN(value)) {
        isOn = false
        return ''
      }
      const step = `${isOn ? 'L' : 'M'}${x(at)} ${y(value)}`
      isOn = true
      return step
    })
    .join('')
}
