import type { FunctionRecord } from '../operations/record.ts'
import type { Definition, DeployedHandler, Handler, Parts, Runtime } from './definition.ts'
import { edgeHashes } from './edge.ts'
import { type Environment, issuer } from './environment.ts'
import { warmUp } from './warm-up.ts'

/**
 * Makes the handler that Lambda calls. On Lambda it is made, and warmed up, while the function
 * starts. AWS bills that time as it bills calls, but gives a whole processor, so the same work is
 * done sooner and costs less. A bad environment shows at the first call, so the smoke test stops
 * such a deployment. Elsewhere the first call makes the handler, so importing a function needs no
 * environment.
 */
export async function deployed<Made, Event, Result>(
  { tables }: Pick<FunctionRecord, 'tables'>,
  definition: Definition<Made, Event, Result>,
): Promise<DeployedHandler<Made, Event, Result>> {
  const { make, create, warmUpRequest } = definition
  const partsFrom = (environment: Environment): Parts<Made> => {
    const runtime = runtimeFrom(environment)
    const storage = definition.storage.connect(environment, tables)
    const made = make({ environment, storage, now: runtime.now })
    return { ...runtime, storage, ...made }
  }
  let ready: Handler<Event, Result> | undefined
  if (process.env.AWS_LAMBDA_FUNCTION_NAME) {
    const parts = partsFrom(process.env)
    await warmUp(definition, tables, parts)
    const sinceProcessBegan = Math.round(performance.now())
    ready = create({ ...parts, initMs: sinceProcessBegan })
  }
  const handler: Handler<Event, Result> = (event, context) => {
    ready ??= create(partsFrom(process.env))
    return ready(event, context)
  }
  return Object.assign(handler, { make, create, warmUpRequest })
}

const runtimeFrom = (environment: Environment): Runtime => ({
  now: Date.now,
  log: environment.METRICS === 'true' ? writeLine : withoutMetrics,
  issuer: issuer(environment),
  edge: edgeHashes(environment),
})

/**
 * Lambda wraps each line of `console`, also in its JSON format, so CloudWatch would make no metric
 * of it. A line of JSON that is written to the standard output stays as it is:
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
const writeLine: Runtime['log'] = (entry) => {
  process.stdout.write(`${JSON.stringify(entry)}\n`)
}

/** CloudWatch makes metrics of the `_aws` part of a line. They cost money for each stage. */
const withoutMetrics: Runtime['log'] = ({ _aws, ...entry }) => writeLine(entry)

/**
 * Middy's options for a function that answers requests. The function gives up before its time ends,
 * so it has time to answer.
 */
export const timeLimit = {
  timeoutEarlyInMillis: 250,
  timeoutEarlyResponse: (): never => {
    // The SDK's timeouts have this name too, so this one also becomes a 503.
    throw new DOMException(
      'The function gave up shortly before the end of its time.',
      'TimeoutError',
    )
  },
}
