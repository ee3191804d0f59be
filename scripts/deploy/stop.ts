/** Ends the deployment with a one-line message. Any other error that is thrown is a bug. */
export class Stop extends Error {
  override name = 'Stop'
}
