// The form to crop an image, on the page of the image.
import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Section } from '../../parts/page.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

export type Image = Reply<'media', 'get', '/image/{digest}/info'>

interface CropBox {
  x: number
  y: number
  w: number
  h: number
}

const labels = { x: 'Left', y: 'Top', w: 'Crop width', h: 'Crop height' } as const

/** Form that crops an image. The user enters the box as numbers, or draws it over the image. */
export function Crop({ image: { digest, width, height } }: { image: Image }) {
  const [box, setBox] = useState<CropBox>({ x: 0, y: 0, w: width, h: height })
  const crop = useAction(() => q().media.post('/image/{digest}/crop', { digest, ...box }), {
    done: 'Image cropped. This page shows the new image.',
    after: (made) => go(['media', 'image', made.digest]),
  })
  const maxima = { x: width - 1, y: height - 1, w: width - box.x, h: height - box.y }
  return (
    <Section title="Crop">
      <p class="quiet">Enter the box in pixels of the original, or draw it over the image. Creates a new image.</p>
      <form
        class="fields inline"
        onSubmit={(event) => {
          event.preventDefault()
          void crop.run()
        }}
      >
        {(['x', 'y', 'w', 'h'] as const).map((side) => (
          <div key={side} class="field">
            <label for={`crop-${side}`}>{labels[side]}</label>
            <input
              id={`crop-${side}`}
              type="number"
              required
              min={side === 'x' || side === 'y' ? 0 : 1}
              max={maxima[side]}
              value={box[side]}
              onInput={({ currentTarget: { valueAsNumber } }) =>
                setBox({ ...box, [side]: Number.isNaN(valueAsNumber) ? 0 : valueAsNumber })
              }
            />
          </div>
        ))}
        <button type="submit" class="main" disabled={crop.isBusy} aria-busy={crop.isBusy}>
          Crop
        </button>
      </form>
      <CropArea {...{ digest, width, height, box }} onDraw={setBox} />
    </Section>
  )
}

interface CropAreaProps {
  digest: string
  width: number
  height: number
  box: CropBox
  onDraw: (box: CropBox) => void
}

/** The image on which the user draws the box. The part outside of the box is darkened. */
function CropArea({ digest, width, height, box, onDraw }: CropAreaProps) {
  const [from, setFrom] = useState<[number, number]>()
  const pointOf = ({ currentTarget, clientX, clientY }: preact.TargetedPointerEvent<HTMLElement>): [number, number] => {
    const { left, top, width: w, height: h } = currentTarget.getBoundingClientRect()
    return [clamped(((clientX - left) / w) * width, width), clamped(((clientY - top) / h) * height, height)]
  }
  const percent = (part: number, total: number) => `${(100 * part) / total}%`
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
      <img src={q().media.url('/image/{digest}', { digest, w: 640 })} alt="Area to crop" draggable={false} />
      <span
        style={{
          left: percent(box.x, width),
          top: percent(box.y, height),
          width: percent(box.w, width),
          height: percent(box.h, height),
        }}
      />
    </div>
  )
}

const clamped = (value: number, max: number) => Math.round(Math.min(max, Math.max(0, value)))
