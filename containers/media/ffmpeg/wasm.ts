// node wasm.ts ffmpeg|ffprobe …: runs the WebAssembly build of ffmpeg with the command line of the native one.
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const [program, ...args] = process.argv.slice(2)
const code = await run(program === 'ffprobe' ? 'ffprobe' : 'exec', args)
// Sets the exit code without process.exit, so that all output is written first.
process.exitCode = code

async function run(method: 'exec' | 'ffprobe', args: string[]): Promise<number> {
  const core = await load()
  core.setLogger(({ type, message }) => writeSync(type === 'stdout' ? 1 : 2, `${message}\n`))
  const files = args.flatMap((arg, at) =>
    arg.startsWith('file:') ? [mount(core, arg.slice('file:'.length), args[at - 1] === '-i')] : [],
  )
  try {
    return core[method](...args)
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** The package expects to run in a Web Worker, so `self` is defined for it. */
async function load(): Promise<Core> {
  Object.assign(globalThis, { self: { location: { href: '' } } })
  const { default: create }: CoreModule = await import(import.meta.resolve('@ffmpeg/core'))
  return create({ wasmBinary: readFileSync(fileURLToPath(import.meta.resolve('@ffmpeg/core/wasm'))) })
}

/** Mounts a file of this machine under its own path. Reads go to the file, so that it is not loaded into memory. */
function mount({ FS }: Core, path: string, isInput: boolean): number {
  const file = openSync(path, isInput ? 'r' : 'w+')
  FS.mkdirTree(dirname(path))
  FS.writeFile(path, '')
  const { node } = FS.lookupPath(path)
  const { getattr } = node.node_ops
  node.node_ops = {
    ...node.node_ops,
    getattr: (of) => ({ ...getattr(of), size: fstatSync(file).size }),
    setattr: (_, { size }) => size !== undefined && !isInput && ftruncateSync(file, size),
  }
  node.stream_ops = {
    read: (_, heap, offset, length, position) => readSync(file, heap, offset, length, position),
    write: (_, heap, offset, length, position) => writeSync(file, heap, offset, length, position),
    llseek: (stream, offset, whence) => offset + [0, stream.position, fstatSync(file).size][whence]!,
  }
  return file
}

interface CoreModule {
  default: (options: { wasmBinary: Uint8Array }) => Promise<Core>
}

/** The used part of the module that Emscripten generated. */
interface Core {
  exec(...args: string[]): number
  ffprobe(...args: string[]): number
  setLogger(log: (line: { type: string; message: string }) => void): void
  FS: {
    mkdirTree(path: string): void
    writeFile(path: string, data: string): void
    lookupPath(path: string): { node: FileNode }
  }
}

interface FileNode {
  node_ops: {
    getattr(node: FileNode): object
    setattr(node: FileNode, attributes: { size?: number }): void
  }
  stream_ops: {
    read(stream: Opened, heap: Int8Array, offset: number, length: number, position: number): number
    write(stream: Opened, heap: Int8Array, offset: number, length: number, position: number): number
    llseek(stream: Opened, offset: number, whence: number): number
  }
}

interface Opened {
  position: number
}
