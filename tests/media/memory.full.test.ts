// Measures the memory that decoders and encoders take for images, and compares it with the estimates.
import photonModule from '@cf-wasm/photon/photon.wasm'
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.wasm'
import webpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.wasm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Header, kinds, type RenderPlan } from '#media/engines/engine'
import { encoderBytes, fitsIsolate, maxDecoderBytes, requiredBytes } from '#media/engines/memory-budget'
import { maxWebpPixels } from '#media/engines/webp-encoder'
import { workerEngine } from '#media/engines/worker-engine'
import { headerOf, picture, sourceOf } from './pictures.ts'

const memories = new Map<string, WebAssembly.Memory>()
const instances = new Map<WebAssembly.Module, number>()
const { Instance } = WebAssembly
const names = new Map([
  [photonModule, 'decoder'],
  [webpDecoder, 'decoder'],
  [webpEncoder, 'encoder'],
  [jpegEncoder, 'encoder'],
])

/** Records the memories of the last decoder and the last encoder that were instantiated. */
beforeAll(() => {
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports)
      const name = names.get(module) ?? 'other'
      instances.set(module, instancesOf(module) + 1)
      for (const value of Object.values(this.exports))
        if (value instanceof WebAssembly.Memory) memories.set(name, value)
    }
  }
})
afterAll(() => {
  WebAssembly.Instance = Instance
})

const instancesOf = (module: WebAssembly.Module) => instances.get(module) ?? 0

const bytesIn = (name: string) => memories.get(name)?.buffer.byteLength ?? 0

/** Makes the codecs fail once. A codec that has failed is not used again, so the next image gets new ones with fresh memories. */
async function startAnew() {
  for (const kind of ['png', 'webp']) {
    const file = await picture(`ramp/${kind}`, 8, 8)
    await workerEngine.check(sourceOf(file, { ...headerOf(file), width: 9 })).catch(() => undefined)
  }
}

/** Checks or renders an image. Returns the bytes that this took: of the decoder's memory, the file, the pixels and the result. */
async function measured(file: Uint8Array<ArrayBuffer>, plan?: RenderPlan): Promise<number> {
  if (!plan) await workerEngine.check(sourceOf(file))
  const made = plan ? (await workerEngine.render(sourceOf(file), plan)).length + plan.width * plan.height * 4 : 0
  return bytesIn('decoder') + file.length + made
}

const side = { width: 900, height: 600 }
const subjects = [
  ...['noise/jpeg', 'noise/jpeg-progressive', 'photo/jpeg-progressive', 'noise/png', 'mist/png', 'mist/png-16'],
  ...['noise/webp', 'mist/webp', 'mist/webp-lossless', 'noise/gif', 'photo/gif'],
]

describe.each(subjects)('%s', (subject) => {
  it('takes no more memory than estimated', async () => {
    const file = await picture(subject, side.width, side.height)
    const { orientation, ...header } = headerOf(file)
    for (const scale of [0, 1, 0.5])
      for (const format of scale ? kinds : (['jpeg'] as const)) {
        const size = { width: Math.round(side.width * scale), height: Math.round(side.height * scale) }
        if (format === 'webp' && size.width * size.height > maxWebpPixels) continue
        const plan = scale ? { orientation, ...size, format } : undefined
        await startAnew()
        expect(await measured(file, plan)).toBeLessThanOrEqual(
          requiredBytes({ ...header, orientation }, file.length, plan),
        )
        expect(bytesIn('encoder')).toBeLessThanOrEqual(encoderBytes)
      }
  })
})

it('takes the reserve for a progressive CMYK JPEG', async () => {
  const file = await picture('noise/jpeg-cmyk-progressive', side.width, side.height)
  await startAnew()
  const { width, height } = headerOf(file)
  expect((await measured(file)) - 2 * file.length).toBeLessThan(20 * width * height + 3_000_000)
})

it('drops the idle decoder before decoding CMYK', async () => {
  const png = sourceOf(await picture('photo/png', 60, 40))
  await workerEngine.check(png)
  const before = instancesOf(photonModule)
  await workerEngine.check(png)
  expect(instancesOf(photonModule)).toBe(before)
  const cmyk = sourceOf(await picture('photo/jpeg-cmyk-profile', 60, 40))
  await workerEngine.render(cmyk, { orientation: 1, width: 30, height: 20, format: 'jpeg' })
  await workerEngine.check(png)
  expect(instancesOf(photonModule)).toBe(before + 1)
})

it('does not grow with the number of images', async () => {
  await startAnew()
  const files = await Promise.all(
    ['photo/jpeg-progressive', 'photo/png', 'photo/webp'].map((kind) => picture(kind, 1500, 1000)),
  )
  const round = async () => {
    for (const file of files)
      for (const format of kinds)
        await workerEngine.render(sourceOf(file), { orientation: 6, width: 320, height: 480, format })
    return bytesIn('decoder')
  }
  const first = await round()
  expect(await round()).toBe(first)
  expect(await round()).toBe(first)
})

const pixels = (format: Header['format'], width: number, height: number): Header => ({
  ...{ format, width, height, orientation: 1 },
})

it.each([
  ['jpeg', 2400, 1800, 2_000_000, true],
  ['jpeg', 3000, 2000, 3_000_000, false],
  ['jpeg', 4000, 3000, 5_000_000, false],
  ['jpeg', 6000, 4000, 9_000_000, false],
  ['jpeg', 8000, 6000, 15_000_000, false],
  ['jpeg', 100, 100, 40_000_000, false],
  ['png', 2000, 1500, 8_000_000, true],
  ['png', 3000, 2000, 12_000_000, false],
  ['webp', 2000, 1500, 1_000_000, true],
  ['webp', 2500, 2000, 1_000_000, true],
  ['webp', 3000, 2000, 2_000_000, false],
  ['gif', 2000, 2000, 2_000_000, true],
] as const)('checks a %s of %i x %i in %i bytes here: %s', (format, width, height, size, fits) => {
  expect(fitsIsolate(pixels(format, width, height), size)).toBe(fits)
})

it.each([
  ['photo/jpeg-progressive', 2500, 1800],
  ['photo/png', 2000, 1500],
  ['photo/webp', 1200, 900],
])('renders a thumbnail of a %s of %i x %i within the memory limit', async (subject, width, height) => {
  const file = await picture(subject, width, height)
  const plan = { orientation: 1, width: 400, height: 300, format: 'webp' } as const
  expect(fitsIsolate(headerOf(file), file.length, plan)).toBe(true)
  await startAnew()
  expect(await measured(file, plan)).toBeLessThanOrEqual(maxDecoderBytes)
})
