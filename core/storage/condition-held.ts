import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'

/**
 * Whether the conditions of a write or a transaction held, and so it was done. They did not hold either if others have made
 * an item too large meanwhile, which DynamoDB calls a `ValidationError`.
 * @example const isNew = await conditionHeld(client.send(new PutCommand({ …, ConditionExpression })))
 */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : []
    if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed' || Code === 'ValidationError')) return false
    throw error
  }
}
