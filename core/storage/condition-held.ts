import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

/**
 * Whether the condition of a write held, and so the write was done.
 * @example const isNew = await conditionHeld(client.send(new PutCommand({ …, ConditionExpression })))
 */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}
