// Checks of a new stub that need more than its schema.
import { invalid } from '#core/failure'
import { objectionTo } from '#core/outgoing/url'
import type { Env } from './bindings.ts'
import type { NewStub } from './contract/stubs.ts'
import { checkTemplates } from './reply-template.ts'

/** Throws 400 if a stub has a template that is invalid, or forwards to a URL that is not allowed. */
export function checkStub(env: Env, { replies = [], forward }: NewStub): void {
  const objection = forward === undefined ? undefined : objectionTo(forward, env)
  if (objection) throw invalid('forward', objection)
  for (const [i, reply] of replies.entries()) checkTemplates(reply, `replies.${i}`)
}
