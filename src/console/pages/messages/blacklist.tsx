// Tab of the messages page that looks up one phone on the SMS blacklist, adds it or removes it.
import { useState } from 'preact/hooks'
import { QuartermasterError } from '#client/index'
import { Button, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

interface BlacklistEntry {
  phone: string
  /** When the phone entered the blacklist; undefined if it is not on it. */
  since: string | undefined
}

/** The user enters a phone, since the API cannot list the blacklist. */
export function Blacklist() {
  const [found, setFound] = useState<BlacklistEntry>()
  const look = useAction(find, { after: setFound })
  const add = useAction(
    async (phone: string) => {
      await q().sms.post('/blacklist', { phone })
      return find(phone)
    },
    { done: 'The phone gets no messages and no calls.', after: setFound },
  )
  const remove = useAction(
    async (phone: string) => {
      await q().sms.delete('/blacklist', { phone })
      return find(phone)
    },
    { done: 'The phone is off the blacklist.', after: setFound },
  )
  return (
    <>
      <p>A phone on the blacklist gets no messages and no calls, one-time passwords aside.</p>
      <Form
        fields={[{ name: 'phone', label: 'Phone', isRequired: true, help: 'With its country code' }]}
        submit="Look it up"
        keeps
        onSubmit={({ phone }) => look.run(String(phone))}
        isBusy={look.isBusy}
        error={look.error}
      />
      {found && (
        <div class="actions" role="status">
          {found.since === undefined ? (
            <>
              <span>{found.phone} is not on the blacklist.</span>
              <Button isBusy={add.isBusy} onClick={() => add.run(found.phone)}>
                Put it there
              </Button>
            </>
          ) : (
            <>
              <span>
                {found.phone} is on the blacklist since <Time of={found.since} />.
              </span>
              <ConfirmButton
                question="It gets messages and calls again."
                isBusy={remove.isBusy}
                onConfirm={() => remove.run(found.phone)}
              >
                Take it off
              </ConfirmButton>
            </>
          )}
        </div>
      )}
    </>
  )
}

async function find(phone: string): Promise<BlacklistEntry> {
  try {
    const { blacklist } = await q().sms.post('/blacklist/search', { phone })
    return { phone: blacklist.phone, since: blacklist.created_at }
  } catch (error) {
    if (error instanceof QuartermasterError && error.code === 'not_blacklisted') return { phone, since: undefined }
    throw error
  }
}
