import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { putValuesIntoAnswers, ReadsInOnePass } from './reads.ts'
import { Sha256 } from './sha256.ts'
import { isConflict, isDatabaseUnavailable, isThrottled, statusOf } from './unavailable.ts'

/** How long one attempt may take. DynamoDB answers within milliseconds. */
const limits = {
  connectionTimeout: 1000,
  // Until the first piece of an answer.
  requestTimeout: 1500,
  // Otherwise the SDK only logs that the time is over.
  throwOnRequestTimeout: true,
  // Between two pieces.
  socketTimeout: 1500,
}

/**
 * How often a call is tried. All attempts with the waits between them end within 8 seconds, unless
 * an answer comes in pieces.
 */
export const maxAttempts = 3

/** Parts of the SDK that take time in each call and are not needed (docs/design.md#decisions). */
const unneeded = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware']

/** A client that ends each call in time, tries it again where that helps, and words its errors. */
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
  // This runs within an attempt, so that the SDK sees which errors it may try again.
  client.middlewareStack.add((next) => (args) => next(args).catch(throwInPlainWords), {
    step: 'finalizeRequest',
  })
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}

/** Makes the SDK try a command only once. Returns the command. */
export function once<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
): Command {
  const stack = command.middlewareStack as DynamoDBClient['middlewareStack']
  // This replaces the part that tries again.
  stack.add((next) => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  })
  return command
}

/**
 * Waits before another attempt at a command that the SDK tries only {@link once}: longer each time.
 * @param failures how many attempts have failed
 * @throws the error, if three attempts have failed or another attempt would fail too
 */
export async function pauseBeforeRetry(
  { pause }: { pause(milliseconds: number): Promise<void> },
  failures: number,
  error: unknown,
): Promise<void> {
  if (failures === maxAttempts || !isDatabaseUnavailable(error)) throw error
  await pause(100 * 2 ** failures)
}

/** Options for a call that the request does not need. The call ends after 250 ms at most. */
export const briefly = () => ({ abortSignal: AbortSignal.timeout(250) })

/** DynamoDB cannot have given this answer. The error shows no part of the answer. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
  readonly $retryable = {}

  constructor() {
    super('The database gave an answer that cannot be read.')
  }
}

/**
 * Words some errors anew. Marks a conflict, a throttled transaction and any 5xx: otherwise the SDK
 * does not try them again.
 */
function throwInPlainWords(error: Error): never {
  // The SDK adds an answer that cannot be parsed to the error, and says so in its message.
  if (error instanceof SyntaxError || (error instanceof TypeError && '$response' in error))
    throw new UnreadableAnswer()
  // The SDK's message about a time limit names parts and settings of the SDK.
  if (error.name === 'TimeoutError') error.message = 'The database did not answer in time.'
  const throttling = isThrottled(error)
  if (throttling || isConflict(error) || statusOf(error) >= 500)
    Object.assign(error, { $retryable: { throttling } })
  throw error
}
