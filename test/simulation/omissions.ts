import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import type { currentDocument } from '@embed-access/core/signing/revocations-document.ts'
import type { Item, ItemKey } from '@embed-access/core/storage/item.ts'
import { memoizedFor } from '@embed-access/core/storage/memoized-for.ts'
import type { Command } from './database.ts'

/** A part that the code needs, left out. The simulation must notice. */
export type Omission = {
  /** A seed that notices the omission, tried first. Finding one takes hundreds of simulations. */
  readonly seed: number
  /** Returns the command to send instead. */
  readonly changed?: (command: Command) => Command
  /** Keys whose consistent reads become eventually consistent ones. */
  readonly isInconsistent?: (key: ItemKey) => boolean
  /** Keys that are read as if this had been done when the page began. */
  readonly isReadFirst?: (key: ItemKey) => boolean
  /**
   * Keys that a page's later transactions read as its first one with them did, so that all of them
   * count as one answer.
   */
  readonly isReadOnce?: (key: ItemKey) => boolean
  /** Keys that a transaction reads earlier than its others, so that it reads no single moment. */
  readonly isReadEarlier?: (key: ItemKey) => boolean
  /** Returns the document of revocations to use instead. */
  readonly document?: (document: RevocationsDocument, now: () => number) => RevocationsDocument
}

type RevocationsDocument = ReturnType<typeof currentDocument>

type Written = {
  readonly TableName: string
  readonly Item?: Item
  readonly Key?: ItemKey
  readonly ConditionExpression?: string
}

const key = ({ Item, Key }: Written): ItemKey => (Item ?? Key) as ItemKey
const isRecord = ({ pk, sk }: ItemKey, type: string) => sk === 'record' && pk.split('#')[1] === type
const isShare = ({ sk = '' }: ItemKey) => sk.split('#')[0] === 'share'
const isRecipient = ({ sk = '' }: ItemKey) => sk.startsWith('recipient#')
const isTenant = ({ pk }: ItemKey) => pk.startsWith('embedTenant#')

const isNewer = 'attribute_not_exists(revision) OR revision < :revision'
const isAsRead = /^version = :read$|^attribute_not_exists\(pk\)$/

const classes = { Put: PutCommand, Update: UpdateCommand, Delete: DeleteCommand }

/** Leaves out the condition of the writes that it is asked for, alone and within transactions. */
const withoutCondition =
  (isMeant: (write: Written, kind: string) => boolean) => (command: Command) => {
    for (const [kind, type] of Object.entries(classes)) {
      const write = command.input as Written
      if (command instanceof type)
        return isMeant(write, kind)
          ? new type({ ...write, ConditionExpression: undefined } as never)
          : command
    }
    if (!(command instanceof TransactWriteCommand)) return command
    const TransactItems = (command.input.TransactItems ?? []).flatMap((each) => {
      const [kind, write] = Object.entries(each)[0] as [string, Written]
      if (!isMeant(write, kind)) return [each]
      return kind === 'ConditionCheck'
        ? []
        : [{ [kind]: { ...write, ConditionExpression: undefined } }]
    })
    return new TransactWriteCommand({ TransactItems } as never)
  }

