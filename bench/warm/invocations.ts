import { deepStrictEqual } from 'node:assert'
import type { Context } from 'aws-lambda'
import { type OperationId, operations } from '../../functions/operations/operations.ts'
import { authorizerEvent, eventFor, type Handlers, type Scenario } from './scenario.ts'

export type Invoke = () => Promise<unknown>

/** Each operation, and the authorizer by each kind of credential: by ours, and by the least. */
export function invocationsOf([ours, least]: readonly [Handlers, Handlers], { apiKey, embedToken }: Scenario) {
  const context = {} as Context
  const operation = (id: OperationId): [string, Invoke, Invoke] => {
    const event = eventFor(id)
    const by =
      ({ operations }: Handlers) =>
      () =>
        operations[id]({ ...event }, context)
    return [id, by(ours), by(least)]
  }
  const authorizer = (kind: string, credential: string): [string, Invoke, Invoke] => {
    const event = authorizerEvent(credential)
    const by =
      ({ authorizer }: Handlers) =>
      () =>
        authorizer({ ...event }, context)
    return [`authorizer, by ${kind}`, by(ours), by(least)]
  }
  const ids = Object.keys(operations) as OperationId[]
  return [...ids.map(operation), authorizer('API key', apiKey), authorizer('embed token', embedToken)]
}

/**
 * Requires that both make the same calls and give the same answer, but for what is random.
 * @returns the names of the calls
 * @throws AssertionError
 */
export async function requireSame(
  name: string,
  both: readonly Handlers[],
  pair: readonly Invoke[],
  { putSession }: Scenario,
) {
  const results: { calls: readonly string[]; answer: string }[] = []
  for (const [index, invoke] of pair.entries()) {
    await putSession()
    // The first invocation of an instance also reads what is kept, and notes the use of the key.
    await invoke()
    const { asked } = both[index] as Handlers
    asked.length = 0
    const answer = JSON.stringify(sorted(await invoke()))
    const random = /(?<=\\"token\\":\\"[\w-]+\.[\w-]+\.)[\w-]{86}(?=\\")|(?<=\\"sessionId\\":\\")[\w-]{43}(?=\\")/g
    results.push({ calls: asked.toSorted(), answer: answer.replaceAll(random, '…') })
  }
  deepStrictEqual(results[1], results[0], name)
  return results[0]?.calls as readonly string[]
}

/** The same, with the fields in order of their names: what API Gateway makes of them is the same. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]))
}
