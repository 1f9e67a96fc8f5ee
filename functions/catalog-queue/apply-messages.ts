import type { ApplyChanges, ChangeResult } from '@embed-access/core/catalog/apply.ts'
import type { SQSRecord } from 'aws-lambda'
import { changesIn, type Sent } from './changes-in.ts'

/** A message with what became of each of its changes. */
export type ProcessedMessage = {
  readonly record: SQSRecord
  readonly changes: readonly (Sent & { readonly result: ChangeResult })[]
}

const notJson: ChangeResult = {
  outcome: 'refused',
  problems: [{ pointer: '', reason: 'is not JSON, or nests too deep' }],
}

/** Applies the changes of all messages together. */
export async function applyMessages(
  apply: ApplyChanges,
  records: readonly SQSRecord[],
  signal: AbortSignal,
): Promise<ProcessedMessage[]> {
  const messages = records.map((record) => ({ record, sent: changesIn(record.body) }))
  const readable = messages.flatMap(({ sent }) => sent.filter(({ isJson }) => isJson))
  const results = await apply(
    readable.map(({ change }) => change),
    signal,
  )
  const resultOf = new Map(readable.map((each, index) => [each, results[index]]))
  return messages.map(({ record, sent }) => ({
    record,
    changes: sent.map((each) => ({ ...each, result: resultOf.get(each) ?? notJson })),
  }))
}
