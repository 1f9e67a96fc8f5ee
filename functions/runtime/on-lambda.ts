import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Environment } from './environment.ts'
import type { Runtime } from './runtime.ts'
import { issuer } from './tokens.ts'

/** Makes each part of the runtime that a function needs, from the environment, and from its storage if it has one. */
type Sources<Parts> = {
  readonly [Part in keyof Parts]: (environment: Environment, storage: Storage) => Parts[Part] | Promise<Parts[Part]>
}

/** What every function has. */
type Base = Pick<Runtime, 'now' | 'log' | 'issuer'>

type Invoke<Event, Result, Rest extends readonly unknown[]> = (event: Event, ...rest: Rest) => Promise<Result>

/**
 * Makes the handler that Lambda calls. On Lambda it is made while the function starts: that time is cheap, and a bad
 * environment stops the deployment. Elsewhere the first call makes it, so importing a function needs no environment.
 */
export async function onLambda<Parts, Event, Result, Rest extends readonly unknown[]>(
  create: (runtime: Parts & Base) => Invoke<Event, Result, Rest>,
  sources: Sources<Omit<Parts, keyof Base>>,
): Promise<Invoke<Event, Result, Rest>> {
  const make = async () => create((await runtimeFrom(process.env, sources)) as Parts & Base)
  if (process.env.AWS_LAMBDA_FUNCTION_NAME) return make()
  let made: ReturnType<typeof make> | undefined
  return async (event, ...rest) => {
    made ??= make()
    return (await made)(event, ...rest)
  }
}

async function runtimeFrom<Parts>(environment: Environment, sources: Sources<Parts>): Promise<Parts & Base> {
  const { storage: connect, ...others } = sources as Record<
    string,
    (environment: Environment, storage?: Storage) => unknown
  >
  const storage = connect?.(environment) as Storage | undefined
  const parts = Object.entries(others).map(async ([part, source]) => [part, await source(environment, storage)])
  const made = Object.fromEntries(await Promise.all(parts))
  const log = environment.METRICS === 'true' ? writeLine : withoutMetrics
  return { now: Date.now, log, issuer: issuer(environment), ...(storage && { storage }), ...made }
}

/** Lambda puts a prefix before each line of `console`, so CloudWatch could not read it as JSON. */
const writeLine: Runtime['log'] = (entry) => {
  process.stdout.write(`${JSON.stringify(entry)}\n`)
}

/** CloudWatch makes metrics of each stage from a line's `_aws` part, and they cost by stage. */
const withoutMetrics: Runtime['log'] = ({ _aws, ...entry }) => writeLine(entry)
