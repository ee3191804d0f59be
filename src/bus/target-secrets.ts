// The encrypted signing secrets of a collection: for its handler, and for each origin of webhooks.

/** Encrypted secrets by target, the newer first. */
export type TargetSecrets = Record<string, string[]>

/** The encrypted secrets of a target in the stored JSON. */
export const secretsFor = (json: string, target: string): string[] => (JSON.parse(json) as TargetSecrets)[target] ?? []
