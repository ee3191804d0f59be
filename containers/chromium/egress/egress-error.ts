/** Reasons why a document could not reach an address, for the caller. They name no address and no program. */
export const reasons = {
  refused: 'The address is not allowed',
  unknown: 'The name was not found',
  closed: 'The connection was refused or broke',
  slow: 'The address did not answer in time',
  spent: 'The document has loaded too much',
} as const

/** The proxy could not or must not connect to a target. */
export class EgressError extends Error {
  readonly reason: keyof typeof reasons

  constructor(reason: keyof typeof reasons) {
    super(reasons[reason])
    this.reason = reason
  }
}
