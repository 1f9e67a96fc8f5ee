import { Readable } from 'node:stream'
import { batchGetAcross } from '@embed-access/core/storage/batch-get.ts'
import { ownSortKey } from '@embed-access/core/storage/keys.ts'
import { sendingThrough, untilAborted } from '@embed-access/core/storage/sending-through.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import * as v from 'valibot'
import type { StorageAccess } from './definition.ts'
import { readVariable, tableVariables } from './environment.ts'
import { entryOfEveryKind, itemOfEveryKind } from './item-of-every-kind.ts'

export const storage: StorageAccess = {
  /** The environment names only the tables of the function. */
  connect(environment, tables) {
    const names = tables.map(({ table }) => [
      table,
      readVariable(environment, tableVariables[table], v.string()),
    ])
    return connect(
      Object.fromEntries(names) as Storage['tables'],
      environment.DYNAMODB_ENDPOINT || undefined,
    )
  },

  /**
   * Reads an item that is never there from each table on which the function may do a BatchGetItem,
   * all in one call. Without such a table it sends nothing: the warm-up request reads signing keys.
   */
  async firstReads(storage, tables, signal) {
    const absent = tables.flatMap(({ table, reads = [], narrowReads = {} }) => {
      const prefixes = narrowReads.BatchGetItem
      if (!prefixes && !reads.includes('BatchGetItem')) return []
      // No part of a stored key is empty.
      const pk = `${prefixes?.[0] ?? ''}#`
      const key = { pk, ...(tableDefinitions[table].sortKey && { sk: ownSortKey }) }
      return [[table, { keys: [key] }]]
    })
    await batchGetAcross(untilAborted(storage, signal), Object.fromEntries(absent))
  },

  sendingNothing,
}

type Attributes = Readonly<Record<string, object>>

/**
 * Storage whose client makes each request and reads its answer as usual, but sends nothing. Every
 * item is there.
 */
export function sendingNothing(storage: Storage): Storage {
  const unsent = sendingThrough(storage, (command, options) => {
    // The last step before the network, so that all others are taken.
    command.middlewareStack.add(answered, {
      step: 'deserialize',
      priority: 'low',
      name: 'unsent',
      override: true,
    })
    return storage.client.send(command, options)
  })
  return { ...unsent, pause: async () => {} }
}

const answered = () => async (args: object) => {
  const { request } = Object(args)
  const answer = answerTo(JSON.parse(new TextDecoder().decode(request.body)))
  const response = {
    statusCode: 200,
    headers: {},
    body: Readable.from([Buffer.from(JSON.stringify(answer))]),
  }
  return { response } as never
}

type Asked = {
  readonly Key?: Attributes
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>
  readonly TransactItems?: readonly { readonly Get?: { readonly Key: Attributes } }[]
}

/** One answer for every action. The SDK reads only the parts that belong to the action. */
function answerTo({ Key, RequestItems = {}, TransactItems }: Asked): object {
  const item = itemAt(Key)
  const ofTables = Object.entries(RequestItems).map(([table, { Keys }]) => [
    table,
    Keys.map(itemAt),
  ])
  const Responses =
    TransactItems?.map(({ Get }) => ({ Item: itemAt(Get?.Key) })) ?? Object.fromEntries(ofTables)
  return {
    Item: item,
    Attributes: item,
    Items: [entryOfEveryKind],
    Count: 1,
    Responses,
    UnprocessedKeys: {},
  }
}

const itemAt = (key: Attributes = {}): Attributes => ({ ...itemOfEveryKind, ...key })
