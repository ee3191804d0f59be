// The size of a container instance, and the price of its time.
import { type BilledUsage, dollarsPerMillion } from './prices.ts'

/** `instance_type` of both containers: https://developers.cloudflare.com/containers/platform-details/limits/ */
export const instance = { type: 'standard-3', vcpu: 2, memoryGib: 8, diskGb: 16 }

/** `max_instances` of each container. */
export const maxInstances = 3

/** `sleepAfter` of both containers: an idle instance runs for this time. */
export const idleSeconds = 600

/** Memory and disk that an instance is billed for in this time, busy or idle. */
export const timeOf = (seconds: number) => ({
  container_gib_s: seconds * instance.memoryGib,
  container_gb_s: seconds * instance.diskGb,
})

/** Price of an instance from its last request until it sleeps. */
export const idleDollars = () => dollarsPerMillion({ ...nothing, ...timeOf(idleSeconds) }) / 1e6

/** No use. */
export const nothing: BilledUsage = {
  ...{
    requests: 0,
    cpu_ms: 0,
    d1_read: 0,
    d1_written: 0,
    object_requests: 0,
    gb_s: 0,
    object_read: 0,
    object_written: 0,
  },
  ...{ r2_a: 0, r2_b: 0, log_events: 0, vcpu_s: 0, container_gib_s: 0, container_gb_s: 0 },
}
