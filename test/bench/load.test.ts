import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { groups, measureGroup, wrong } from '../../bench/load/measure.ts'
import { measureMix } from '../../bench/load/mix.ts'
import { hasPackages } from '../../bench/load/packages.ts'
import { memoryTable, postgresTable, serviceTable } from '../../bench/load/report.ts'
import { send, sendRight } from '../../bench/load/requests.ts'
import { startTargets, type Target, type Targets } from '../../bench/load/sides.ts'
import { operations } from '../../functions/operations/operations.ts'

let targets: Targets

beforeAll(async () => {
  targets = await startTargets(inject('engineEndpoint'), hasPackages())
})

afterAll(() => targets.stop())

/** Sends the operations of all groups, each so that the next one has the sessions that it takes. */
async function sendAll(target: Target, having: (id: string) => boolean) {
  for (const id of groups.flatMap((group) => group.flatMap((id) => (id === group[0] ? [id, id] : [id])))) {
    if (having(id)) await sendRight(target.url, target.shots[id])
  }
}

test('The load benchmark has every operation in a group', () => {
  expect(groups.flat().toSorted()).toEqual(Object.keys(operations).toSorted())
})

describe.each(['service', 'functions', 'bare'] as const)('The server "%s" of the load benchmark', (name) => {
  test('gives the right answer to every operation', () => sendAll(targets[name], () => true))
})

test('The bare server of the load benchmark gives the headers that the service gives', async () => {
  const ofOneRequest = ['apigw-requestid', 'x-request-id', 'date', 'keep-alive']
  for (const id of groups.map(([id]) => id as keyof typeof operations)) {
    const [service, bare] = await Promise.all(
      [targets.service, targets.bare].map(async ({ url, shots }) => {
        const { headers } = await send(url, shots[id])
        return Object.entries(headers).filter(([header]) => !ofOneRequest.includes(header))
      }),
    )
    expect([id, bare]).toEqual([id, service])
  }
})

const withoutPackages = 'Its packages are not here. npm run bench:load installs them.'

test('The server over PostgreSQL gives the answers of the service', async ({ skip }) => {
  skip(!hasPackages(), withoutPackages)
  const { fastify } = targets
  await sendAll(fastify as Target, (id) => /workbooks|generate|exchange/.test(id))
})

test('The load benchmark measures a group and the mix, and reports them', async ({ skip }) => {
  skip(!hasPackages(), withoutPackages)
  const { service, functions, bare, fastify } = targets
  const group = ['generate-session', 'exchange-session'] as const
  const measured = [
    ...(await measureGroup(group, [service, functions, bare], 2, 0.1)),
    ...(await measureGroup(group, [fastify as Target], 2, 0.1)),
  ]
  const mixed = await measureMix(targets, 2, 2)
  expect(wrong([...measured.flatMap(({ rounds }) => rounds), mixed.service])).toBe(0)
  const report = [serviceTable(measured, [mixed]), postgresTable(measured), memoryTable([mixed])].join('\n')
  expect(report).toMatch(/^\| generate-session \| 2 \| /m)
  expect(report).toMatch(/^\| the mix \| 2 \| /m)
  expect(report).not.toMatch(/NaN|undefined/)
})
