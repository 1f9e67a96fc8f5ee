import { Readable } from 'node:stream'
import { entryOfEveryKind, itemOfEveryKind } from '@embed-access/core/storage/item-of-every-kind.ts'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

type Attributes = Readonly<Record<string, object>>

/**
 * Storage whose client makes each request and reads its answer as usual, but sends nothing: every item is there, and
 * every write succeeds.
 */
export function sendingNothing(storage: Storage): Storage {
  const unsent = sendingThrough(storage, (command, options) => {
    // The last step before the network, so that all others are taken.
    command.middlewareStack.add(answered, { step: 'deserialize', priority: 'low', name: 'unsent', override: true })
    return storage.client.send(command, options)
  })
  return { ...unsent, pause: async () => {} }
}

const answered = () => async (args: object) => {
  const { headers, body } = (args as { request: { headers: Record<string, string>; body: Uint8Array } }).request
  const answer = answerTo(headers['x-amz-target']?.split('.')[1], JSON.parse(new TextDecoder().decode(body)))
  const response = { statusCode: 200, headers: {}, body: Readable.from([Buffer.from(JSON.stringify(answer))]) }
  return { response } as never
}

type Asked = {
  readonly Key?: Attributes
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>
  readonly TransactItems?: readonly { readonly Get?: { readonly Key: Attributes } }[]
}

function answerTo(action: string | undefined, { Key, RequestItems = {}, TransactItems = [] }: Asked): object {
  switch (action) {
    case 'GetItem':
      return { Item: itemAt(Key) }
    case 'BatchGetItem': {
      const read = Object.entries(RequestItems).map(([table, { Keys }]) => [table, Keys.map(itemAt)])
      return { Responses: Object.fromEntries(read), UnprocessedKeys: {} }
    }
    case 'TransactGetItems':
      return { Responses: TransactItems.map(({ Get }) => ({ Item: itemAt(Get?.Key) })) }
    case 'Query':
      return { Items: [entryOfEveryKind], Count: 1 }
    case 'DeleteItem':
      return { Attributes: itemAt(Key) }
    default:
      return {}
  }
}

const itemAt = (key: Attributes = {}): Attributes => ({ ...itemOfEveryKind, ...key })
