import type { Json, JsonObject } from './json.ts'

/** What is drawn and told of a dbt sync. All else is shown as it comes. */
export type DbtSync = JsonObject & {
  syncJobId: string
  branchName: string
  source: string
  startedAt: string
  status: string
  trigger: string
}

export type Phase = {
  readonly phase: string
  readonly outcome: string
  readonly durationMs: number
  readonly startedOffsetMs: number
}

export const phasesOf = ({ phases }: DbtSync): readonly Phase[] =>
  Array.isArray(phases) ? (phases as unknown as Phase[]) : []

/** How long it took, or has run for as far as its phases tell; nothing where neither is known. */
export function lengthOf(sync: DbtSync): number | undefined {
  if (typeof sync.durationMs === 'number') return sync.durationMs
  const ends = phasesOf(sync).map(({ startedOffsetMs, durationMs }) => startedOffsetMs + durationMs)
  return ends.length > 0 ? Math.max(...ends) : undefined
}

export const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
