import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { FunctionRecord } from '../operations/record.ts'
import { edgeHashes } from './edge.ts'
import { type Environment, issuer } from './environment.ts'
import type { Definition, Handler, LambdaHandler, Parts, Runtime, Uses } from './runtime.ts'
import { warmUp } from './warm-up.ts'

/**
 * Makes the handler that Lambda calls. On Lambda it is made, and warmed up, while the function
 * starts. AWS bills that time as it bills calls, but gives a whole processor, so the same work is
 * done sooner and costs less. A bad environment shows at the first call, so it is the smoke test that
 * stops such a deployment. Elsewhere the first call makes the handler, so importing a function needs
 * no environment.
 */
export async function lambda<Used extends Uses, Event, Result>(
  { tables }: Pick<FunctionRecord, 'tables'>,
  definition: Definition<Used, Event, Result>,
): Promise<LambdaHandler<Used, Event, Result>> {
  const { uses, warmUpRequests } = definition
  const create = (given: Runtime) =>
    definition.create(partsFrom(uses, tables, given)) as Handler<Event, Result>
  let made: Handler<Event, Result> | undefined
  if (process.env.AWS_LAMBDA_FUNCTION_NAME) {
    const parts = partsFrom(uses, tables, runtimeFrom(process.env))
    await warmUp(definition, tables, parts)
    made = create(parts)
  }
  const handler: Handler<Event, Result> = (event, context) => {
    made ??= create(runtimeFrom(process.env))
    return made(event, context)
  }
  return Object.assign(handler, { create, warmUpRequests })
}

/** A function that uses storage names it first, since other parts may need it. */
function partsFrom<Used extends Uses>(
  uses: Used,
  tables: FunctionRecord['tables'],
  given: Runtime,
): Parts<Used> {
  const parts: Runtime & { storage?: Storage; [part: string]: unknown } = { ...given }
  for (const [part, source] of Object.entries(uses)) {
    parts[part] ??= source({
      environment: process.env,
      tables,
      now: given.now,
      storage: parts.storage as Storage,
    })
  }
  return parts as Parts<Used>
}

const runtimeFrom = (environment: Environment): Runtime => ({
  now: Date.now,
  log: environment.METRICS === 'true' ? writeLine : withoutMetrics,
  issuer: issuer(environment),
  edge: edgeHashes(environment),
})

/** Lambda puts a prefix before each line of `console`, so CloudWatch could not read it as JSON. */
const writeLine: Runtime['log'] = (entry) => {
  process.stdout.write(`${JSON.stringify(entry)}\n`)
}

/** CloudWatch makes metrics of each stage from a line's `_aws` part, and they cost by stage. */
const withoutMetrics: Runtime['log'] = ({ _aws, ...entry }) => writeLine(entry)

/**
 * Middy's options for a function that answers requests. It gives up before its end, and then has
 * time to answer.
 */
export const timeLimit = {
  timeoutEarlyInMillis: 250,
  timeoutEarlyResponse: (): never => {
    // The SDK's own errors of time have the same name.
    throw new DOMException(
      'The function gave up shortly before the end of its time.',
      'TimeoutError',
    )
  },
}
