/** Why a document did not get somewhere, in words for whoever asked for it: they name no address and no program. */
export const reasons = {
  refused: 'The address is not allowed',
  unknown: 'The name was not found',
  closed: 'The connection was refused or broke',
  slow: 'The address did not answer in time',
  spent: 'The document has loaded too much',
} as const

/** A place that the proxy did not reach. */
export class Unreachable extends Error {
  readonly reason: keyof typeof reasons

  constructor(reason: keyof typeof reasons) {
    super(reasons[reason])
    this.reason = reason
  }
}
