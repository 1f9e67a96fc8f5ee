import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import {
  demoChanges,
  keptDecisions,
  put,
  revised,
  type World,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'
import { type Request, requests } from './demo-requests.ts'
import { catalogOn } from './environment.ts'

/* Two services; the second one gets what the first one's catalog exports. */

const [first, second] = [world(demoChanges(), keptDecisions), world([], keptDecisions)]
const directory = temporaryDirectory()
const compared = Object.entries(requests).filter(([, all]) => all.length > 0)

beforeAll(async () => {
  const gone = [
    put('workbook', { deploymentId: 1001, id: 5021 }),
    put('embedTenant', { accountId: 'harborline', name: 'quillfield' }),
    put('group', { accountId: 'harborline', name: 'buyers' }),
  ]
  await first.apply(gone.map((change) => revised(2, without(change))))
  const defining = {
    deploymentId: 1001,
    embedTenantName: 'made-by-a-session',
    externalId: 'u-1',
    creatorMode: true,
    tenantGroupDefinitions: [{ name: 'editors', description: 'May edit' }],
    userAttributeDefinitions: [{ name: 'depot', defaultValue: 'Bergen' }],
  }
  expect((await sessionsOf(first).generate(defining, demoKeys.admin)).status).toBe(200)
  const copy = join(directory, 'copy.ndjson.gz')
  expect(await catalogOn(first.storage)('export', copy)).toMatchObject({ code: 0 })
  expect(await catalogOn(second.storage)('import', copy)).toMatchObject({ code: 0 })
})

// Some ask for many pages.
test.each(compared)('%s answers from the imported copy as before', slow, async (id, all) => {
  const answers = []
  for (const request of all) answers.push(await compare(request))
  const pagesWithItems = answers.filter(({ text }) => text.startsWith('{"items":[{'))
  if (id.startsWith('list-')) expect(pagesWithItems.length).toBeGreaterThan(5)
  // One of the sessions names a group that was deleted.
  if (id === 'generate-session')
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
})

test('every key opens in the imported copy what it opened before', async () => {
  const statuses = new Set<number>()
  for (const [, [request]] of compared) {
    for (const key of Object.values(demoKeys))
      statuses.add((await compare(request as Request, key)).status)
  }
  expect(statuses).toEqual(new Set([200, 204, 401, 403, 404]))
})

/** Compares the answers of both services, and returns that of the first. */
async function compare([path, body]: Request, key: string = demoKeys.admin) {
  const answerOf = async (service: World) => {
    const { status, text } = await (body
      ? service.post(path, { key, body })
      : service.get(path, { key }))
    return { status, text: withoutChance(text) }
  }
  const [before, after] = await Promise.all([answerOf(first), answerOf(second)])
  expect([path, body, key, after]).toEqual([path, body, key, before])
  return before
}

/** Leaves out what depends on chance or on the time. */
function withoutChance(text: string): string {
  return text.replaceAll(
    /"requestId":"[^"]*"|"(jti|iat|nbf|exp|at)":("[^"]*"|\d+)|(?<=#anonymous#)[\w-]+/g,
    '',
  )
}
