import { DurableObject } from 'cloudflare:workers'

export class Guard extends DurableObject<unknown> {}
