import { stat } from 'node:fs/promises'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { type TableName, tableNames } from '@embed-access/core/storage/tables.ts'
import { tableVariables } from '../functions/runtime/environment.ts'
import { type Explanation, verb } from './command.ts'
import { reasonIn, type Terminal, UsageError } from './terminal.ts'

/** What the names of the tables begin with, unless the environment names them. */
export const tablePrefix = 'embed-access'

export type Place = {
  /** The address of a service that `npm start` runs. */
  url?: string | undefined
  /** The data directory of a service that does not run now. */
  data?: string | undefined
}

export const environmentHelp = `
Environment:
  DYNAMODB_ENDPOINT   the address of the database, instead of --url and --data. Without all
                      three: AWS's DynamoDB
  ${Object.values(tableVariables).join(', ')}
                      names of the tables (default: ${tablePrefix}-catalog, …). A command
                      with --url or --data ignores them
  AWS_REGION, …       as for every program that uses AWS`

/** A verb that works on the tables, with the options that say where these are. */
export const onTables = (name: string, about: string, help: Explanation) =>
  verb(name, about, help)
    .option('--url <url>', 'the database of the service that npm start runs at this address')
    .option('--data <dir>', 'the database in the --data directory of a service that is stopped')

/**
 * Calls `work` with tables. If a place is given, these are the tables of its local server, which
 * have the default names. The environment does not count then, because it may name the tables of a
 * deployed stage. If no place is given, the environment names the tables.
 * @param work gets the database's address too, unless it is AWS's
 * @throws UsageError if two options name a database, or there is none at the place
 */
export async function withStorage<Result>(
  { env, connect: connectTo = connect }: Pick<Terminal, 'env' | 'connect'>,
  place: Place & { stage?: string | undefined },
  work: (storage: Storage, endpoint: string | undefined) => Promise<Result>,
): Promise<Result> {
  const { endpoint, stop } = await databaseOf(env, place)
  const tables: Record<TableName, string> = { ...tablesWithPrefix(tablePrefix) }
  if (place.url === undefined && place.data === undefined)
    for (const name of tableNames) tables[name] = env[tableVariables[name]] || tables[name]
  const storage = connectTo(tables, endpoint)
  const began = performance.now()
  try {
    return await work(storage, endpoint)
  } catch (error) {
    const afterMs = performance.now() - began
    const region = await storage.client.config.region().catch(() => undefined)
    throw explainAwsError(error, endpoint, afterMs, region, place.stage)
  } finally {
    storage.client.destroy()
    await stop?.()
  }
}

type Database = { endpoint: string | undefined; stop?: () => Promise<unknown> }

async function databaseOf(env: NodeJS.ProcessEnv, { url, data }: Place): Promise<Database> {
  const endpoint = endpointIn(env, { url, data })
  if (url !== undefined) return { endpoint: await engineBehind(url) }
  if (data === undefined) return { endpoint }
  const isThere = (path: string) => stat(path).catch((error) => unlessForbidden(data, error))
  const directory = await isThere(data)
  if (!directory?.isDirectory()) throw new UsageError(`There is no directory ${data}.`)
  const { databaseFile, startEngine } = await import('../local/engine.ts')
  if (!(await isThere(databaseFile(data))))
    throw new UsageError(`${data} has no database of npm start.`)
  return startEngine(data)
}

function unlessForbidden(data: string, { code }: NodeJS.ErrnoException): undefined {
  if (code === 'EACCES') throw new UsageError(`You may not open ${data}.`)
}

/**
 * The address of the database, if the environment has one.
 * @throws UsageError if the text is no address, or if the command names a place too
 */
export function endpointIn(
  { DYNAMODB_ENDPOINT }: NodeJS.ProcessEnv,
  { url, data }: Place,
): string | undefined {
  const endpoint = DYNAMODB_ENDPOINT || undefined
  const places = Object.entries({ '--url': url, '--data': data, DYNAMODB_ENDPOINT: endpoint })
  const given = places.flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (given.length > 1)
    throw new UsageError(`${given.join(' and ')} both say where the database is. Give one of them.`)
  if (endpoint && !(/^https?:/.test(endpoint) && URL.canParse(endpoint)))
    throw new UsageError('DYNAMODB_ENDPOINT is not an address, such as http://127.0.0.1:8000.')
  return endpoint
}

/** Whoever names a stage means no service of this machine. */
function reasonsFor(stage: string | undefined) {
  const or = stage === undefined ? ', or name the service of npm start with --url' : ''
  return {
    CredentialsProviderError: `There are no AWS credentials ({message}). Log in to AWS${or}.`,
    'Region is missing': `There is no AWS region. Set AWS_REGION${or}.`,
  }
}

const tablesAdvice =
  'Set AWS_REGION to the region of the stage, and CATALOG_TABLE, SESSIONS_TABLE and ' +
  'CREDENTIALS_TABLE to its tables; or DYNAMODB_ENDPOINT to the address of a local engine.'

const noAnswer = /^(TimeoutError|ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)$/

export const databaseAt = (endpoint: string | undefined): string =>
  endpoint === undefined ? 'AWS’s DynamoDB' : `The database at ${endpoint}`

export function explainAwsError(
  error: unknown,
  endpoint: string | undefined,
  afterMs: number,
  region?: string,
  stage?: string,
): unknown {
  const { name, code = '' } = error as NodeJS.ErrnoException
  const cause = [code, name].find((each) => noAnswer.test(each))
  if (cause !== undefined) {
    const seconds = (afterMs / 1000).toFixed(1)
    const advice = `The command gave up after ${seconds} s. Check that it runs, and its address.`
    const what = `${databaseAt(endpoint)} does not answer (${cause}).`
    return new Error(`${what} ${advice}`, { cause: error })
  }
  const notDynamo = `What answers at ${endpoint ?? 'AWS'} is no DynamoDB. Check the address.`
  const place = endpoint ?? `AWS in ${region}`
  const noTables = `There are no such tables at ${place}. ${tablesAdvice}`
  const all = {
    ...reasonsFor(stage),
    ResourceNotFoundException: noTables,
    UnreadableAnswer: notDynamo,
    'Not Found': notDynamo,
  }
  const reason = reasonIn(all, error)
  return reason === undefined ? error : new Error(reason, { cause: error })
}

async function engineBehind(url: string): Promise<string> {
  const page = URL.parse('/local/engine.json', url)
  if (page === null)
    throw new UsageError(`${url} is not an address. Give --url as npm start prints it.`)
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(page, { signal }).catch(() => undefined)
  if (response === undefined)
    throw new Error(`Nothing answers at ${url}. Start the service with npm start.`)
  const body: unknown = await response.json().catch(() => undefined)
  const { endpoint } = Object(body)
  if (typeof endpoint === 'string') return endpoint
  const advice = 'For a deployed stage, leave --url out and use AWS credentials.'
  throw new Error(`${url} is no service of npm start. ${advice}`)
}
