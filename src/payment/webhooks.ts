import { DurableObject } from 'cloudflare:workers'

/** The webhooks that are still to be acknowledged. */
export class Webhooks extends DurableObject {}
