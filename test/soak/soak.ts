import { Command } from '@commander-js/extra-typings'
import { demoKeys } from '../../local/demo/keys.ts'
import { started } from '../support/command.ts'
import { memoryOf, openFilesOf } from './process.ts'

const program = new Command('npm run prove -- soak')
  .configureOutput({ getOutHelpWidth: () => 100 })
  .description(
    'Sends mixed traffic to a local server with the demo catalog, and checks every answer ' +
      'exactly. At the end it compares the server’s memory and sockets with those after the ' +
      'first tenth and a half. Linux only.',
  )
  .option('--minutes <number>', 'how long', Number, 5)

const width = 8
const deployment = '/api/v1/deployments/1001'

const lists = [
  `${deployment}/embed-tenants/alder-oak/workbooks?first=20`,
  `${deployment}/dbt-sync?first=20`,
  `${deployment}/notifications?first=20`,
]

async function soak(minutes: number): Promise<void> {
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.')
  const { url, pid, end } = await started()
  try {
    const expected = await Promise.all(lists.map((path) => textOf(url, path)))
    const tenth = minutes * 6000
    let requests = 0
    const after = async (tenths: number) => {
      requests += await traffic(url, expected, tenths * tenth)
      return { requests, 'memory, MB': memoryOf(pid), 'open files': openFilesOf(pid) }
    }
    console.table({
      'after the first tenth': await after(1),
      'after a half': await after(4),
      'at the end': await after(5),
    })
  } finally {
    await end()
  }
}

/** Sends requests side by side for so many milliseconds. Each answer must be right. */
async function traffic(url: string, expected: readonly string[], lastsMs: number): Promise<number> {
  const end = performance.now() + lastsMs
  let sent = 0
  const lane = async () => {
    while (performance.now() < end) {
      const list = sent % lists.length
      require(expected[list] ===
        (await textOf(url, lists[list] as string)), `${lists[list]} changed`)
      sent += 1 + (await oneSession(url))
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return sent
}

/** A session from its making to its refusal; every second one is revoked before it is redeemed. */
async function oneSession(url: string): Promise<number> {
  const body = { deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'soak' }
  const made = await send(url, '/api/v1/embed/generate-session', body)
  const { sessionId } = (await made.json()) as { sessionId: string }
  const redeem = async () => (await send(url, '/api/v1/embed/session/token', { sessionId })).status
  const revoke = async () => (await send(url, '/api/v1/embed/session/revoke', { sessionId })).status
  const steps =
    sessionId < 'V'
      ? [await redeem(), await redeem(), await revoke()]
      : [await revoke(), await redeem()]
  const right = sessionId < 'V' ? '200,401,204' : '204,401'
  require(String(steps) === right, `a session gave ${steps}, and not ${right}`)
  return steps.length + 1
}

const send = (url: string, path: string, body?: object): Promise<Response> =>
  fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${demoKeys.admin}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

async function textOf(url: string, path: string): Promise<string> {
  const response = await send(url, path)
  require(response.status === 200, `${path} gave ${response.status}`)
  return response.text()
}

function require(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

export const run = () => soak(program.parse().opts().minutes)
