// The types that all chaos runs share (invariants, settings, report), and the evaluation of invariants.

/** A condition that every recorded run must satisfy, whatever processes were killed. */
export interface Invariant<Run> {
  name: string
  /** One line per violation; empty if the invariant holds. */
  violations(run: Run): string[]
}

export interface InvariantResult {
  name: string
  violations: string[]
}

/** Evaluates each invariant of a run. */
export const evaluate = <Run>(invariants: Invariant<Run>[], run: Run): InvariantResult[] =>
  invariants.map((law) => ({ name: law.name, violations: law.violations(run) }))

/** Result of a chaos run. */
export interface ChaosReport {
  /** Numbers that describe the run, such as requests and kills. They are printed, not checked. */
  figures: Record<string, number>
  results: InvariantResult[]
}

/** Parameters of a chaos run. */
export interface ChaosSettings {
  /** Number of tasks, documents, payments or recipients. */
  size: number
  kills: number
  seed: number
  log(line: string): void
}

/** The module of a component's chaos run. */
export interface ChaosModule {
  /** Default size and kills of `npm run chaos`. */
  long: { size: number; kills: number }
  run(settings: ChaosSettings): Promise<ChaosReport>
}
