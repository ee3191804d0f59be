// The content of an image's page.
import { useState } from 'preact/hooks'
import type { Params } from '#client/index'
import { Button } from '../../parts/bits.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Section } from '../../parts/page.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useSettled } from '../../use.ts'
import { Crop, type Image } from './crop.tsx'

type Size = Omit<Params<'media', 'get', '/image/{digest}'>, 'digest'>

/** Shows an image in a chosen size, with the forms to rotate and crop it. */
export function ImageDetails({ image }: { image: Image }) {
  return (
    <>
      <Sizes image={image} />
      <Rotate digest={image.digest} />
      <Crop image={image} />
    </>
  )
}

const presets: Record<string, Size> = {
  Large: { w: 1280 },
  Medium: { w: 640 },
  Small: { w: 200 },
  Square: { w: 200, h: 200, m: 'c' },
}

const formats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const

function Sizes({ image: { digest, name } }: { image: Image }) {
  const [size, setSize] = useState<Size>(presets.Medium!)
  const [pixels, setPixels] = useState('')
  const settledSize = useSettled(size)
  const src = q().media.url('/image/{digest}', { digest, ...settledSize })
  const number = (side: 'w' | 'h', label: string) => (
    <label>
      {label}{' '}
      <input
        type="number"
        min={1}
        value={size[side] ?? ''}
        onInput={({ currentTarget: { value } }) => setSize({ ...size, [side]: value ? Number(value) : undefined })}
      />
    </label>
  )
  return (
    <Section title="Sizes">
      <div class="actions sizes">
        {Object.entries(presets).map(([title, preset]) => (
          <Button key={title} onClick={() => setSize({ ...preset, f: size.f })}>
            {title}
          </Button>
        ))}
        {number('w', 'Width')}
        {number('h', 'Height')}
        <label>
          Fit{' '}
          <select
            value={size.m ?? 'r'}
            onChange={({ currentTarget: { value } }) => setSize({ ...size, m: value === 'c' ? 'c' : 'r' })}
          >
            <option value="r">fit the whole image inside</option>
            <option value="c">fill, and crop the rest</option>
          </select>
        </label>
        <label>
          Format{' '}
          <select
            value={size.f ?? ''}
            onChange={({ currentTarget: { value } }) =>
              setSize({ ...size, f: formats.find((format) => format === value) })
            }
          >
            <option value="">best that the browser supports</option>
            {formats.map((format) => (
              <option key={format} value={format}>
                {format}
              </option>
            ))}
          </select>
        </label>
      </div>
      <img
        class="stage"
        src={src}
        alt={name}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setPixels(`${naturalWidth} × ${naturalHeight} pixels`)
        }
        onError={() => setPixels('The image cannot be rendered in this size')}
      />
      <p class="actions">
        <span role="status">{pixels}</span>
        <CopyButton text={src} label="the URL of this size" />
        <a href={src}>Open</a>
      </p>
    </Section>
  )
}

function Rotate({ digest }: { digest: string }) {
  const rotate = useAction((d: number) => q().media.post('/image/{digest}/rotate', { digest, d }), {
    done: 'Image rotated. This page shows the new image.',
    after: (made) => go(['media', 'image', made.digest]),
  })
  return (
    <Section title="Rotate">
      <p class="quiet">Creates a new image. This one does not change.</p>
      <div class="actions">
        {[90, 180, 270].map((degrees) => (
          <Button key={degrees} isBusy={rotate.isBusy} onClick={() => rotate.run(degrees)}>
            {degrees}° clockwise
          </Button>
        ))}
      </div>
    </Section>
  )
}
