// Uploads the files that the user has chosen in this tab. The uploads continue while the user visits other pages of the console.
import { useEffect, useState } from 'preact/hooks'
import type { Upload } from 'tus-js-client'
import { authorization, onSession, userNow } from '../../session.ts'
import { isFinal, isTemporary, messageOf } from './tus-errors.ts'
import { endpoint, fingerprintOf, forgetFile, resumable, sameOriginPath } from './unfinished.ts'

export const kinds = ['image', 'video', 'audio', 'file'] as const
export type UploadKind = (typeof kinds)[number]

export const isKind = (text: string | null | undefined): text is UploadKind => kinds.some((kind) => kind === text)

/** The upload of one file. */
export interface UploadInProgress {
  id: number
  file: File
  kind: UploadKind
  /** Number of bytes that were sent. */
  sent: number
  /** State of the upload. `interrupted` uploads resume automatically; `failed` ones only when the user retries them. */
  state: 'waiting' | 'sending' | 'interrupted' | 'paused' | 'failed' | 'done'
  error?: string
  /** Digest of the item, once the upload is complete. */
  digest?: string
}

interface Run {
  /** Number of the attempt. Events of earlier attempts are ignored, since they would overwrite the state of the current one. */
  number: number
  upload?: Upload
}

const maxConcurrent = 3

/** Number of bytes in a request: twice the part size of the server, and far below the limit of Cloudflare for one request. */
const chunkSize = 10 * 1024 * 1024

/** Delays between retries in milliseconds. Together they bridge ten minutes without a connection. */
const retryDelaysMs = [500, 1_000, 2_000, 5_000, 10_000, ...Array<number>(30).fill(20_000)]

let uploads: UploadInProgress[] = []
let last = 0
const runs = new Map<number, Run>()
const listeners = new Set<() => void>()

/** Hook that returns all running and completed uploads. The component renders again when they change. */
export function useUploads(): UploadInProgress[] {
  const [, again] = useState(0)
  useEffect(() => {
    const changed = () => again((before) => before + 1)
    listeners.add(changed)
    return () => void listeners.delete(changed)
  }, [])
  return uploads
}

/**
 * Uploads files. Their kind is the chosen one, or follows from the media type. If an unfinished upload of a file exists, it is
 * resumed.
 */
export function send(files: File[], chosen?: UploadKind) {
  for (const file of files) {
    const kind = chosen ?? kindOf(file)
    const fingerprint = fingerprintOf(file, kind)
    const same = uploads.find(
      (other) => other.state !== 'done' && fingerprintOf(other.file, other.kind) === fingerprint,
    )
    if (!same) uploads = [...uploads, { id: ++last, file, kind, sent: 0, state: 'waiting' }]
    else if (same.state === 'paused' || same.state === 'failed') change(same.id, { state: 'waiting' })
  }
  next()
}

/** Pauses an upload. The server keeps the bytes for a day. */
export function pause(id: number) {
  stop(id)
  change(id, { state: 'paused' })
  next()
}

/** Resumes an upload that was paused or has failed. */
export function resume(id: number) {
  change(id, { state: 'waiting' })
  next()
}

/** Cancels an upload and deletes its bytes. A completed upload is only removed from the list. */
export function cancel(id: number) {
  const { upload } = runs.get(id) ?? {}
  const cancelled = uploads.find((one) => one.id === id)
  if (cancelled && cancelled.state !== 'done') {
    // If this request fails, the server deletes the upload when it expires, so the error is ignored.
    void upload?.abort(true).catch(() => undefined)
    forgetFile(cancelled.file, cancelled.kind)
  }
  runs.delete(id)
  uploads = uploads.filter((one) => one.id !== id)
  next()
}

/** The kind of a file by its media type. */
function kindOf({ type }: File): UploadKind {
  if (/^image\/(jpeg|png|webp|gif)$/.test(type)) return 'image'
  const [family] = type.split('/')
  return family === 'video' || family === 'audio' ? family : 'file'
}

function next() {
  const busy = uploads.filter(({ state }) => state === 'sending' || state === 'interrupted').length
  const due = uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, maxConcurrent - busy))
  for (const { id } of due) void begin(id)
  for (const listener of listeners) listener()
}

function change(id: number, changes: Partial<UploadInProgress>) {
  uploads = uploads.map((one) => (one.id === id ? { ...one, ...changes } : one))
  for (const listener of listeners) listener()
}

function stop(id: number) {
  const run = runs.get(id)
  void run?.upload?.abort().catch(() => undefined)
  runs.set(id, { ...run, number: (run?.number ?? 0) + 1 })
}

async function begin(id: number) {
  stop(id)
  const { number, upload: before } = runs.get(id)!
  const { file, kind } = uploads.find((one) => one.id === id)!
  const isCurrent = () => runs.get(id)?.number === number
  change(id, { state: 'sending' })
  const end = (changes: Partial<UploadInProgress>) => {
    if (!isCurrent()) return
    change(id, changes)
    next()
  }
  try {
    const { DefaultHttpStack, Upload } = await import('tus-js-client')
    const stack = new DefaultHttpStack({})
    const upload: Upload = new Upload(file, {
      ...{
        endpoint,
        chunkSize,
        retryDelays: retryDelaysMs,
        // For each request, since an upload may take longer than the token is valid.
        onBeforeRequest: (request) => {
          for (const [name, value] of Object.entries(authorization())) request.setHeader(name, value)
        },
        removeFingerprintOnSuccess: true,
      },
      ...(before?.url && { uploadUrl: before.url }),
      httpStack: {
        createRequest: (method, url) => stack.createRequest(method, sameOriginPath(url)),
        getName: () => stack.getName(),
      },
      metadata: { kind, filename: file.name, filetype: file.type },
      fingerprint: async () => fingerprintOf(file, kind),
      onProgress: (sent) => isCurrent() && change(id, { sent, state: 'sending' }),
      onShouldRetry: (error) => {
        const isLost = isTemporary(error)
        if (isLost && isCurrent()) change(id, { state: 'interrupted' })
        return isLost
      },
      onError: (error) => {
        if (isFinal(error)) forgetFile(file, kind)
        end({ state: 'failed', error: messageOf(error) })
      },
      onSuccess: () => end({ state: 'done', sent: file.size, digest: upload.url?.split('/').at(-1) ?? '' }),
    })
    const [previous] = resumable(await upload.findPreviousUploads())
    if (!isCurrent()) return
    if (previous && !before?.url) upload.resumeFromPreviousUpload(previous)
    runs.set(id, { number, upload })
    upload.start()
  } catch (error) {
    end({ state: 'failed', error: messageOf(error) })
  }
}

let sender = userNow()

// When another user signs in, stops the uploads of the previous user and removes them from the list.
onSession(() => {
  const now = userNow()
  if (now === sender) return
  sender = now
  for (const { id } of uploads) stop(id)
  runs.clear()
  uploads = []
  for (const listener of listeners) listener()
})

addEventListener('online', () => {
  for (const { id, state } of uploads) if (state === 'interrupted') resume(id)
})
