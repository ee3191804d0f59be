// The error that the egress proxy throws if it cannot or must not connect to a target, with the reasons for the caller.

/**
 * Reasons for a failed connection, as callers see them. They name no address and no program, which would reveal the
 * network behind the server.
 */
export const reasons = {
  refused: 'The address is not allowed',
  unknown: 'The name was not found',
  closed: 'The connection was refused or broke',
  slow: 'The address did not answer in time',
  spent: 'The document has loaded too much',
} as const

export class EgressError extends Error {
  readonly reason: keyof typeof reasons

  constructor(reason: keyof typeof reasons) {
    super(reasons[reason])
    this.reason = reason
  }
}
