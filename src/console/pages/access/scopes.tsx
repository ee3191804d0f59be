// Pickers of scopes and bounds, for keys and tokens.
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { manifests } from '#manifests'
import { Button } from '../../parts/bits.tsx'
import { Labelled } from '../../parts/labelled.tsx'

const components = ['*', ...manifests.map(({ name }) => name), 'gateway']

/** The levels, each with the operations that it allows. */
const levels = {
  read: 'read',
  write: 'write, includes read',
  manage: 'manage, includes read and write',
  metrics: 'metrics only',
  '*': 'everything',
}

const bindable = [...new Set(manifests.flatMap((manifest) => ('bindable' in manifest ? manifest.bindable : [])))].sort()

interface ScopesProps {
  value: string[]
  onChange: (scopes: string[]) => void
}

/** Chooses scopes by component and level. */
export function Scopes({ value, onChange }: ScopesProps) {
  const [component, setComponent] = useState('*')
  const [level, setLevel] = useState('read')
  const scope = component === '*' && level === '*' ? '*' : `${component}:${level}`
  return (
    <Chosen
      label="Scopes"
      empty="None yet: add at least one."
      of={value}
      onRemove={(gone) => onChange(value.filter((one) => one !== gone))}
    >
      <Labelled label="Component">
        {(tied) => (
          <select {...tied} value={component} onChange={({ currentTarget }) => setComponent(currentTarget.value)}>
            {components.map((name) => (
              <option key={name} value={name}>
                {name === '*' ? 'all components' : name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label="Level">
        {(tied) => (
          <select {...tied} value={level} onChange={({ currentTarget }) => setLevel(currentTarget.value)}>
            {Object.entries(levels).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Button
        label={`Add scope ${scope}`}
        isDisabled={value.includes(scope)}
        onClick={() => onChange([...value, scope])}
      >
        Add scope
      </Button>
    </Chosen>
  )
}

type ChosenBounds = Record<string, string>

interface BoundsProps {
  value: ChosenBounds
  onChange: (bounds: ChosenBounds) => void
}

/** Chooses values that parameters must have. */
export function BoundsFields({ value, onChange }: BoundsProps) {
  const [name, setName] = useState(bindable[0] ?? '')
  const [text, setText] = useState('')
  const add = () => {
    onChange({ ...value, [name]: text })
    setText('')
  }
  return (
    <Chosen
      label="Bounds"
      empty="None: not restricted to certain records."
      of={listOf(value)}
      onRemove={(gone) => onChange(Object.fromEntries(Object.entries(value).filter((entry) => textOf(entry) !== gone)))}
    >
      <Labelled label="Parameter">
        {(tied) => (
          <select {...tied} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
            {bindable.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label="Value">
        {(tied) => (
          <input
            {...tied}
            type="text"
            value={text}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Labelled>
      <Button isDisabled={text === ''} onClick={add}>
        Add bound
      </Button>
    </Chosen>
  )
}

const textOf = ([name, value]: [string, string]) => `${name} = ${value}`

/** Bounds as texts, one for each parameter. */
export const listOf = (bounds: ChosenBounds): string[] => Object.entries(bounds).map(textOf)

interface ChosenProps {
  label: string
  empty: string
  of: string[]
  onRemove: (one: string) => void
  /** The fields that add an item. */
  children: ComponentChildren
}

/** A list of chosen items, each with a button to remove it, above the fields that add one. */
function Chosen({ label, empty, of, onRemove, children }: ChosenProps) {
  const id = useId()
  return (
    <fieldset class="field chosen" aria-labelledby={id}>
      <legend id={id}>{label}</legend>
      {of.length === 0 && <p class="quiet">{empty}</p>}
      <ul>
        {of.map((one) => (
          <li key={one}>
            <code>{one}</code>{' '}
            <Button kind="plain" label={`Remove ${one}`} onClick={() => onRemove(one)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <div class="fields inline">{children}</div>
    </fieldset>
  )
}
