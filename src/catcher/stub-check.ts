// Checks of a new stub that need more than its schema.
import type { NewStub } from './contract/stubs.ts'
import { checkTemplates } from './reply-template.ts'

/** Throws 400 if a stub has a template that is invalid. */
export function checkStub({ replies }: NewStub): void {
  for (const [i, reply] of replies.entries()) checkTemplates(reply, `replies.${i}`)
}
