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
  if (!parsed.success) throw new Error(`The environment variable ${name} ${parsed.issues[0].message}.`)
  return parsed.output
}

/** The environment variables with the names of the tables. */
export const tableVariables: Readonly<Record<TableName, string>> = {
  catalog: 'CATALOG_TABLE',
  sessions: 'SESSIONS_TABLE',
  credentials: 'CREDENTIALS_TABLE',
  signingKeys: 'SIGNING_KEYS_TABLE',
}
