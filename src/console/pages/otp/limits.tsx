import { useState } from 'preact/hooks'
import { Button } from '../../parts/bits.tsx'
import { say } from '../../parts/notice.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { useAction, useData } from '../../use.ts'
import { type ChannelName, channels, type LimitRule, type Rules } from './channels.ts'
import './limits.css'

/** Editor of the limits of one-time passwords, by channel. */
export function Limits() {
  return (
    <>
      <p>
        All rules of a channel hold at once: a password that exceeds one of them is not sent. Without a rule, nothing is
        limited.
      </p>
      <div class="split">
        {(Object.keys(channels) as ChannelName[]).map((name) => (
          <ChannelLimits key={name} name={name} />
        ))}
      </div>
    </>
  )
}

function ChannelLimits({ name }: { name: ChannelName }) {
  const { title, read } = channels[name]
  const rules = useData(read, [name])
  return (
    <Section title={title}>
      <LoadedContent of={rules}>
        {(saved) => <RulesEditor name={name} saved={saved} onSaved={rules.reload} />}
      </LoadedContent>
    </Section>
  )
}

interface RulesProps {
  name: ChannelName
  saved: Rules
  onSaved: () => void
}

function RulesEditor({ name, saved, onSaved }: RulesProps) {
  const { title, target, write } = channels[name]
  const [rules, setRules] = useState(saved)
  const save = useAction(() => write(changesOf(saved, rules)), {
    done: `The limits of ${title} are set.`,
    after: onSaved,
  })
  const isChanged = JSON.stringify(rules) !== JSON.stringify(saved)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <RuleList
        channel={title}
        of="each IP address"
        rules={rules.ips}
        onChange={(ips) => setRules({ ...rules, ips })}
      />
      <RuleList
        channel={title}
        of={`each ${target.toLowerCase()}`}
        rules={rules.targets}
        onChange={(targets) => setRules({ ...rules, targets })}
      />
      {save.error !== undefined && (
        <p class="wrong" role="alert">
          {say(save.error)}
        </p>
      )}
      <div class="actions">
        <button
          type="submit"
          class="main"
          aria-label={`Save the limits of ${title}`}
          disabled={save.isBusy || !isChanged}
          aria-busy={save.isBusy}
        >
          Save
        </button>
        {isChanged && <span class="quiet">Not saved yet</span>}
      </div>
    </form>
  )
}

/** The lists that differ from the saved ones. Saving an unchanged default list would make it a set list and `ip` required. */
function changesOf(saved: Rules, { ips, targets }: Rules): Partial<Rules> {
  const isSame = (one: LimitRule[], other: LimitRule[]) => JSON.stringify(one) === JSON.stringify(other)
  return { ...(!isSame(ips, saved.ips) && { ips }), ...(!isSame(targets, saved.targets) && { targets }) }
}

interface ListProps {
  channel: string
  of: string
  rules: LimitRule[]
  onChange: (rules: LimitRule[]) => void
}

const first: LimitRule = { rate: 5, minutes: 10 }

function RuleList({ channel, of, rules, onChange }: ListProps) {
  const whole = `${of}, ${channel}`
  const change = (place: number, part: Partial<LimitRule>) =>
    onChange(rules.map((rule, i) => (i === place ? { ...rule, ...part } : rule)))
  return (
    <fieldset class="rules">
      <legend>For {of}</legend>
      {rules.length === 0 && <p class="quiet">No rule.</p>}
      <ul>
        {rules.map((rule, place) => (
          <li key={place}>
            <Whole
              label={`Sends, rule ${place + 1} for ${whole}`}
              value={rule.rate}
              onInput={(rate) => change(place, { rate })}
            />
            sends within
            <Whole
              label={`Minutes, rule ${place + 1} for ${whole}`}
              value={rule.minutes}
              onInput={(minutes) => change(place, { minutes })}
            />
            minutes
            <Button
              kind="plain"
              label={`Remove rule ${place + 1} for ${whole}`}
              onClick={() => onChange(rules.filter((_, i) => i !== place))}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      <Button label={`Add a rule for ${whole}`} onClick={() => onChange([...rules, first])}>
        Add a rule
      </Button>
    </fieldset>
  )
}

function Whole({ label, value, onInput }: { label: string; value: number; onInput: (value: number) => void }) {
  return (
    <input
      type="number"
      min={1}
      required
      aria-label={label}
      value={Number.isNaN(value) ? '' : value}
      onInput={({ currentTarget }) => onInput(currentTarget.valueAsNumber)}
    />
  )
}
