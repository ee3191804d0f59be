// Loads image codecs that Emscripten compiled to WebAssembly. Workers may not compile at run time, so the bundler has compiled the
// modules.

/** Options of a module loader that Emscripten generated. */
interface LoaderOptions {
  noInitialRun: boolean
  printErr(text: string): void
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Instance['exports']
}

/** A loaded codec with its WebAssembly memory, which grows and never shrinks. */
export interface LoadedModule<Codec> {
  codec: Codec
  memory: WebAssembly.Memory
}

/** Instantiates a codec from a module that the bundler has compiled, and returns it with its memory. */
export async function loadCodec<Codec>(
  create: (options: LoaderOptions) => Promise<Codec>,
  compiled: WebAssembly.Module,
): Promise<LoadedModule<Codec>> {
  let memory!: WebAssembly.Memory
  const codec = await create({
    noInitialRun: true,
    // Drops the messages of a codec: they describe the content of the file, which must not be logged.
    printErr: () => undefined,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(compiled, imports)
      memory = memoryOf(instance)
      done(instance)
      return instance.exports
    },
  })
  return { codec, memory }
}

function memoryOf({ exports }: WebAssembly.Instance): WebAssembly.Memory {
  for (const value of Object.values(exports)) if (value instanceof WebAssembly.Memory) return value
  throw new Error('The module exports no memory')
}