export const omissions: Readonly<Record<string, Omission>> = {
  'revision condition of puts': {
    seed: 1,
    changed: withoutCondition(
      (write) => write.ConditionExpression === isNewer && write.Item?.deleted !== true,
    ),
  },
  'revision condition of tombstones': {
    seed: 61,
    changed: withoutCondition(
      (write) => write.ConditionExpression === isNewer && write.Item?.deleted === true,
    ),
  },
  tombstones: {
    seed: 5,
    changed(command) {
      if (!(command instanceof PutCommand) || command.input.Item?.deleted !== true) return command
      const { Item, ...rest } = command.input
      return new DeleteCommand({ ...rest, Key: { pk: Item.pk, ...(Item.sk && { sk: Item.sk }) } })
    },
  },
  'version condition of changes without revision': {
    seed: 5,
    changed: withoutCondition(
      (write) =>
        isAsRead.test(write.ConditionExpression ?? '') &&
        !isRecipient(key(write)) &&
        !isTenant(key(write)),
    ),
  },
  'version condition of recipients': {
    seed: 173,
    changed: withoutCondition(
      (write) => write.ConditionExpression === 'version = :read' && isRecipient(key(write)),
    ),
  },
  'consistent reading of a recipient’s notification': {
    seed: 11,
    isInconsistent: (key) => isRecord(key, 'notification'),
  },
  'consistent reading of a notification’s recipients': {
    seed: 3,
    isInconsistent: isRecipient,
  },
  'condition of naming an embed tenant': {
    seed: 2,
    changed: withoutCondition(
      (write) =>
        isTenant(key(write)) &&
        write.ConditionExpression === 'attribute_not_exists(pk)' &&
        key(write).sk === 'record',
    ),
  },
  'consistent reading of the deployment when a tenant is named': {
    seed: 58,
    isInconsistent: ({ pk, sk }) => pk.startsWith('deployment#') && sk === 'record',
  },
  'consistent reading of the names that wait for a deployment': {
    seed: 0,
    isInconsistent: ({ pk, sk = '' }) =>
      pk.startsWith('deployment#') && sk.startsWith('embedTenant#'),
  },
  'condition of a tenant’s groups and definitions': {
    seed: 7,
    changed: withoutCondition(
      (write, kind) =>
        isTenant(key(write)) &&
        kind === 'Update' &&
        !/tenantVersion|evision </.test(write.ConditionExpression ?? ''),
    ),
  },
  'condition on what remembers a deleted group or definition': {
    seed: 4,
    changed: withoutCondition(
      (write) => isTenant(key(write)) && /^(group|attribute)#/.test(key(write).sk ?? ''),
    ),
  },
  'consistent reading of users that a name stands for': {
    seed: 171,
    isInconsistent: ({ pk }) => pk.startsWith('user#'),
  },
  'end of tokens by a deletion that comes after a newer put': {
    seed: 50,
    changed(command) {
      if (!(command instanceof TransactWriteCommand)) return command
      const [tenant] = command.input.TransactItems ?? []
      const isLate = tenant?.Update?.ConditionExpression?.includes('deletionRevision')
      return isLate ? new TransactWriteCommand({ TransactItems: [tenant] } as never) : command
    },
  },
  'end of tokens by the deletion of their account, deployment or user': {
    seed: 6,
    changed(command) {
      if (!(command instanceof TransactWriteCommand)) return command
      const all = command.input.TransactItems ?? []
      const TransactItems = all.filter(({ Update }) => !Update?.Key?.pk.includes('#gone#'))
      return new TransactWriteCommand({ TransactItems })
    },
  },
  'condition of a revocation that arrives late': {
    seed: 0,
    changed: withoutCondition((write) => write.ConditionExpression?.includes('< :until') === true),
  },
  'place of an embed tenant’s revocations in their index': {
    seed: 78,
    changed(command) {
      if (!(command instanceof UpdateCommand)) return command
      const { Key, UpdateExpression = '', ...rest } = command.input
      if (!/^revocation#\w+#tenant#/.test(Key?.pk)) return command
      const without = UpdateExpression.replace(' revocationList = :all,', '')
      return new UpdateCommand({ Key, UpdateExpression: without, ...rest })
    },
  },
  'new document of revocations for a new revocation': {
    seed: 398,
    document: (document, now) => memoizedFor(document, 60_000, now),
  },
  'condition of a purge on the deleted account': {
    seed: 24,
    changed: withoutCondition(
      (write, kind) => kind === 'ConditionCheck' && write.ConditionExpression === 'deleted = :true',
    ),
  },
  'consistent reading of revocations': {
    seed: 398,
    isInconsistent: ({ pk }) => pk.startsWith('revocation#'),
  },
  'consistent reading of workbooks': {
    seed: 97,
    isInconsistent: (key) => isRecord(key, 'workbook'),
  },
  'consistent reading of folders': {
    seed: 125,
    isInconsistent: (key) => isRecord(key, 'folder'),
  },
  'consistent reading of shares': {
    seed: 97,
    isInconsistent: isShare,
  },
  'workbooks before folders': {
    seed: 162,
    isReadFirst: (key) => isRecord(key, 'folder'),
  },
  'workbooks before shares': {
    seed: 63,
    isReadFirst: isShare,
  },
  'each transaction as one moment': {
    seed: 1409,
    isReadEarlier: isShare,
  },
  'each path as one transaction read it': {
    seed: 162,
    isReadOnce: (key) => isRecord(key, 'folder') || isShare(key),
  },
}
