import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { putValuesIntoAnswers, ReadsInOnePass } from './reads.ts'
import { Sha256 } from './sha256.ts'
import { isConflict, statusOf } from './unavailable.ts'

/**
 * How long one attempt may take. DynamoDB answers within milliseconds, so an answer that takes
 * longer will not come.
 */
const limits = {
  connectionTimeout: 1000,
  requestTimeout: 1500,
  // Without it the SDK only logs that the time is over.
  throwOnRequestTimeout: true,
  // The limit above ends with the first piece of an answer. This one is for the time between two
  // pieces.
  socketTimeout: 1500,
}

/**
 * How often a call is tried. With the waits between, the last attempt ends within 8 seconds of the
 * first.
 */
export const maxAttempts = 3

/** What takes time in each call and is not needed (docs/design.md#decisions). */
const unneeded = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware']

/**
 * A client whose calls end in time, are tried again where that may help, and fail with errors that
 * people can read.
 */
export function documentClient(endpoint?: string): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    requestHandler: limits,
    maxAttempts,
    protocol: ReadsInOnePass,
    sha256: Sha256,
    ...(endpoint && {
      endpoint,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  })
  for (const name of unneeded) client.middlewareStack.remove(name)
  putValuesIntoAnswers(client)
  // Within an attempt, so that the SDK sees what it may try again.
  client.middlewareStack.add((next) => (args) => next(args).catch(throwInPlainWords), {
    step: 'finalizeRequest',
    priority: 'low',
    name: 'plainErrors',
  })
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  })
  // The SDK copies its configuration four times for each call. V8 copies an object faster that is a
  // prototype.
  for (const _ in Object.create(documents.config)) break
  return documents
}

/**
 * The same command, which the SDK tries only once. The caller tries it again in another way, or not
 * at all.
 */
export function once<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
): Command {
  const stack = command.middlewareStack as DynamoDBClient['middlewareStack']
  // It takes the place of the part that tries again.
  stack.add((next) => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  })
  return command
}

/** Options for a call that is not the point of a request, which waits for it for 250 ms at most. */
export const briefly = () => ({ abortSignal: AbortSignal.timeout(250) })

/**
 * The database, or something in front of it, gave an answer that isn't DynamoDB's. The error does
 * not have it.
 */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  readonly $retryable = {}

  constructor() {
    super('The database gave an answer that cannot be read.')
  }
}

/**
 * Throws the error of an attempt again. The SDK repeats a conflict or any 5xx only if the error is
 * marked.
 */
function throwInPlainWords(error: unknown): never {
  // The SDK adds an answer that cannot be parsed to the error, and says so in its message.
  if (error instanceof SyntaxError || (error instanceof TypeError && '$response' in error))
    throw new UnreadableAnswer()
  // The SDK's message about a time limit names parts and settings of the SDK.
  if (error instanceof Error && error.name === 'TimeoutError')
    error.message = 'The database did not answer in time.'
  throw isConflict(error) || statusOf(error) >= 500
    ? Object.assign(error as Error, { $retryable: {} })
    : error
}
