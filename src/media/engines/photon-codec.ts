import photon from '@cf-wasm/photon/photon.wasm'
import { brokenImage, type Quality } from './engine.ts'

/** Red, green, blue and alpha of each pixel, a byte each, row by row. */
export interface Pixels<Data extends Uint8Array | Uint8ClampedArray = Uint8Array | Uint8ClampedArray> {
  data: Data
  width: number
  height: number
}

/** Photon in a memory of its own, which only ever grows. After anything was thrown it is of no more use. */
export interface Codec {
  /** Bytes that it holds. */
  readonly memory: number
  /** Decodes a file, in one part or several; the pixels are there until `use` returns. Throws `brokenImage`. */
  decode<T>(file: Uint8Array[], use: (pixels: Pixels<Uint8Array>) => T): T
  /** Writes a JPEG in full colour (4:4:4). */
  encodeJpeg(pixels: Pixels, quality: Quality): Uint8Array<ArrayBuffer>
}

/**
 * Photon's own interface has one instance for good, and what panics in it, as it does for every broken file, stays in
 * its memory. So this calls what that interface calls; the names are those of `photon_rs.js`.
 */
export function openPhoton(): Codec {
  const { photonExports: exports, seen } = instantiate()
  const bytesAt = (address: number, length: number) =>
    new Uint8Array(exports.memory.buffer, address >>> 0, length >>> 0)
  const put = (parts: (Uint8Array | Uint8ClampedArray)[]): [Address, number] => {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    const address = exports.__wbindgen_malloc(length, 1)
    let at = address
    for (const part of parts) {
      bytesAt(at, part.length).set(part)
      at += part.length
    }
    return [address, length]
  }

  return {
    get memory() {
      return exports.memory.buffer.byteLength
    },

    decode(file, use) {
      const image = decoded(() => exports.photonimage_new_from_byteslice(...put(file)))
      exports.photonimage_get_image_data(image)
      const { address, length, width, height } = seen
      const result = use({ data: bytesAt(address, length), width, height })
      exports.__wbg_photonimage_free(image, 0)
      return result
    },

    encodeJpeg({ data, width, height }, quality) {
      const image = exports.photonimage_new(...put([data]), width, height)
      const [address, length] = exports.photonimage_get_bytes_jpeg(image, jpegQuality[quality])
      const file = bytesAt(address, length).slice()
      exports.__wbindgen_free(address, length, 1)
      exports.__wbg_photonimage_free(image, 0)
      return file
    },
  }
}

/** Of 100. Colours are written in full, where other encoders at 80 write a quarter of them. */
const jpegQuality: Record<Quality, number> = { usual: 75, high: 92 }

type Address = number

interface PhotonExports {
  memory: WebAssembly.Memory
  __wbindgen_malloc(size: number, alignment: number): Address
  __wbindgen_free(address: Address, size: number, alignment: number): void
  __wbg_photonimage_free(image: Address, flag: number): void
  /** These two take over the bytes that they are given. */
  photonimage_new(pixels: Address, length: number, width: number, height: number): Address
  photonimage_new_from_byteslice(file: Address, length: number): Address
  photonimage_get_image_data(image: Address): void
  photonimage_get_bytes_jpeg(image: Address, quality: number): [Address, number]
}

function instantiate() {
  const seen = { address: 0, length: 0, width: 0, height: 0 }
  // It is handed where the pixels lie, rather than a copy of them, where a browser would make its ImageData of them.
  const lookAt = (address: number, length: number, width: number, height: number) => {
    Object.assign(seen, { address, length, width: width >>> 0, height: height >>> 0 })
    return null
  }
  const imports: Record<string, Record<string, (...args: number[]) => unknown>> = {}
  for (const { module, name } of WebAssembly.Module.imports(photon)) {
    imports[module] ??= {}
    // The rest is for browsers, and for the console: a panic's text has nothing to do there.
    imports[module][name] = name.startsWith('__wbg_new_with_u8_clamped_array') ? lookAt : () => undefined
  }
  const { exports } = new WebAssembly.Instance(photon, imports)
  return { photonExports: exports as unknown as PhotonExports, seen }
}

/** Photon panics where a file cannot be decoded, and that is a trap. */
function decoded<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw brokenImage()
    throw error
  }
}
