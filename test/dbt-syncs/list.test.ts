import { dbtSyncStatuses, dbtSyncTriggers } from '@embed-access/core/dbt-syncs/dbt-sync.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pagesOf } from '../support/pages.ts'
import { dbtSync, keptDecisions, people, world } from '../support/service.ts'
import { slow } from '../support/time.ts'

const arbitrarySyncs = fc.uniqueArray(
  fc.record({
    syncJobId: fc.string({
      minLength: 1,
      maxLength: 12,
      unit: fc.constantFrom('a', 'Z', '#', '%', 'é', '😀', '0', '\t', '\0'),
    }),
    startedAt: fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '2026-01-01T01:00:00+01:00',
      '2026-01-01T00:00:00.000000001Z',
      '2026-01-01T00:00:00.5Z',
      '2026-03-01',
      '1969-12-31T23:59:59.999Z',
    ),
    status: fc.constantFrom(...dbtSyncStatuses),
    trigger: fc.constantFrom(...dbtSyncTriggers),
  }),
  { selector: ({ syncJobId }) => syncJobId, maxLength: 25 },
)

function nanoseconds(time: string): bigint {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  return (
    BigInt(Math.floor(Date.parse(time) / 1000)) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
  )
}

describe('the dbt syncs of a deployment', () => {
  const service = world(people, keptDecisions)

  // Each run of this property makes a catalog and reads every list of it.
  test(
    'come newest first, for every filter and size of page, as a plain model has them',
    slow,
    async () => {
      await fc.assert(
        fc.asyncProperty(arbitrarySyncs, fc.integer({ min: 1, max: 26 }), async (syncs, first) => {
          const deploymentId = await service.newDeployment((at) =>
            syncs.map(({ syncJobId, ...data }) => dbtSync(at, syncJobId, data)),
          )
          const sorted = syncs.toSorted((a, b) => {
            const [left, right] = [nanoseconds(a.startedAt), nanoseconds(b.startedAt)]
            if (left === right)
              return Buffer.compare(Buffer.from(a.syncJobId), Buffer.from(b.syncJobId))
            return left < right ? 1 : -1
          })
          for (const status of [undefined, ...dbtSyncStatuses]) {
            for (const trigger of [undefined, 'api', 'manual'] as const) {
              const query = { ...(status && { status }), ...(trigger && { trigger }) }
              const found = await pagesOf(
                service,
                `/api/v1/deployments/${deploymentId}/dbt-sync`,
                query,
                first,
              )
              const expected = sorted.filter(
                (each) =>
                  (!status || each.status === status) && (!trigger || each.trigger === trigger),
              )
              expect(found.map(({ syncJobId }) => syncJobId)).toEqual(
                expected.map(({ syncJobId }) => syncJobId),
              )
            }
          }
        }),
        { numRuns: 20 },
      )
    },
  )

  test('from before the year 0, by their offset, come last', async () => {
    const times = ['2026-01-01', '0000-01-01T00:00:01Z', '0000-01-01T00:00:00+23:59']
    const deploymentId = await service.newDeployment((at) =>
      times.map((startedAt, index) => dbtSync(at, `${index}`, { startedAt })),
    )
    const found = await pagesOf(service, `/api/v1/deployments/${deploymentId}/dbt-sync`, {}, 1)
    expect(found.map(({ startedAt }) => startedAt)).toEqual(times)
  })

  test('that run are followed as they go on, by their newest revision', async () => {
    const deploymentId = await service.newDeployment()
    const run = (revision: number, data: object) => ({
      revision,
      ...dbtSync(deploymentId, 'run', {
        trigger: 'api',
        startedAt: '2026-01-02T00:00:00Z',
        ...data,
      }),
    })
    const running = run(1, { status: 'RUNNING', lastStage: 'compile' })
    const completed = run(3, {
      status: 'COMPLETED',
      completedAt: '2026-01-02T00:05:00Z',
      durationMs: 300_000,
    })
    const found = (query: Record<string, string>) =>
      pagesOf(service, `/api/v1/deployments/${deploymentId}/dbt-sync`, query, 10)
    const ids = async (query: Record<string, string>) =>
      (await found(query)).map(({ syncJobId }) => syncJobId)
    const [before, after] = ['01', '03'].map((day) => ({
      startedAt: `2026-01-${day}T00:00:00Z`,
      trigger: 'manual',
    }))

    await service.apply([
      dbtSync(deploymentId, 'before', before),
      dbtSync(deploymentId, 'after', after),
      running,
    ])
    expect(await ids({})).toEqual(['after', 'run', 'before'])
    expect(await ids({ status: 'RUNNING' })).toEqual(['run'])
    expect(await ids({ status: 'COMPLETED' })).toEqual(['after', 'before'])

    // The end overtakes a step before it, which comes twice.
    const step = run(2, { status: 'RUNNING', lastStage: 'build' })
    await service.apply([completed, step, step])
    expect(await ids({ status: 'RUNNING' })).toEqual([])
    expect(await ids({ status: 'RUNNING', trigger: 'api' })).toEqual([])
    expect(await ids({ status: 'COMPLETED' })).toEqual(['after', 'run', 'before'])
    expect(await ids({ status: 'COMPLETED', trigger: 'api' })).toEqual(['run'])
    expect(await found({ trigger: 'api' })).toEqual([completed.data])
  })
})
