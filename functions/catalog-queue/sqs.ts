import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { batchesOf } from '@embed-access/core/catalog/batches.ts'
import { type Environment, readVariable, url } from '../runtime/environment.ts'
import { bytesOf, maxMessageBytes, reasonAttribute, type SendMessages } from './message.ts'

/** The most messages that SQS takes in one call. */
export const mostInBatch = 10

/** TLS already protects messages from changes, so the client checks no MD5. */
export const sqsClient = (): SQSClient => new SQSClient({ md5: false })

/** Sends to a queue of SQS in few calls. A message that is too large is not sent. */
export function sendTo(client: SQSClient, QueueUrl: string): SendMessages {
  return async (messages, signal) => {
    const isSent = messages.map(() => false)
    const fitting = messages
      .map((message, index) => ({ message, index, bytes: bytesOf(message) }))
      .filter(({ bytes }) => bytes <= maxMessageBytes)
    const most = { items: mostInBatch, bytes: maxMessageBytes }
    for await (const batch of batchesOf(fitting, ({ bytes }) => bytes, most)) {
      if (signal?.aborted) break
      const Entries = batch.map(({ message: { body, reason }, index }) => ({
        Id: String(index),
        MessageBody: body,
        MessageAttributes:
          reason === undefined
            ? undefined
            : { [reasonAttribute]: { DataType: 'String', StringValue: reason } },
      }))
      try {
        const command = new SendMessageBatchCommand({ QueueUrl, Entries })
        const { Successful = [] } = await client.send(command, signal && { abortSignal: signal })
        for (const { Id } of Successful) isSent[Number(Id)] = true
      } catch (error) {
        if (!signal?.aborted) return { isSent, error }
      }
    }
    return { isSent }
  }
}

export const deadLetters = (environment: Environment): SendMessages =>
  sendTo(sqsClient(), readVariable(environment, 'DEAD_LETTERS_URL', url))
