// Tests that the colours of renditions equal those of libvips, for images with and without a colour profile.
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { containerOf } from '#media/container'
import { containerEngine } from '#media/engines/container-engine'
import type { Engine } from '#media/engines/engine'
import { workerEngine } from '#media/engines/worker-engine'
import { planCrop, planRotation, planThumbnail } from '#media/render-plan'
import { runs } from '../support/tier.ts'
import { byLibvips, picture, rendered, sourceOf } from './pictures.ts'
import { bombOf, matrixProfile, withProfile } from './profiles.ts'

const { url, token } = inject('mediaContainer')
const service = containerOf({ MEDIA_CONTAINER_URL: url, MEDIA_CONTAINER_TOKEN: token })!

const engines: { name: string; engine: Engine }[] = [
  { name: 'the Worker', engine: workerEngine },
  { name: 'the container', engine: containerEngine(service) },
]

/** Returns a test image, with a colour profile that sharp includes, or with one of `profiles`. */
async function tagged(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const [subject, kind, profile] = path.split('/')
  const file = await picture(`${subject}/${kind}`, 120, 80)
  return profile ? withProfile(file, profiles[profile as keyof typeof profiles]) : file
}

const profiles = {
  adobe: matrixProfile('RGB ', 2.2),
  linear: matrixProfile('RGB ', 1),
  grey: matrixProfile('GRAY', 1.4),
}

const subjects = [
  ...['corners/jpeg-p3', 'corners/png-p3', 'corners/webp-p3', 'photo/jpeg-p3', 'photo/png-p3'],
  ...['corners/jpeg-cmyk-profile', 'corners/jpeg-cmyk-profile-progressive', 'photo/jpeg-cmyk-profile'],
  ...['photo/jpeg/adobe', 'photo/png/adobe', 'photo/webp/adobe', 'ramp/jpeg/linear', 'mist/png/adobe'],
  ...['photo/jpeg-grey/grey', 'photo/png-grey/grey', 'photo/png-palette/adobe', 'photo/png-16/adobe'],
]

describe.each(engines)('colours of $name', ({ engine }) => {
  it.each(subjects)('of %s equal those of libvips', async (path) => {
    const file = await tagged(path)
    const source = sourceOf(file)
    const ours = await rendered(engine, source, planThumbnail(source.header, { m: 'r' }, 4096, 'png'))
    const { mean, most } = differences(await byLibvips('pixels', ours), await byLibvips('pixels', file))
    expect(mean).toBeLessThan(1)
    expect(most).toBeLessThan(8)
  })

  it.each(['photo/jpeg-p3', 'photo/png/adobe', 'photo/webp-p3', 'photo/jpeg-cmyk-profile'])(
    'of %s stay in a crop and a rotation',
    async (path) => {
      const file = await tagged(path)
      const source = sourceOf(file)
      const truth = await byLibvips('pixels', file)
      const cropped = await rendered(engine, source, planCrop(source.header, { x: 0, y: 0, width: 120, height: 40 }))
      expect(differences(await byLibvips('pixels', cropped), truth.subarray(0, 120 * 40 * 4)).mean).toBeLessThan(2)
      const turned = await byLibvips('pixels', await rendered(engine, source, planRotation(source.header, 180)))
      expect(differences(backwards(turned), truth).mean).toBeLessThan(2)
    },
  )

  it.each(['photo/png', 'photo/jpeg', 'photo/webp'])('of a %s with a broken profile are unchanged', async (path) => {
    const file = await picture(path, 120, 80)
    const plain = sourceOf(file)
    const plan = planThumbnail(plain.header, { w: 60, m: 'r' }, 4096, 'png')
    const expected = await byLibvips('pixels', await rendered(engine, plain, plan))
    for (const [name, profile] of Object.entries(broken)) {
      const ours = await byLibvips('pixels', await rendered(engine, sourceOf(withProfile(file, profile)), plan))
      expect([name, differences(ours, expected).most]).toEqual([name, expect.closeTo(0, 0)])
    }
  })
})

const whole = matrixProfile('RGB ', 2.2)
const changed = (change: (view: DataView) => void) => {
  const copy = whole.slice()
  change(new DataView(copy.buffer))
  return copy
}

const broken = {
  'of no bytes': new Uint8Array(),
  'of zeros': new Uint8Array(500),
  'that is cut off': whole.subarray(0, 180),
  'for grey': profiles.grey,
  'with a million tags': changed((view) => view.setUint32(128, 1_000_000)),
  'whose tags lie outside': changed((view) => view.setUint32(136, 0xfffffff0)),
  'whose tags lie in its list of tags': changed((view) => {
    for (let tag = 0; tag < 6; tag++) view.setUint32(136 + tag * 12, 128)
  }),
  'for links between devices': changed((view) => view.setUint32(12, 0x6c696e6b)),
}

