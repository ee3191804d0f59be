import { useEffect, useState } from 'preact/hooks'
import type { Upload } from 'tus-js-client'
import { authorization, onSession } from '../../session.ts'
import { isFinal, isPassing, messageOf } from './refusals.ts'
import { fingerprintOf, forgetFile, keptOf } from './unfinished.ts'

export const kinds = ['image', 'video', 'audio', 'file'] as const
export type UploadKind = (typeof kinds)[number]

export const isKind = (text: string | null | undefined): text is UploadKind => kinds.some((kind) => kind === text)

/** A file on its way up. It goes on while another page is looked at. */
export interface UploadInProgress {
  id: number
  file: File
  kind: UploadKind
  /** Bytes. */
  sent: number
  /** `interrupted` goes on by itself, `failed` when it is told to. */
  state: 'waiting' | 'sending' | 'interrupted' | 'paused' | 'failed' | 'done'
  error?: string
  /** Of the item that it has become. */
  digest?: string
}

interface Run {
  /** Which attempt it is; those before it have nothing more to say. */
  number: number
  upload?: Upload
}

const endpoint = '/media/tus'
const atOnce = 3

/** Twice what the server stores at a time, and far below what Cloudflare takes in one request. */
const chunkSize = 10 * 1024 * 1024

/** Milliseconds: ten minutes without a connection are waited for. */
const retryDelays = [500, 1_000, 2_000, 5_000, 10_000, ...Array<number>(30).fill(20_000)]

let sendings: UploadInProgress[] = []
let last = 0
const runs = new Map<number, Run>()
const listeners = new Set<() => void>()

/** All files on their way, and those that have arrived, as they change. */
export function useSendings(): UploadInProgress[] {
  const [, again] = useState(0)
  useEffect(() => {
    const changed = () => again((before) => before + 1)
    listeners.add(changed)
    return () => void listeners.delete(changed)
  }, [])
  return sendings
}

/** Sends files up, each as what is chosen or else as what its type says. One that is on its way already goes on. */
export function send(files: File[], chosen?: UploadKind) {
  for (const file of files) {
    const kind = chosen ?? kindOf(file)
    const fingerprint = fingerprintOf(file, kind)
    const same = sendings.find(
      (other) => other.state !== 'done' && fingerprintOf(other.file, other.kind) === fingerprint,
    )
    if (!same) sendings = [...sendings, { id: ++last, file, kind, sent: 0, state: 'waiting' }]
    else if (same.state === 'paused' || same.state === 'failed') change(same.id, { state: 'waiting' })
  }
  next()
}

/** Stops a file on its way; what has arrived stays there for a day. */
export function pause(id: number) {
  stop(id)
  change(id, { state: 'paused' })
  next()
}

/** Goes on with a file that was paused or has failed, from the byte that it got to. */
export function resume(id: number) {
  change(id, { state: 'waiting' })
  next()
}

/** Ends the sending of a file; what has arrived of it is deleted. One that has arrived is only taken off the list. */
export function cancel(id: number) {
  const { upload } = runs.get(id) ?? {}
  const given = sendings.find((one) => one.id === id)
  if (given && given.state !== 'done') {
    // Where the server cannot be told, it forgets by itself.
    void upload?.abort(true).catch(() => undefined)
    forgetFile(given.file, given.kind)
  }
  runs.delete(id)
  sendings = sendings.filter((one) => one.id !== id)
  next()
}

/** JPEG, PNG, WebP and GIF are images, any video or audio is that, all else is a file. */
function kindOf({ type }: File): UploadKind {
  if (/^image\/(jpeg|png|webp|gif)$/.test(type)) return 'image'
  const [family] = type.split('/')
  return family === 'video' || family === 'audio' ? family : 'file'
}

/** An upload's address as this page reaches it; the API says it under `BASE_URL`, which may be another origin. */
const hereOf = (url: string) => (url === endpoint ? url : `${endpoint}/${url.split('/').at(-1)}`)

function next() {
  const busy = sendings.filter(({ state }) => state === 'sending' || state === 'interrupted').length
  const due = sendings.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, atOnce - busy))
  for (const { id } of due) void begin(id)
  for (const listener of listeners) listener()
}

function change(id: number, changes: Partial<UploadInProgress>) {
  sendings = sendings.map((one) => (one.id === id ? { ...one, ...changes } : one))
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
  const { file, kind } = sendings.find((one) => one.id === id)!
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
      ...{ endpoint, chunkSize, retryDelays, headers: authorization(), removeFingerprintOnSuccess: true },
      ...(before?.url && { uploadUrl: before.url }),
      httpStack: {
        createRequest: (method, url) => stack.createRequest(method, hereOf(url)),
        getName: () => stack.getName(),
      },
      metadata: { kind, filename: file.name, filetype: file.type },
      fingerprint: async () => fingerprintOf(file, kind),
      onProgress: (sent) => isCurrent() && change(id, { sent, state: 'sending' }),
      onShouldRetry: (error) => {
        const isLost = isPassing(error)
        if (isLost && isCurrent()) change(id, { state: 'interrupted' })
        return isLost
      },
      onError: (error) => {
        if (isFinal(error)) forgetFile(file, kind)
        end({ state: 'failed', error: messageOf(error) })
      },
      onSuccess: () => end({ state: 'done', sent: file.size, digest: upload.url?.split('/').at(-1) ?? '' }),
    })
    const [kept] = keptOf(await upload.findPreviousUploads())
    if (!isCurrent()) return
    if (kept && !before?.url) upload.resumeFromPreviousUpload(kept)
    runs.set(id, { number, upload })
    upload.start()
  } catch (error) {
    end({ state: 'failed', error: messageOf(error) })
  }
}

let sender = authorization().authorization

// Who comes next has not sent these, and what is on its way was sent by who has left.
onSession(() => {
  const now = authorization().authorization
  if (now === sender) return
  sender = now
  for (const { id } of sendings) stop(id)
  runs.clear()
  sendings = []
  for (const listener of listeners) listener()
})

addEventListener('online', () => {
  for (const { id, state } of sendings) if (state === 'interrupted') resume(id)
})
