import { expect, test } from 'vitest'
import { acmeTenant, people, revised, without, world } from '../support/service.ts'
import { sessionsOf, tokenStatus } from '../support/sessions.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { commanded, environmentOf } from './environment.ts'
import { gateToEngine } from './gate.ts'

const service = world()
const { newToken } = sessionsOf(service)
const directory = temporaryDirectory()
const [oak, elm] = [acmeTenant('oak'), acmeTenant('elm')]

test.each([
  ['import', 'oak', [revised(2, without(oak))]],
  ['reconcile --apply --yes --until 1', 'elm', [...people, oak]],
])('%s of a deletion ends all tokens, by however slow a clock', async (command, name, lines) => {
  await service.apply([revised(1, oak), revised(1, elm)])
  const aheadMs = 120_000
  service.now = Date.now() + aheadMs
  const token = await newToken({ embedTenantName: name, externalId: 'u' })
  expect(await tokenStatus(service, token)).toBe(200)
  const file = await fileIn(directory, 'changes.ndjson', lines)
  const gate = await gateToEngine(() => 'passes', aheadMs)
  const env = environmentOf(service.storage.tables, gate)
  await commanded('catalog', `${command} ${file}`, { env })
  expect(await tokenStatus(service, token)).toBe(401)
})
