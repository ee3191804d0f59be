// Reads the sampling rate of logs from the secrets file. It becomes `head_sampling_rate` in the configuration of each Worker.
import { type DeploySecrets, samplingVariable } from './secrets.ts'
import { Stop } from './stop.ts'

/** The share of a Worker's invocations whose logs are stored, from 0 to 1; undefined for the rate of its configuration. */
export function samplingRateOf({ shared, own }: DeploySecrets, worker: string): number | undefined {
  const text = own[worker]?.[samplingVariable] ?? shared[samplingVariable] ?? ''
  if (text === '') return undefined
  const rate = Number(text)
  if (rate >= 0 && rate <= 1) return rate
  throw new Stop(`${samplingVariable} must be a number from 0 to 1, got ${JSON.stringify(text)}`)
}
