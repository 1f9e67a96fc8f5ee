import { exactly, id, integer, list, oneOf, optional, text, textOf } from '../schema.ts'
import { time } from '../time.ts'

export const dbtSyncStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN'] as const
export const dbtSyncTriggers = ['manual', 'api', 'webhook', 'agent', 'unknown'] as const

export const Phase = exactly({
  phase: optional(text),
  outcome: optional(text),
  durationMs: optional(integer),
  startedOffsetMs: optional(integer),
})

export const Stats = exactly({
  cubeCount: optional(integer),
  dbtVersion: optional(text),
  generatedFileCount: optional(integer),
  macros: optional(integer),
  manifestGeneratedAt: optional(text),
  models: optional(integer),
  sources: optional(integer),
})

export const TriggerContext = exactly({
  headSha: optional(text),
  pushedBranch: optional(text),
  targetBranch: optional(text),
})

/** The dbt sync item, field by field as in the specification. */
export const DbtSync = exactly({
  syncJobId: textOf(1, 200),
  deploymentId: id,
  branchName: text,
  source: text,
  startedAt: time,
  status: oneOf(dbtSyncStatuses),
  trigger: oneOf(dbtSyncTriggers),
  completedAt: optional(time),
  durationMs: optional(integer),
  errorMessage: optional(text),
  failedPhase: optional(text),
  gitRef: optional(text),
  lastStage: optional(text),
  phases: optional(list(Phase)),
  stats: optional(Stats),
  triggerContext: optional(TriggerContext),
  userId: optional(integer),
})
