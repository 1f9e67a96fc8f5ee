import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { tablePrefix } from './table-prefix.ts'

/** Why AWS or the engine could not be used, as a person can act on it. */
const reasons: Readonly<Record<string, string>> = {
  ResourceNotFoundException:
    'There are no such tables. Set CATALOG_TABLE, SESSIONS_TABLE and CREDENTIALS_TABLE to the names of the stage’s, ' +
    'or DYNAMODB_ENDPOINT to the address of a local engine.',
  CredentialsProviderError: 'There are no AWS credentials. Log in to AWS, or set DYNAMODB_ENDPOINT for a local engine.',
  'Region is missing': 'There is no AWS region. Set AWS_REGION, or DYNAMODB_ENDPOINT for a local engine.',
  TimeoutError: 'The database does not answer. If DYNAMODB_ENDPOINT is set, check its address.',
  UnreadableAnswer: 'What answers at DYNAMODB_ENDPOINT is no DynamoDB. Check the address.',
  ECONNREFUSED: 'Nothing answers at DYNAMODB_ENDPOINT. Start the engine, or check the address.',
}

/** Works on the tables that the environment names, in the engine at this address or AWS's DynamoDB. */
export async function withStorage<Result>(
  work: (storage: Storage) => Promise<Result>,
  named: Partial<Storage['tables']> = {},
  endpoint = process.env.DYNAMODB_ENDPOINT,
): Promise<Result> {
  const { CATALOG_TABLE, SESSIONS_TABLE, CREDENTIALS_TABLE, SIGNING_KEYS_TABLE } = process.env
  const byDefault = tablesWithPrefix(tablePrefix)
  const storage = connect(
    {
      catalog: CATALOG_TABLE || byDefault.catalog,
      sessions: SESSIONS_TABLE || byDefault.sessions,
      credentials: CREDENTIALS_TABLE || byDefault.credentials,
      signingKeys: SIGNING_KEYS_TABLE || byDefault.signingKeys,
      ...named,
    },
    endpoint || undefined,
  )
  try {
    return await work(storage)
  } catch (error) {
    throw plainly(error)
  } finally {
    storage.client.destroy()
  }
}

/** The error as a sentence that says what to do, where there is one. */
export function plainly(error: unknown): unknown {
  const { name, code, message } = error as NodeJS.ErrnoException
  const reason = reasons[name] ?? reasons[code ?? ''] ?? reasons[message]
  return reason === undefined ? error : new Error(reason, { cause: error })
}
