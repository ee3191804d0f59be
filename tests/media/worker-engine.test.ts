// Tests of the image engine in the Worker: pixels, memory limits and its queue.
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ImageSource } from '#media/engines/engine'
import { maxHeldBytes, withMemory } from '#media/engines/memory-queue'
import { openPhoton } from '#media/engines/photon-codec'
import { workerEngine } from '#media/engines/worker-engine'
import { readHeader } from '#media/image-header'
import { planRotation, planThumbnail } from '#media/render-plan'
import { runs } from '../support/tier.ts'
import { distance, headerOf, picture, red, shown, sourceOf } from './pictures.ts'

const broken = expect.objectContaining({ name: 'Failure', code: 'validation_failed' })

it.each(['png', 'gif', 'png-16', 'png-palette'])('keeps every pixel of a %s that is turned', async (kind) => {
  const source = sourceOf(await picture(kind === 'gif' ? 'corners/gif' : `photo/${kind}`, 37, 23))
  const before = shown(await source.bytes())
  const after = shown(await workerEngine.render(source, planRotation(source.header, 90)))
  for (let y = 0; y < 23; y++) for (let x = 0; x < 37; x++) expect(after.at(22 - y, x)).toEqual(before.at(x, y))
})

it('keeps half-transparent pixels when rotating', async () => {
  const source = sourceOf(await picture('mist/png', 37, 23))
  const before = shown(await source.bytes())
  const after = shown(await workerEngine.render(source, planRotation(source.header, 180)))
  for (let y = 0; y < 23; y++)
    for (let x = 0; x < 37; x++) {
      const pixel = before.at(x, y)
      expect(after.at(36 - x, 22 - y)).toEqual(pixel[3] === 0 ? [0, 0, 0, 0] : pixel)
    }
})

it.each([7, 50, 99, 199, 200])('scales a gradient to a gradient of %i pixels', async (w) => {
  const source = sourceOf(await picture('ramp/png', 200, 9))
  const { at } = shown(await workerEngine.render(source, planThumbnail(source.header, { w, m: 'r' }, 4096, 'png')))
  for (let x = 0; x < w; x++) {
    const middle = (255 * (((x + 0.5) * 200) / w - 0.5)) / 199
    const slack = x === 0 || x === w - 1 ? 12 : 3
    expect(Math.abs(at(x, 0)[0]! - middle)).toBeLessThan(slack)
  }
})

it('decodes after a file that could not be decoded', async () => {
  const file = await picture('photo/png', 60, 40)
  const damaged = file.slice().fill(0, 60, 500)
  for (let i = 0; i < 5; i++) {
    await expect(workerEngine.check(sourceOf(damaged, headerOf(file)))).rejects.toThrow(broken)
    await workerEngine.check(sourceOf(file))
  }
})

it('rejects an image of another size than in its header', async () => {
  const file = await picture('photo/png', 60, 40)
  await expect(workerEngine.check(sourceOf(file, { ...headerOf(file), width: 61 }))).rejects.toThrow(broken)
})

it('decodes or rejects random files within the memory limit', async () => {
  const kinds = ['jpeg', 'jpeg-progressive', 'png', 'png-16', 'png-palette', 'webp', 'webp-lossless', 'gif']
  const files = await Promise.all(kinds.map((kind) => picture(`photo/${kind}`, 60, 40)))
  const damaged = fc
    .tuple(fc.constantFrom(...files), fc.array(fc.tuple(fc.nat(2500), fc.nat(255)), { minLength: 1, maxLength: 8 }))
    .map(([file, changes]) => {
      const copy = file.slice()
      for (const [at, byte] of changes) if (at < copy.length) copy[at] = byte
      return copy
    })
  await fc.assert(
    fc.asyncProperty(damaged, async (file) => {
      let header: ReturnType<typeof readHeader>
      try {
        header = readHeader(file)
      } catch (error) {
        expect(error).toEqual(broken)
        return
      }
      // An image that declares more pixels is not decoded in the Worker, but in the media container.
      if (header === undefined || header === 'more' || header.width * header.height > 1_000_000) return
      const codec = openPhoton()
      try {
        codec.decode([file], () => undefined)
      } catch (error) {
        expect(error).toEqual(broken)
      }
      // A damaged file may make the decoder allocate more than any valid file does. It must not use up the memory of the isolate.
      expect(codec.memory).toBeLessThan(40_000_000 + 20 * header.width * header.height)
    }),
    { numRuns: runs(300) },
  )
})

it('encodes a GIF with the exact colours if there are few, else with a reduced palette', async () => {
  const edge = sourceOf(await picture('edge/png', 40, 20))
  const few = shown(await workerEngine.render(edge, { orientation: 1, width: 40, height: 20, format: 'gif' }))
  expect(few.at(2, 2)).toEqual(red)
  expect(few.at(38, 2)[3]).toBe(0)
  const photo = sourceOf(await picture('photo/png', 200, 100))
  const before = shown(await photo.bytes())
  const many = shown(await workerEngine.render(photo, { orientation: 1, width: 200, height: 100, format: 'gif' }))
  const differences = Array.from({ length: 200 }, (_, x) => distance(before.at(x, 50), many.at(x, 50)))
  expect(differences.reduce((sum, one) => sum + one, 0) / 200).toBeLessThan(25)
})

describe('the memory queue', () => {
  const gate = () => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    return { opened, open }
  }

  it('runs work in order, once there is room', async () => {
    const [first, end] = [gate(), gate()]
    const events: string[] = []
    const work = (n: number) => async () => {
      events.push(`${n} begins`)
      first.open()
      if (n === 0) await end.opened
      events.push(`${n} ends`)
    }
    const all = [withMemory(maxHeldBytes, work(0)), ...[1, 2, 3].map((n) => withMemory(maxHeldBytes / 2 + 1, work(n)))]
    // When the first work begins, all others have found no room and wait.
    await first.opened
    end.open()
    await Promise.all(all)
    expect(events).toEqual([0, 1, 2, 3].flatMap((n) => [`${n} begins`, `${n} ends`]))
  })

  it('keeps its entries while the isolate is suspended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    let [held, most] = [0, 0]
    const work = async () => {
      most = Math.max(most, ++held)
      await scheduler.wait(50)
      held--
    }
    const all = Array.from({ length: 5 }, () => withMemory(maxHeldBytes, work))
    vi.setSystemTime(Date.now() + 5_000)
    await Promise.all(all)
    expect(most).toBe(1)
  })

  it('runs work concurrently while there is room', async () => {
    const { opened, open } = gate()
    const first = withMemory(maxHeldBytes / 2, () => opened)
    expect(await withMemory(maxHeldBytes / 2, async () => 'done')).toBe('done')
    open()
    await first
  })

  it('runs a large entry alone, also after work that failed', async () => {
    await expect(
      withMemory(maxHeldBytes * 9, async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await withMemory(maxHeldBytes * 9, async () => 'done')).toBe('done')
  })

  it('holds the file of one large image at a time', async () => {
    const file = await picture('photo/png', 600, 400)
    let [held, most] = [0, 0]
    const [first, end] = [gate(), gate()]
    const source: ImageSource = {
      ...sourceOf(file),
      size: maxHeldBytes,
      bytes: async () => {
        held++
        most = Math.max(most, held)
        first.open()
        await end.opened
        held--
        return file
      },
    }
    const all = Array.from({ length: 5 }, () => workerEngine.check(source))
    await first.opened
    end.open()
    await Promise.all(all)
    expect(most).toBe(1)
  })
})
