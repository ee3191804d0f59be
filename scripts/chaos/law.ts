/** Something that must hold of all that a run has recorded. */
export interface Law<Run> {
  name: string
  /** What breaks it, each by one line; nothing where it holds. */
  breaches(run: Run): string[]
}

export interface LawVerdict {
  name: string
  breaches: string[]
}

/** Holds a run to each law. */
export const judge = <Run>(laws: Law<Run>[], run: Run): LawVerdict[] =>
  laws.map((law) => ({ name: law.name, breaches: law.breaches(run) }))

/** What a component's chaos run ends with. */
export interface ChaosReport {
  /** What happened, in numbers. */
  figures: Record<string, number>
  verdicts: LawVerdict[]
}

/** What a chaos run is told. */
export interface ChaosSettings {
  /** How many tasks or documents. */
  size: number
  kills: number
  seed: number
  log(line: string): void
}

/** The module of a component's chaos run. */
export interface Chaos {
  /** How large a run is unless it is said. */
  long: { size: number; kills: number }
  run(settings: ChaosSettings): Promise<ChaosReport>
}
