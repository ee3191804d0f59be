// Converts pixels to sRGB by the colour profile of the image, with LittleCMS (WebAssembly).
import lcms from 'lcms-wasm/dist/lcms.wasm'
import type { ColourModel, Profile } from '../headers/colour-profile.ts'
import { limitMemory } from './memory-limit.ts'

/**
 * The last converter, kept for the next image with the same profile. Only one is kept: an instance of LittleCMS takes 16 MB, which
 * garbage collection frees late.
 */
let idle: { profile: Profile; isInverted: boolean; converter: Converter } | undefined

/** Returns the memory that the idle converter holds, in bytes. */
export const idleConverterBytes = (): number => idle?.converter.memory ?? 0

export function dropConverter(): void {
  idle = undefined
}

/** Returns the converter of a profile, the idle one if the profile is the same; undefined if LittleCMS cannot use the profile. */
export function converterFor(profile: Profile, isInverted = false): Converter | undefined {
  if (idle && idle.isInverted === isInverted && isSame(idle.profile, profile)) return idle.converter
  idle = undefined
  const converter = openConverter(profile, isInverted)
  // Stores a copy of the profile's bytes: they are a view of the file, which would stay in memory as a whole.
  if (converter) idle = { profile: { ...profile, bytes: profile.bytes.slice() }, isInverted, converter }
  return converter
}

const isSame = (one: Profile, other: Profile): boolean =>
  one.model === other.model &&
  one.bytes.length === other.bytes.length &&
  one.bytes.every((byte, at) => byte === other.bytes[at])

/**
 * Opens a converter to sRGB with LittleCMS and the perceptual intent, as libvips does in the container. Returns undefined if
 * LittleCMS cannot use the profile: the image is then treated as sRGB.
 */
function openConverter(profile: Profile, isInverted = false): Converter | undefined {
  const exports = instantiate()
  try {
    const input = exports.cmsOpenProfileFromMem(put(exports, profile.bytes), profile.bytes.length)
    const output = exports.cmsCreate_sRGBProfile()
    if (input === 0 || output === 0) return undefined
    const from = profile.model === 'cmyk' && isInverted ? types.cmykInverted : types[profile.model]
    const transform = exports.cmsCreateTransform(input, from, output, types.rgb, perceptual, 0)
    if (transform === 0) return undefined
    const convert = converters[profile.model](exports, transform)
    return { model: profile.model, memory: exports.memory.buffer.byteLength, convert }
  } catch (error) {
    // A profile that makes LittleCMS trap is broken. The instance is dropped, since its state is unknown.
    if (error instanceof WebAssembly.RuntimeError || error instanceof Trap) return undefined
    throw error
  }
}

export interface Converter {
  /** The colour model of the pixels that the converter gets. */
  readonly model: ColourModel
  /** Size of the converter's WebAssembly memory in bytes. */
  readonly memory: number
  /** Converts pixels from RGBA or CMYK to RGBA, in place, since both have four bytes for a pixel. */
  readonly convert: Convert
}

type Convert = (pixels: Uint8Array | Uint8ClampedArray) => void

/**
 * Pixel types, as lcms2.h encodes them. All but grey have four bytes for a pixel, so that pixels can be converted in place;
 * LittleCMS does not change the fourth byte of RGB.
 */
const types = { grey: 0x30009, rgb: 0x40099, cmyk: 0x60021, cmykInverted: 0x62021 }

const perceptual = 0

/** Number of pixels that are converted in one call, which bounds the buffer in the memory of LittleCMS. */
const batchPixels = 16_384

const converters: Record<Profile['model'], (exports: Lcms, transform: number) => Convert> = {
  rgb: (exports, transform) => inBatches(exports, transform, () => undefined),
  // LittleCMS writes three bytes of each pixel. The fourth still has the value of black, and must become an opaque alpha.
  cmyk: (exports, transform) =>
    inBatches(exports, transform, (pixels) => {
      for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255
    }),
  grey: greyConverter,
}

