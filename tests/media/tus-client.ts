// A client of the upload protocol tus 1.0, for the tests of the media component.
import { env } from 'cloudflare:workers'
import type { TusUpload } from '#media/tus-upload'
import { type Answer, answered, type Media } from './support.ts'

const mediaType = 'application/offset+octet-stream'

const metadata = (given: Record<string, string>) =>
  Object.entries(given)
    .map(([key, value]) => `${key} ${new TextEncoder().encode(value).toBase64()}`)
    .join(',')

/** Makes a client of tus 1.0 that sends its requests to a media component. */
export function tusClient(media: Media) {
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) =>
    answered(media.fetch(path, { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body && { body }) }))

  const create = (
    size: number,
    about: Record<string, string> = {},
    headers: Record<string, string> = {},
    body?: BodyInit,
  ) =>
    send(
      'POST',
      '/tus',
      {
        'upload-length': `${size}`,
        ...(Object.keys(about).length && { 'upload-metadata': metadata(about) }),
        ...headers,
      },
      body,
    )

  const patch = (path: string, offset: number, body?: BodyInit, headers: Record<string, string> = {}) =>
    send('PATCH', path, { 'content-type': mediaType, 'upload-offset': `${offset}`, ...headers }, body)

  /** Creates an upload, and returns its path. */
  const begin = async (size: number, about: Record<string, string> = {}) => pathOf(await create(size, about))

  return { send, create, begin, patch, head: (path: string) => send('HEAD', path) }
}

export const pathOf = ({ headers }: Answer) => new URL(headers.get('location')!).pathname

export const digestOf = (path: string) => path.slice('/tus/'.length)

/** Returns the state of an upload that a reply has in its headers. */
export const uploadStateOf = ({ status, headers }: Answer) => ({
  status,
  offset: headers.get('upload-offset'),
  digest: headers.get('media-digest'),
})

export const objectOf = (path: string) =>
  (env as unknown as { TUS_UPLOAD: DurableObjectNamespace<TusUpload> }).TUS_UPLOAD.getByName(digestOf(path))
