const width = 120
const height = 24

/** A small line chart without axes. The largest value is at the top. */
export function Sparkline({ values, label }: { values: number[]; label: string }) {
  const top = Math.max(...values, 0.001)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, i) => `${(i * step).toFixed(1)},${(height - 1 - (value / top) * (height - 2)).toFixed(1)}`,
  )
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
      <polyline points={points.join(' ')} />
    </svg>
  )
}