function inBatches(exports: Lcms, transform: number, finish: (pixels: Uint8Array) => void): Convert {
  const address = allocate(exports, batchPixels * 4)
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += batchPixels * 4) {
      const part = pixels.subarray(at, at + batchPixels * 4)
      const buffer = new Uint8Array(exports.memory.buffer, address, part.length)
      buffer.set(part)
      exports.cmsDoTransform(transform, address, address, part.length / 4)
      finish(buffer)
      part.set(buffer)
    }
  }
}

/** Creates a converter for grey pixels: converts the 256 grey values once, into a lookup table. */
function greyConverter(exports: Lcms, transform: number): Convert {
  const greys = put(
    exports,
    Uint8Array.from({ length: 256 }, (_, grey) => grey),
  )
  const address = allocate(exports, 256 * 4)
  exports.cmsDoTransform(transform, greys, address, 256)
  const colours = new Uint8Array(exports.memory.buffer, address, 256 * 4).slice()
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const from = pixels[at]! * 4
      pixels[at] = colours[from]!
      pixels[at + 1] = colours[from + 1]!
      pixels[at + 2] = colours[from + 2]!
    }
  }
}

type Address = number

interface Lcms {
  memory: WebAssembly.Memory
  malloc(bytes: number): Address
  emscripten_stack_init(): void
  __wasm_call_ctors(): void
  cmsOpenProfileFromMem(address: Address, bytes: number): Address
  cmsCreate_sRGBProfile(): Address
  cmsCreateTransform(
    input: Address,
    inputType: number,
    output: Address,
    outputType: number,
    intent: number,
    flags: number,
  ): Address
  cmsDoTransform(transform: Address, from: Address, to: Address, pixels: number): void
}

/** Thrown when an assertion of LittleCMS fails, or its memory is used up. */
class Trap extends Error {}

/** Maximum memory of LittleCMS in bytes: enough for a large printer profile of 10 MB. A crafted profile cannot take more. */
const maxMemoryBytes = 40 * 1024 * 1024

/**
 * Instantiates LittleCMS without the loader of the package, which would read a file. Most imports of the module are stubs: they
 * give access to clocks and files, which the called functions do not use.
 */
function instantiate(): Lcms {
  let memory!: WebAssembly.Memory
  const own: Record<string, (...args: number[]) => number> = {
    emscripten_memcpy_js: (to, from, bytes) => {
      new Uint8Array(memory.buffer).copyWithin(to! >>> 0, from! >>> 0, (from! >>> 0) + (bytes! >>> 0))
      return 0
    },
    emscripten_resize_heap: (bytes) => grow(memory, bytes! >>> 0),
    __assert_fail: trap,
    abort: trap,
  }
  const imports: Record<string, Record<string, (...args: number[]) => number>> = {}
  for (const { module, name } of WebAssembly.Module.imports(lcms)) {
    imports[module] ??= {}
    imports[module][name] = own[name] ?? (name.startsWith('invoke_') || name.startsWith('__cxa') ? trap : () => 0)
  }
  const exports = new WebAssembly.Instance(lcms, imports).exports as unknown as Lcms
  memory = exports.memory
  limitMemory(memory, maxMemoryBytes)
  exports.emscripten_stack_init()
  exports.__wasm_call_ctors()
  return exports
}

const trap = (): number => {
  throw new Trap('An assertion of LittleCMS failed')
}

/** Grows the WebAssembly memory to at least `bytes`. Returns 1 on success, else 0, as Emscripten expects. */
function grow(memory: WebAssembly.Memory, bytes: number): number {
  try {
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / 65_536))
    return 1
  } catch {
    return 0
  }
}

function allocate({ malloc }: Lcms, bytes: number): Address {
  const address = malloc(bytes)
  if (address === 0) throw new Trap('LittleCMS has no memory left')
  return address
}

function put(exports: Lcms, bytes: Uint8Array): Address {
  const address = allocate(exports, bytes.length)
  new Uint8Array(exports.memory.buffer).set(bytes, address)
  return address
}
