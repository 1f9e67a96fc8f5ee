import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'

const metadata = { $metadata: {} } as const

/** The SDK has no class for this one; it comes by its name. */
export class ValidationException extends DynamoDBServiceException {
  constructor(message: string) {
    super({ name: 'ValidationException', $fault: 'client', message, ...metadata })
  }
}
