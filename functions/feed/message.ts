/** What a queue takes: changes, and in a queue of dead letters the reason why they were not applied. */
export type Message = { readonly body: string; readonly reason?: string }

/** @returns of each message whether the queue has it */
export type SendMessages = (messages: readonly Message[]) => Promise<readonly boolean[]>

/** SQS takes messages, and batches of them, of at most so many bytes, attributes included. */
export const maxMessageBytes = 1_048_576

/** What the name of a stage's queue of dead letters has at its end. */
export const deadQueueSuffix = '-dead'

/** The attribute of a dead letter that says why. */
export const reasonAttribute = 'reason'

/** Everything of a message that SQS counts. */
export const bytesOf = ({ body, reason }: Message): number =>
  Buffer.byteLength(body) + (reason === undefined ? 0 : Buffer.byteLength(`${reasonAttribute}String${reason}`))

const mostReasonCharacters = 1000

/**
 * A change with the reason why it was not applied, in letters that SQS takes. JSON may have U+FFFE and U+FFFF as they are,
 * and SQS doesn't.
 */
export const deadLetter = (json: string, reason: string): Message => ({
  body: json.replaceAll(/[\ufffe\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16)}`),
  reason: reason
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .slice(0, mostReasonCharacters)
    .toWellFormed(),
})
