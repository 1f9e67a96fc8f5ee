import {
  DynamoDBServiceException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'

const metadata = { $metadata: {} } as const

/** The SDK has no class for this one; it comes by its name. */
export class ValidationException extends DynamoDBServiceException {
  constructor(message: string) {
    super({ name: 'ValidationException', $fault: 'client', message, ...metadata })
  }
}

/** What a throttled call, one without an answer, and one that met a transaction end with, after the SDK's own attempts. */
export const errors = {
  throttled: () =>
    new ProvisionedThroughputExceededException({
      message: 'The level of configured throughput was exceeded.',
      ...metadata,
    }),
  overloaded: () => new ThrottlingException({ message: 'The request rate is too high.', ...metadata }),
  noAnswer: () => Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' }),
  failed: () => new InternalServerError({ message: 'Internal server error', ...metadata }),
  conflict: () => new TransactionConflictException({ message: 'A transaction is ongoing for the item.', ...metadata }),
  cancelled: (writes: number) =>
    new TransactionCanceledException({
      message: 'Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]',
      CancellationReasons: Array.from({ length: writes }, (_, index) => ({
        Code: index === 0 ? 'TransactionConflict' : 'None',
      })),
      ...metadata,
    }),
}
