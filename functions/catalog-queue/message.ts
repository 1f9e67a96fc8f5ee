/** A message with changes. A dead letter has the `reason` why its change was not applied. */
export type Message = { readonly body: string; readonly reason?: string }

/** Sends messages, until the signal aborts or a call fails. */
export type SendMessages = (messages: readonly Message[], signal?: AbortSignal) => Promise<Sent>

export type Sent = {
  /** Whether the queue took the message, for each message in order. */
  readonly isSent: readonly boolean[]
  /** Why a call failed. The messages of earlier calls stay sent. */
  readonly error?: unknown
}

/** The most bytes of a message, and of a batch of messages, that SQS takes, attributes included. */
export const maxMessageBytes = 1_048_576

/** The end of the name of a stage's queue of dead letters. */
export const deadQueueSuffix = '-dead'

export const reasonAttribute = 'reason'

export const bytesOf = ({ body, reason }: Message): number =>
  Buffer.byteLength(body) +
  (reason === undefined ? 0 : Buffer.byteLength(`${reasonAttribute}String${reason}`))

/** The same JSON, with U+FFFE and U+FFFF escaped: SQS refuses them. */
export const forQueue = (json: string): string =>
  json.replaceAll(/[\ufffe\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16)}`)

/**
 * A change, and the first 1,000 characters of the reason why the change was not applied, or fewer
 * if the message has no room for them. A character takes at most 3 bytes.
 */
export function deadLetter(json: string, why: string): Message {
  const body = forQueue(json)
  const room = Math.floor((maxMessageBytes - bytesOf({ body, reason: '' })) / 3)
  const reason = why
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .slice(0, Math.min(1000, Math.max(0, room)))
    .toWellFormed()
  // SQS takes no empty attribute.
  return reason === '' ? { body } : { body, reason }
}
