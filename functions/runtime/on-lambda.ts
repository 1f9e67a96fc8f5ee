import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Environment } from './environment.ts'
import type { Runtime } from './runtime.ts'
import type { StorageSource } from './storage.ts'
import { issuer } from './tokens.ts'
import { type Rehearsal, warmUp } from './warm-up.ts'

/** Makes each part of the runtime that a function needs, from the environment, and from its storage if it has one. */
type Sources<Parts> = {
  readonly [Part in keyof Parts]: Part extends 'storage'
    ? StorageSource
    : (environment: Environment, storage: Storage) => Parts[Part]
}

/** What every function has. */
type Base = Pick<Runtime, 'now' | 'log' | 'issuer'>

type Invoke<Event, Result, Rest extends readonly unknown[]> = (event: Event, ...rest: Rest) => Promise<Result>

/**
 * Makes the handler that Lambda calls. On Lambda it is made, and warmed up, while the function starts. AWS bills that time
 * as it bills calls, but gives a whole processor, so the same work is done sooner and costs less. And a bad environment
 * stops the deployment. Elsewhere the first call makes it, so importing a function needs no environment.
 */
export async function onLambda<Parts, Event, Result, Rest extends readonly unknown[]>(
  create: (runtime: Parts & Base) => Invoke<Event, Result, Rest>,
  sources: Sources<Omit<Parts, keyof Base>>,
  rehearsal: Rehearsal<Parts & Base, Event>,
): Promise<Invoke<Event, Result, Rest>> {
  const source = (sources as { storage?: StorageSource }).storage
  const runtime = () => runtimeFrom(process.env, source, sources) as Parts & Base
  if (process.env.AWS_LAMBDA_FUNCTION_NAME) {
    const made = runtime()
    await warmUp(create as never, made as never, source, rehearsal as never)
    return create(made)
  }
  let made: Invoke<Event, Result, Rest> | undefined
  return async (event, ...rest) => {
    made ??= create(runtime())
    return made(event, ...rest)
  }
}

function runtimeFrom(environment: Environment, source: StorageSource | undefined, sources: object): Base {
  const storage = source?.connect(environment)
  const { storage: _, ...others } = sources as Record<string, (environment: Environment, storage?: Storage) => unknown>
  const parts = Object.entries(others).map(([part, source]) => [part, source(environment, storage)])
  const log = environment.METRICS === 'true' ? writeLine : withoutMetrics
  const base = { now: Date.now, log, issuer: issuer(environment) }
  return { ...base, ...(storage && { storage }), ...Object.fromEntries(parts) }
}

/** Lambda puts a prefix before each line of `console`, so CloudWatch could not read it as JSON. */
const writeLine: Runtime['log'] = (entry) => {
  process.stdout.write(`${JSON.stringify(entry)}\n`)
}

/** CloudWatch makes metrics of each stage from a line's `_aws` part, and they cost by stage. */
const withoutMetrics: Runtime['log'] = ({ _aws, ...entry }) => writeLine(entry)
