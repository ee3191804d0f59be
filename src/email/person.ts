// Data of persons in the emails: those that the mail trap of a local start has stored. A deployment stores no email.
import type { PersonalPlace } from '#core/person/places'
import type { Env } from './bindings.ts'
import { eraseCaughtTo, hasTrap, listCaughtTo } from './caught-mails.ts'

const mailsPerPage = 10

const caughtMails: PersonalPlace<Env> = {
  name: 'caught_mails',
  columns: {},
  async erase(env, { email }) {
    return { erased: email === undefined || !hasTrap(env) ? 0 : await eraseCaughtTo(env, email) }
  },
  async read(env, { email }, cursor = '0') {
    if (email === undefined || !hasTrap(env)) return { rows: [] }
    const page = await listCaughtTo(env, email, { offset: Number(cursor), limit: mailsPerPage })
    return { rows: page.messages, next: page.hasMore ? String(Number(cursor) + page.messages.length) : undefined }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [caughtMails]
