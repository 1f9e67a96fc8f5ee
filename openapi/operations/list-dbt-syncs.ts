import { pageOf, responseSchemas } from '../components.ts'
import { listParameters, onlyPage } from '../lists.ts'
import type { Described } from '../operation.ts'

const dbtSync = {
  syncJobId: 'sync-2026-06-01-0007',
  deploymentId: 1001,
  branchName: 'main',
  source: 'github',
  startedAt: '2026-06-01T06:00:00Z',
  status: 'FAILED',
  trigger: 'webhook',
  completedAt: '2026-06-01T06:01:12Z',
  durationMs: 72_000,
  errorMessage: 'Model orders: column discount does not exist.',
  failedPhase: 'dbt-compile',
  gitRef: 'refs/heads/main',
  lastStage: 'dbt-compile',
  phases: [
    { phase: 'repo-clone', outcome: 'succeeded', durationMs: 8000, startedOffsetMs: 0 },
    { phase: 'dbt-compile', outcome: 'failed', durationMs: 64_000, startedOffsetMs: 8000 },
  ],
  stats: { dbtVersion: '1.9.1', models: 48, macros: 12, sources: 9 },
  triggerContext: { headSha: '4b825dc642cb6eb9a060e54bf8d69288fbee4904', pushedBranch: 'main' },
}

export const described: Described = {
  tag: 'Dbt syncs',
  summary: 'List dbt syncs of a deployment',
  description: 'Newest start first, then by `syncJobId`. Needs read access to the deployment.',
  parameters: {
    ...listParameters,
    status: { description: 'Only syncs in this status.' },
    trigger: { description: 'Only syncs with this trigger.' },
  },
  success: {
    description: 'A page of dbt syncs.',
    schema: pageOf(responseSchemas.DbtSync),
    examples: { page: { summary: 'A failed sync', value: onlyPage([dbtSync]) } },
  },
}
