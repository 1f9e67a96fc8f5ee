import { clinics, commerce, operations, readersOf } from './accounts.ts'
import { type Change, type JsonObject, put } from './change.ts'
import { Random } from './random.ts'

const stages = ['checkout', 'install', 'compile', 'convert', 'validate', 'publish']
const branches = ['main', 'main', 'main', 'release/2026-q3', 'priya/margin-fix', 'marcus/returns-model']
const errors: Record<string, string[]> = {
  checkout: ['Could not reach git.harborline.example: connection timed out after 30 s'],
  install: ['Package harborline/date_spine: no version satisfies >=1.4.0,<1.5.0'],
  compile: [
    "Compilation error in model fct_orders (models/marts/fct_orders.sql): 'currency_code' is undefined",
    'Model stg_shipments depends on a node named dim_carrier, which was not found',
  ],
  convert: ['Model dim_customers: column "segment" has two types, text and integer'],
  validate: ['View returns: the join path returns.orders.regions has a cycle'],
  publish: ['Branch main moved while the sync ran; start it again'],
}

/** Splits the duration over the stages that were reached; the last one has the outcome of the whole. */
function phases(random: Random, reached: number, durationMs: number, outcome: string): JsonObject[] {
  let startedOffsetMs = 0
  return stages.slice(0, reached).map((phase, index) => {
    const isLast = index === reached - 1
    const rest = durationMs - startedOffsetMs
    const took = isLast ? rest : Math.floor((rest / (reached - index)) * (0.4 + random.next()))
    const entry = { phase, outcome: isLast ? outcome : 'succeeded', durationMs: took, startedOffsetMs }
    startedOffsetMs += took
    return entry
  })
}

function sync(random: Random, deploymentId: number, startedMs: number, status: string): JsonObject {
  const trigger = random.pick(['webhook', 'webhook', 'webhook', 'manual', 'manual', 'api', 'agent', 'unknown'])
  const branchName = random.pick(branches)
  const headSha = random.hex(40)
  const made: JsonObject = {
    syncJobId: random.uuid(),
    deploymentId,
    branchName,
    source: random.pick(['github', 'github', 'gitlab', 'dbt_cloud']),
    startedAt: new Date(startedMs).toISOString(),
    status,
    trigger,
  }
  if (trigger === 'webhook') made.triggerContext = { headSha, pushedBranch: branchName, targetBranch: 'main' }
  if (trigger === 'agent') made.triggerContext = { targetBranch: branchName }
  if (trigger === 'manual' || trigger === 'api') made.userId = random.pick(readersOf(deploymentId)).id
  if (random.chance(0.8)) made.gitRef = random.chance(0.5) ? headSha : `refs/heads/${branchName}`

  const durationMs = random.integer(21_000, 540_000)
  const reached = status === 'COMPLETED' ? stages.length : random.integer(1, stages.length)
  const lastStage = stages[reached - 1] ?? 'checkout'
  if (status === 'UNKNOWN') return made
  made.lastStage = lastStage
  if (status === 'RUNNING') {
    return { ...made, phases: phases(random, reached, durationMs, 'succeeded') }
  }
  const outcome = status === 'COMPLETED' ? 'succeeded' : status === 'FAILED' ? 'failed' : 'cancelled'
  made.completedAt = new Date(startedMs + durationMs).toISOString()
  made.durationMs = durationMs
  made.phases = phases(random, reached, durationMs, outcome)
  if (status === 'FAILED') {
    made.failedPhase = lastStage
    made.errorMessage = random.pick(errors[lastStage] ?? ['The sync stopped'])
  }
  if (reached > stages.indexOf('convert')) {
    made.stats = {
      cubeCount: random.integer(18, 44),
      dbtVersion: random.pick(['1.9.4', '1.10.2', '1.10.6']),
      generatedFileCount: random.integer(30, 90),
      macros: random.integer(380, 460),
      manifestGeneratedAt: new Date(startedMs + Math.floor(durationMs / 2)).toISOString(),
      models: random.integer(60, 120),
      sources: random.integer(12, 25),
    }
  }
  return made
}

const usual = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'FAILED', 'CANCELLED', 'UNKNOWN']

function history(deploymentId: number, count: number): Change[] {
  const random = new Random(`dbt syncs of ${deploymentId}`)
  const from = Date.parse('2026-01-05T06:30:00Z')
  const step = Math.floor((Date.parse('2026-10-30T16:00:00Z') - from) / count)
  return Array.from({ length: count }, (_, index) => {
    // Every 25th starts in the same millisecond as the one before it: then the id decides the order.
    const slot = index % 25 === 24 ? index - 1 : index
    const startedMs = from + slot * step + ((slot * 7_919_317) % step)
    const isLatest = index >= count - 3
    return put('dbtSync', sync(random, deploymentId, startedMs, isLatest ? 'RUNNING' : random.pick(usual)))
  })
}

export const dbtSyncs = (): Change[] => [...history(commerce, 150), ...history(operations, 80), ...history(clinics, 6)]
