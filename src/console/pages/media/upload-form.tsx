// The form with which users upload files to the media component.
import { useState } from 'preact/hooks'
import { Button, Progress, State, sizeOf } from '../../parts/bits.tsx'
import { Section } from '../../parts/page.tsx'
import { hrefOf } from '../../route.ts'
import { useAction } from '../../use.ts'
import { fingerprintOf, forget, unfinished } from './unfinished.ts'
import {
  cancel,
  isKind,
  kinds,
  pause,
  resume,
  send,
  type UploadInProgress,
  type UploadKind,
  useUploads,
} from './uploads.ts'

/** Shows the form to choose or drop files, and the list of uploads with their progress. */
export function Upload() {
  const uploads = useUploads()
  const [kind, setKind] = useState<UploadKind>()
  const [isOver, setOver] = useState(false)
  return (
    <Section title="Upload">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file input in it does the same for the keyboard */}
      <div
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          send([...(event.dataTransfer?.files ?? [])], kind)
        }}
      >
        <label>
          Drop files here, or choose them{' '}
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              send([...(currentTarget.files ?? [])], kind)
              currentTarget.value = ''
            }}
          />
        </label>
        <label>
          Store as{' '}
          <select
            value={kind ?? ''}
            onChange={({ currentTarget: { value } }) => setKind(isKind(value) ? value : undefined)}
          >
            <option value="">kind by media type</option>
            {kinds.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <UnfinishedUploads uploads={uploads} />
      {uploads.length > 0 && (
        <ul class="sendings" aria-label="Uploads">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function UploadRow({ upload: { id, file, kind, sent, state, error, digest } }: { upload: UploadInProgress }) {
  const isStopped = state === 'paused' || state === 'failed'
  return (
    <li aria-label={file.name}>
      <p class="name">
        {digest ? <a href={hrefOf(['media', kind, digest])}>{file.name}</a> : file.name}{' '}
        <span class="quiet">
          {kind}, {sizeOf(file.size)}
        </span>
      </p>
      {state !== 'done' && <Progress of={file.size === 0 ? 0 : sent / file.size} label={`Uploaded of ${file.name}`} />}
      <State of={state} />
      <div class="actions">
        {isStopped && (
          <Button
            label={state === 'failed' ? `Try again: ${file.name}` : `Resume ${file.name}`}
            onClick={() => resume(id)}
          >
            {state === 'failed' ? 'Try again' : 'Resume'}
          </Button>
        )}
        {!isStopped && state !== 'done' && (
          <Button label={`Pause ${file.name}`} onClick={() => pause(id)}>
            Pause
          </Button>
        )}
        <Button
          label={`${state === 'done' ? 'Remove from the list' : 'Cancel'}: ${file.name}`}
          onClick={() => cancel(id)}
        >
          {state === 'done' ? 'Remove from the list' : 'Cancel'}
        </Button>
      </div>
      {state === 'failed' && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
      {state === 'interrupted' && (
        <p class="quiet">The connection is lost. The upload resumes when the connection is back.</p>
      )}
    </li>
  )
}

/** Lists uploads that an earlier visit of the page started and did not finish. */
function UnfinishedUploads({ uploads }: { uploads: UploadInProgress[] }) {
  const [, again] = useState(0)
  const remove = useAction(forget, { done: 'Upload deleted.', after: () => again((before) => before + 1) })
  const own = uploads.map(({ file, kind }) => `tus::${fingerprintOf(file, kind)}::`)
  const unfinishedUploads = unfinished().filter(({ key }) => !own.some((start) => key.startsWith(start)))
  if (unfinishedUploads.length === 0) return null
  return (
    <ul class="sendings" aria-label="Unfinished uploads">
      {unfinishedUploads.map(({ key, name, size }) => (
        <li key={key}>
          <p class="name">
            {name} <span class="quiet">{sizeOf(size)}</span>
          </p>
          <p class="quiet">The upload is incomplete. Choose the same file again to resume it.</p>
          <Button label={`Delete ${name}`} isBusy={remove.isBusy} onClick={() => remove.run(key)}>
            Delete
          </Button>
        </li>
      ))}
    </ul>
  )
}
