import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { bytesOf, type Message, maxMessageBytes, reasonAttribute, type SendMessages } from './message.ts'

/** SQS takes so many messages in a call. */
export const mostInBatch = 10

/** TLS keeps messages whole, so their MD5 isn't checked once more. */
export const sqsClient = (): SQSClient => new SQSClient({ md5: false })

/** Sends to a queue of SQS, in as few calls as possible. */
export function sendTo(client: SQSClient, url: string): SendMessages {
  return async (messages) => {
    const isSent = messages.map(() => false)
    for (const batch of batchesOf(messages)) {
      const Entries = batch.map((index) => ({ Id: String(index), ...content(messages[index] as Message) }))
      const { Successful = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }))
      for (const { Id } of Successful) isSent[Number(Id)] = true
    }
    return isSent
  }
}

const content = ({ body, reason }: Message) => ({
  MessageBody: body,
  ...(reason !== undefined && {
    MessageAttributes: { [reasonAttribute]: { DataType: 'String', StringValue: reason } },
  }),
})

/** The indexes of the messages, batch by batch; without those that no batch can hold. */
function* batchesOf(messages: readonly Message[]): Generator<number[]> {
  let batch: number[] = []
  let bytes = 0
  for (const [index, message] of messages.entries()) {
    const more = bytesOf(message)
    if (more > maxMessageBytes) continue
    if (batch.length === mostInBatch || bytes + more > maxMessageBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(index)
    bytes += more
  }
  if (batch.length > 0) yield batch
}
