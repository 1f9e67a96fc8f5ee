import {
  hasFailedCondition,
  isConflict,
  isDatabaseUnavailable,
  isThrottled,
  isUnanswered,
} from '@embed-access/core/storage/unavailable.ts'
import { expect, test } from 'vitest'

const named = (name: string, more: object = {}) => Object.assign(new Error(), { name, ...more })
const answered = (httpStatusCode: number) => named('Unknown', { $metadata: { httpStatusCode } })
const canceled = (...codes: string[]) =>
  named('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) })

test.each([
  ['throttled', named('ProvisionedThroughputExceededException')],
  ['throttled', canceled('None', 'ThrottlingError')],
  ['throttled', answered(429)],
  ['conflict', named('TransactionInProgressException')],
  ['conflict', canceled('None', 'TransactionConflict')],
  ['failed condition', named('ConditionalCheckFailedException')],
  ['failed condition', canceled('ConditionalCheckFailed', 'TransactionConflict')],
  ['failed condition', canceled('ConditionalCheckFailed', 'ThrottlingError')],
  ['unanswered', answered(500)],
  ['unanswered', named('ServiceUnavailable')],
  ['unanswered', named('Error', { code: 'ECONNRESET' })],
  ['unsent', named('Error', { code: 'ECONNREFUSED' })],
  ['other', answered(400)],
  ['other', { name: 'ThrottlingException' }],
  ['other', undefined],
])('The database says by an error that a request was %s', (meaning, error) => {
  expect([
    hasFailedCondition(error),
    isThrottled(error),
    isConflict(error),
    isUnanswered(error),
    isDatabaseUnavailable(error),
  ]).toEqual([
    meaning === 'failed condition',
    meaning === 'throttled',
    meaning === 'conflict',
    meaning === 'unanswered',
    !['failed condition', 'other'].includes(meaning),
  ])
})
