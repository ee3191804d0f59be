import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Section } from '../../parts/page.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

export type Image = Reply<'media', 'get', '/image/{digest}/info'>

interface Cut {
  x: number
  y: number
  w: number
  h: number
}

const names = { x: 'From the left', y: 'From the top', w: 'Width of the cut', h: 'Height of the cut' } as const

/** Cuts a part out, which is given in numbers or drawn over the picture. */
export function Crop({ image: { digest, width, height } }: { image: Image }) {
  const [cut, setCut] = useState<Cut>({ x: 0, y: 0, w: width, h: height })
  const crop = useAction(() => q().media.post('/image/{digest}/crop', { digest, ...cut }), {
    done: 'This is the cut image, an item of its own.',
    after: (made) => go(['media', 'image', made.digest]),
  })
  const most = { x: width - 1, y: height - 1, w: width - cut.x, h: height - cut.y }
  return (
    <Section title="Cut">
      <p class="quiet">In pixels of the picture as it was uploaded, or drawn over it. Makes a new image.</p>
      <form
        class="fields inline"
        onSubmit={(event) => {
          event.preventDefault()
          void crop.run()
        }}
      >
        {(['x', 'y', 'w', 'h'] as const).map((side) => (
          <div key={side} class="field">
            <label for={`cut-${side}`}>{names[side]}</label>
            <input
              id={`cut-${side}`}
              type="number"
              required
              min={side === 'x' || side === 'y' ? 0 : 1}
              max={most[side]}
              value={cut[side]}
              onInput={({ currentTarget: { valueAsNumber } }) =>
                setCut({ ...cut, [side]: Number.isNaN(valueAsNumber) ? 0 : valueAsNumber })
              }
            />
          </div>
        ))}
        <button type="submit" class="main" disabled={crop.isBusy} aria-busy={crop.isBusy}>
          Cut it
        </button>
      </form>
      <Drawn {...{ digest, width, height, cut }} onDraw={setCut} />
    </Section>
  )
}

interface DrawnProps {
  digest: string
  width: number
  height: number
  cut: Cut
  onDraw: (cut: Cut) => void
}

/** The picture with all dark that is cut off. */
function Drawn({ digest, width, height, cut, onDraw }: DrawnProps) {
  const [from, setFrom] = useState<[number, number]>()
  const pointOf = ({ currentTarget, clientX, clientY }: preact.TargetedPointerEvent<HTMLElement>): [number, number] => {
    const { left, top, width: w, height: h } = currentTarget.getBoundingClientRect()
    return [within(((clientX - left) / w) * width, width), within(((clientY - top) / h) * height, height)]
  }
  const share = (part: number, whole: number) => `${(100 * part) / whole}%`
  return (
    <div
      class="crop"
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setFrom(pointOf(event))
      }}
      onPointerMove={(event) => {
        if (!from) return
        const to = pointOf(event)
        const [x, y] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])]
        onDraw({ x, y, w: Math.max(1, Math.abs(from[0] - to[0])), h: Math.max(1, Math.abs(from[1] - to[1])) })
      }}
      onPointerUp={() => setFrom(undefined)}
      onPointerCancel={() => setFrom(undefined)}
    >
      <img src={q().media.url('/image/{digest}', { digest, w: 640 })} alt="What is cut" draggable={false} />
      <span
        style={{
          left: share(cut.x, width),
          top: share(cut.y, height),
          width: share(cut.w, width),
          height: share(cut.h, height),
        }}
      />
    </div>
  )
}

const within = (value: number, most: number) => Math.round(Math.min(most, Math.max(0, value)))