it('does not inflate a profile of a gigabyte', async () => {
  const file = await bombOf(await picture('photo/png', 120, 80))
  const source = sourceOf(file)
  await workerEngine.check(source)
  const plan = planThumbnail(source.header, { w: 60, m: 'r' }, 4096, 'png')
  const plain = await rendered(workerEngine, sourceOf(await picture('photo/png', 120, 80)), plan)
  expect(await rendered(workerEngine, source, plan)).toEqual(plain)
})

it.each(['jpeg-cmyk-profile', 'jpeg-p3', 'png-p3', 'webp-p3'])('converts a damaged %s, or refuses it', async (kind) => {
  const file = await picture(`corners/${kind}`, 120, 80)
  const { header } = sourceOf(file)
  const plan = planThumbnail(header, { w: 20, m: 'r' }, 4096, 'jpeg')
  const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 20 }), async (changes) => {
      const copy = file.slice()
      for (const [at, byte] of changes) copy[at] = byte
      const made = await workerEngine.render(sourceOf(copy, header), plan).catch((error) => error)
      if (!(made instanceof Uint8Array)) expect(made).toMatchObject({ name: 'Failure', code: 'validation_failed' })
    }),
    { numRuns: runs(100) },
  )
})

/** Rotates the pixels of an image by 180 degrees. */
function backwards(pixels: Uint8Array): Uint8Array {
  const turned = new Uint8Array(pixels.length)
  for (let at = 0; at < pixels.length; at += 4) turned.set(pixels.subarray(at, at + 4), pixels.length - 4 - at)
  return turned
}

/** Returns the mean and the largest CIEDE2000 difference between the pixels of two images. A difference of 1 is just visible. */
function differences(one: Uint8Array, other: Uint8Array) {
  expect(one.length).toBe(other.length)
  let [sum, most] = [0, 0]
  for (let at = 0; at < one.length; at += 4) {
    const difference = ciede2000(labOf(one.subarray(at)), labOf(other.subarray(at)))
    sum += difference
    most = Math.max(most, difference)
  }
  return { mean: sum / (one.length / 4), most }
}

type Lab = [lightness: number, a: number, b: number]

/** Converts an sRGB pixel to CIELAB. Transparent pixels are placed on black. */
function labOf([red, green, blue, alpha]: Uint8Array): Lab {
  const [r, g, b] = [red!, green!, blue!].map((byte) => {
    const value = (byte / 255) * (alpha! / 255)
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Lab
  const x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = curve(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = curve((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const curve = (value: number) => (value > 216 / 24389 ? Math.cbrt(value) : (value * (24389 / 27) + 16) / 116)

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The colour difference CIEDE2000 (Sharma, Wu and Dalal: The CIEDE2000 color-difference formula). */
function ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7
  const g = 0.5 * (1 - Math.sqrt(mean7 / (mean7 + 25 ** 7)))
  const [c1, c2] = [Math.hypot((1 + g) * a1, b1), Math.hypot((1 + g) * a2, b2)]
  const [h1, h2] = [hueOf(b1, (1 + g) * a1), hueOf(b2, (1 + g) * a2)]
  const isGrey = c1 * c2 === 0
  const turn = isGrey ? 0 : ((h2 - h1 + 540) % 360) - 180
  const sumOfHues = h1 + h2
  const hue = isGrey
    ? sumOfHues
    : Math.abs(h1 - h2) <= 180
      ? sumOfHues / 2
      : (sumOfHues + (sumOfHues < 360 ? 360 : -360)) / 2
  const [light, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const t =
    1 -
    0.17 * Math.cos(radians(hue - 30)) +
    0.24 * Math.cos(radians(2 * hue)) +
    0.32 * Math.cos(radians(3 * hue + 6)) -
    0.2 * Math.cos(radians(4 * hue - 63))
  const deltaL = (l2 - l1) / (1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2))
  const deltaC = (c2 - c1) / (1 + 0.045 * chroma)
  const deltaH = (2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))) / (1 + 0.015 * chroma * t)
  const rotation =
    -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((hue - 275) / 25) ** 2))))
  return Math.sqrt(deltaL ** 2 + deltaC ** 2 + deltaH ** 2 + rotation * deltaC * deltaH)
}

const hueOf = (b: number, a: number) => (a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360)
