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
  useSendings,
} from './uploads.ts'

/** Where files are chosen or dropped, and how far each of them is. */
export function Upload() {
  const sendings = useSendings()
  const [kind, setKind] = useState<UploadKind>()
  const [isOver, setOver] = useState(false)
  return (
    <Section title="Upload">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen by the button in it */}
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
            <option value="">what its type says</option>
            {kinds.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Left sendings={sendings} />
      {sendings.length > 0 && (
        <ul class="sendings" aria-label="Uploads">
          {sendings.map((sending) => (
            <One key={sending.id} sending={sending} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function One({ sending: { id, file, kind, sent, state, error, digest } }: { sending: UploadInProgress }) {
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
        <Button label={`${state === 'done' ? 'Take off the list' : 'Cancel'}: ${file.name}`} onClick={() => cancel(id)}>
          {state === 'done' ? 'Take off the list' : 'Cancel'}
        </Button>
      </div>
      {state === 'failed' && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
      {state === 'interrupted' && <p class="quiet">The connection is lost. It goes on by itself when it is back.</p>}
    </li>
  )
}

/** What an earlier visit left unfinished. */
function Left({ sendings }: { sendings: UploadInProgress[] }) {
  const [, again] = useState(0)
  const drop = useAction(forget, { done: 'The upload is forgotten.', after: () => again((before) => before + 1) })
  const own = sendings.map(({ file, kind }) => `tus::${fingerprintOf(file, kind)}::`)
  const left = unfinished().filter(({ key }) => !own.some((start) => key.startsWith(start)))
  if (left.length === 0) return null
  return (
    <ul class="sendings" aria-label="Unfinished uploads">
      {left.map(({ key, name, size }) => (
        <li key={key}>
          <p class="name">
            {name} <span class="quiet">{sizeOf(size)}</span>
          </p>
          <p class="quiet">Not all of it is there. Choose the same file again to go on.</p>
          <Button label={`Forget ${name}`} isBusy={drop.isBusy} onClick={() => drop.run(key)}>
            Forget
          </Button>
        </li>
      ))}
    </ul>
  )
}
