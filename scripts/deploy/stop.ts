/** Ends the deployment with one line for the user; anything else that is thrown is a bug. */
export class Stop extends Error {
  override name = 'Stop'
}
