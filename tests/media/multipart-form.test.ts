// Tests the streaming parser of multipart/form-data bodies.
import { describe, expect, it } from 'vitest'
import { type FormFile, readForm } from '#media/multipart-form'
import { otherwise } from './support.ts'

const boundary = 'x-boundary'
const type = `multipart/form-data; boundary=${boundary}`

const part = (disposition: string, body: string, ...headers: string[]) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}\r\n`

const end = `--${boundary}--\r\n`
const aFile = part('name="file"; filename="a.txt"', 'hello', 'Content-Type: text/plain')

/** Returns a request body that arrives in chunks of `size` bytes. */
const inPieces = (text: string, size: number) => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

const requestOf = (body: BodyInit | null, contentType = type) =>
  new Request('http://media.test/file', { method: 'POST', headers: { 'content-type': contentType }, body })

const textOf = async ({ bytes, ...rest }: FormFile) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return { ...rest, text: await new Blob(chunks).text() }
}

describe('a form', () => {
  it.each([1, 2, 7, 1000])('is read in chunks of %i bytes', async (size) => {
    const body = inPieces(part('name="scope"', 'small') + aFile + part('name="other"', 'x') + end, size)

    expect(await readForm(requestOf(body), textOf)).toEqual({
      taken: { filename: 'a.txt', declaredType: 'text/plain', text: 'hello' },
      fields: { scope: 'small' },
    })
  })

  it('passes the fields before the file to the handler, and returns all fields', async () => {
    const seen: unknown[] = []
    const take = async (file: FormFile, before: object) => {
      seen.push({ ...before })
      return textOf(file)
    }
    const { fields } = await readForm(requestOf(aFile + part('name="scope"', 'late') + end), take)

    expect(seen).toEqual([{}])
    expect(fields).toEqual({ scope: 'late' })
  })

  it.each([
    ['"say \\"hi\\".txt"', 'say "hi".txt'],
    ['"..\\\\..\\\\etc/passwd"', 'passwd'],
    ['"😀 é.png"', '😀 é.png'],
    [`"${'n'.repeat(300)}.txt"`, `${'n'.repeat(300)}.txt`],
    ['"say %22hi%22, 50%25.txt"', 'say "hi", 50%25.txt'],
    ['"a%0D%0ab.txt"', 'a\r\nb.txt'],
    ['"a\r\nb.txt"', 'a'],
    ['""', ''],
  ])('has a file called %s', async (filename, expected) => {
    const body = part(`name="file"; filename=${filename}`, 'x') + end
    expect((await readForm(requestOf(body), textOf)).taken.filename).toBe(expected)
  })

  it.each([
    ['no file', part('name="scope"', 'a') + end, { errors: { file: 'file is required.' } }],
    ['nothing at all', end, { errors: { file: 'file is required.' } }],
    ['a field in place of the file', part('name="file"', 'text') + end, { errors: { file: 'file is required.' } }],
    ['a file of another name', part('name="f"; filename="a"', 'x') + end, { errors: { file: 'file is required.' } }],
    ['two files', aFile + aFile + end, { errors: { file: 'file must be given only once.' } }],
    [
      'a scope after 20 fields',
      part('name="a"', 'x').repeat(20) + part('name="scope"', 's') + aFile + end,
      { code: 'invalid_form' },
    ],
    [
      'a scope after 30 parts',
      aFile + part('filename="a"', 'x').repeat(30) + part('name="scope"', 's') + end,
      { code: 'invalid_form' },
    ],
    [
      'a scope too long',
      part('name="scope"', 'a'.repeat(2000)) + aFile + end,
      { errors: { scope: 'scope must be at most 1000 bytes long.' } },
    ],
    ['an end in the middle of the file', aFile.slice(0, -4), { code: 'invalid_form' }],
    ['an end in a header', `${aFile}--x-boundary\r\nContent-Dis`, { code: 'invalid_form' }],
    ['no boundary in it', 'hello', { code: 'invalid_form' }],
    ['no bytes', '', { code: 'invalid_form' }],
  ])('with %s is rejected', async (_, body, failure) => {
    await expect(readForm(requestOf(body), textOf)).rejects.toMatchObject({ name: 'Failure', ...failure })
  })

  it.each(['application/json', '', 'multipart/mixed; boundary=x', 'multipart/form-data'])(
    'of type "%s" is none',
    async (contentType) => {
      await expect(readForm(requestOf(aFile + end, contentType), textOf)).rejects.toMatchObject({ name: 'Failure' })
    },
  )

  it('without a body is rejected', async () => {
    await expect(readForm(requestOf(null), textOf)).rejects.toMatchObject({ status: 415 })
  })

  it('fails with the error of the handler', async () => {
    const body = inPieces(part('name="file"; filename="a"', 'y'.repeat(3_000_000)) + end, 1000)
    const refuse = async ({ bytes }: FormFile) => {
      for await (const _ of bytes) throw new Error('enough')
    }
    await expect(readForm(requestOf(body), refuse)).rejects.toThrow('enough')
  })

  it('is read to its end when rejected, including a pending read', async () => {
    const { readable, writable } = new IdentityTransformStream()
    const [waiting, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    const getReader = (options: { mode: 'byob' }) => {
      const reader = readable.getReader(options)
      const readAtLeast: typeof reader.readAtLeast = (...given) => {
        const read = reader.readAtLeast(...given)
        if (++reads === 2) waiting.resolve()
        return read
      }
      return otherwise(reader, { readAtLeast })
    }
    const body = otherwise(readable, { getReader: getReader as typeof readable.getReader })
    let left = 8
    const send = async () => {
      const writer = writable.getWriter()
      const piece = new TextEncoder().encode(aFile.padEnd(64 * 1024, 'x'))
      await writer.write(piece)
      await refused.promise
      await scheduler.wait(0)
      for (; left > 0; left--) await writer.write(piece)
      await writer.close()
    }
    const sent = send()
    const refuse = async ({ bytes }: FormFile) => {
      for await (const _ of bytes) {
        await waiting.promise
        refused.resolve()
        throw new Error('enough')
      }
    }
    await expect(readForm(otherwise(requestOf(readable), { body }), refuse)).rejects.toThrow('enough')
    expect(left).toBe(0)
    await sent
  })

  it('fails if the connection breaks', async () => {
    let pulled = 0
    const body = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (pulled++ > 3) return controller.error(new Error('gone'))
        controller.enqueue(new TextEncoder().encode(pulled === 1 ? aFile.slice(0, -8) : 'more'))
      },
    })
    await expect(readForm(requestOf(body), textOf)).rejects.toMatchObject({ code: 'invalid_form' })
  })
})
