import { maxTokenSeconds, minTokenSeconds } from '@embed-access/core/access/lifetimes.ts'
import type { TokenLimits } from '@embed-access/core/sessions/token.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import * as v from 'valibot'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads an environment variable. An empty one counts as not set.
 * @throws Error with a sentence that names the variable, but not its value, which may be a key
 */
export function readVariable<Value>(
  environment: Environment,
  name: string,
  schema: v.GenericSchema<string, Value>,
  otherwise?: string,
): Value {
  const given = environment[name] || otherwise
  if (given === undefined) throw new Error(`The environment variable ${name} is not set.`)
  const parsed = v.safeParse(schema, given, { abortPipeEarly: true })
  if (!parsed.success)
    throw new Error(`The environment variable ${name} ${parsed.issues[0].message}.`)
  return parsed.output
}

export const tableVariables: Readonly<Record<TableName, string>> = {
  catalog: 'CATALOG_TABLE',
  sessions: 'SESSIONS_TABLE',
  credentials: 'CREDENTIALS_TABLE',
  signingKeys: 'SIGNING_KEYS_TABLE',
}

/**
 * The longest life of a token in seconds, and its greatest length in bytes, unless the environment
 * says otherwise.
 */
export const defaultLimits = { lifetimeSeconds: maxTokenSeconds, maxTokenBytes: 7_168 }

export const url = v.pipe(v.string(), v.url('must be a URL'))

const issuerUrl = v.pipe(
  url,
  v.check((value) => !value.endsWith('/'), 'must not end with a slash'),
)

/**
 * API Gateway takes 10,240 bytes of request line and header values. The path, the query with its
 * cursor, and what browsers and CloudFront add need the rest.
 */
const longestToken = 8_192

export const issuer = (environment: Environment): string =>
  readVariable(environment, 'ISSUER', issuerUrl)

/** AUDIENCE (by default the issuer), TOKEN_LIFETIME_SECONDS and MAX_TOKEN_BYTES. */
export function issuance(environment: Environment): TokenLimits {
  const iss = issuer(environment)
  const integer = (name: string, min: number, max: number, otherwise = max) => {
    const schema = v.pipe(
      v.string(),
      v.check(
        (digits) => /^\d+$/.test(digits) && Number(digits) >= min && Number(digits) <= max,
        `must be an integer from ${min} to ${max}`,
      ),
      v.transform(Number),
    )
    return readVariable(environment, name, schema, `${otherwise}`)
  }
  const { lifetimeSeconds, maxTokenBytes } = defaultLimits
  return {
    issuer: iss,
    audience: readVariable(environment, 'AUDIENCE', v.string(), iss),
    lifetimeSeconds: integer('TOKEN_LIFETIME_SECONDS', minTokenSeconds, lifetimeSeconds),
    maxTokenBytes: integer('MAX_TOKEN_BYTES', 1, longestToken, maxTokenBytes),
  }
}
