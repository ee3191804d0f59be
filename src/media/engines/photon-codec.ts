// Decodes images and encodes JPEGs with the library Photon (WebAssembly), by calling the exports of its module directly.
import photon from '@cf-wasm/photon/photon.wasm'
import { brokenImage, type Quality } from './engine.ts'

/** Pixels as RGBA, one byte for each component, row by row. */
export interface Pixels<Data extends Uint8Array | Uint8ClampedArray = Uint8Array | Uint8ClampedArray> {
  data: Data
  width: number
  height: number
}

/**
 * An instance of Photon. Its memory never shrinks. After a method has thrown, the state of the instance is unknown, and it must not
 * be used again.
 */
export interface PhotonCodec {
  /** Size of the instance's memory in bytes. */
  readonly memory: number
  /** Decodes a file that is given in one or more parts. The pixels are valid until `use` returns. Throws `brokenImage`. */
  decode<T>(file: Uint8Array[], use: (pixels: Pixels<Uint8Array>) => T): T
  /** Encodes a JPEG without chroma subsampling (4:4:4). mozjpeg encodes smaller files, but only up to a maximum size. */
  encodeJpeg(pixels: Pixels, quality: Quality): Uint8Array<ArrayBuffer>
}

/**
 * Opens an instance of Photon. The interface of the package shares one instance, and each panic, which every broken file causes,
 * leaks memory in it. This function therefore calls the exports of the WebAssembly module, under the names in `photon_rs.js`.
 */
export function openPhoton(): PhotonCodec {
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

/**
 * JPEG quality, from 1 to 100. These values are lower than usual, since a file without chroma subsampling looks better at the same
 * value.
 */
const jpegQuality: Record<Quality, number> = { usual: 75, high: 92 }

type Address = number

interface PhotonExports {
  memory: WebAssembly.Memory
  __wbindgen_malloc(size: number, alignment: number): Address
  __wbindgen_free(address: Address, size: number, alignment: number): void
  __wbg_photonimage_free(image: Address, flag: number): void
  /**
   * `photonimage_new` and `photonimage_new_from_byteslice` free the bytes that they get, so that no call of `__wbindgen_free`
   * follows.
   */
  photonimage_new(pixels: Address, length: number, width: number, height: number): Address
  photonimage_new_from_byteslice(file: Address, length: number): Address
  photonimage_get_image_data(image: Address): void
  photonimage_get_bytes_jpeg(image: Address, quality: number): [Address, number]
}

function instantiate() {
  const seen = { address: 0, length: 0, width: 0, height: 0 }
  // Photon calls this import to create an ImageData in a browser, which would copy the pixels. Here the import only records the
  // address of the pixels.
  const recordPixels = (address: number, length: number, width: number, height: number) => {
    Object.assign(seen, { address, length, width: width >>> 0, height: height >>> 0 })
    return null
  }
  const imports: Record<string, Record<string, (...args: number[]) => unknown>> = {}
  for (const { module, name } of WebAssembly.Module.imports(photon)) {
    imports[module] ??= {}
    // All other imports do nothing. They are for browsers, or log panics, whose text describes the content of the file.
    imports[module][name] = name.startsWith('__wbg_new_with_u8_clamped_array') ? recordPixels : () => undefined
  }
  const { exports } = new WebAssembly.Instance(photon, imports)
  return { photonExports: exports as unknown as PhotonExports, seen }
}

/** Converts a trap to `brokenImage`: a trap is a panic of Photon, which a broken file causes. */
function decoded<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw brokenImage()
    throw error
  }
}
