import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from '@embed-access/core/storage/item.ts'
import type { Command } from './database.ts'

/** A part that the code needs, left out. The simulation must notice. */
export type Omission = {
  /** The command in its place. */
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
}

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
    changed: withoutCondition(
      (write) => write.ConditionExpression === isNewer && write.Item?.deleted !== true,
    ),
  },
  'revision condition of tombstones': {
    changed: withoutCondition(
      (write) => write.ConditionExpression === isNewer && write.Item?.deleted === true,
    ),
  },
  tombstones: {
    changed(command) {
      if (!(command instanceof PutCommand) || command.input.Item?.deleted !== true) return command
      const { Item, ...rest } = command.input
      return new DeleteCommand({ ...rest, Key: { pk: Item.pk, ...(Item.sk && { sk: Item.sk }) } })
    },
  },
  'version condition of changes without revision': {
    changed: withoutCondition(
      (write) =>
        isAsRead.test(write.ConditionExpression ?? '') &&
        !isRecipient(key(write)) &&
        !isTenant(key(write)),
    ),
  },
  'version condition of recipients': {
    changed: withoutCondition(
      (write) => write.ConditionExpression === 'version = :read' && isRecipient(key(write)),
    ),
  },
  'consistent reading of a recipient’s notification': {
    isInconsistent: (key) => isRecord(key, 'notification'),
  },
  'consistent reading of a notification’s recipients': { isInconsistent: isRecipient },
  'condition of naming an embed tenant': {
    changed: withoutCondition(
      (write) =>
        isTenant(key(write)) &&
        write.ConditionExpression === 'attribute_not_exists(pk)' &&
        key(write).sk === 'record',
    ),
  },
  'consistent reading of the deployment when a tenant is named': {
    isInconsistent: ({ pk, sk }) => pk.startsWith('deployment#') && sk === 'record',
  },
  'consistent reading of the names that wait for a deployment': {
    isInconsistent: ({ pk, sk = '' }) =>
      pk.startsWith('deployment#') && sk.startsWith('embedTenant#'),
  },
  'condition of a tenant’s groups and definitions': {
    changed: withoutCondition(
      (write, kind) =>
        isTenant(key(write)) &&
        kind === 'Update' &&
        !/tenantVersion|evision </.test(write.ConditionExpression ?? ''),
    ),
  },
  'condition on what remembers a deleted group or definition': {
    changed: withoutCondition(
      (write) => isTenant(key(write)) && /^(group|attribute)#/.test(key(write).sk ?? ''),
    ),
  },
  'consistent reading of users that a name stands for': {
    isInconsistent: ({ pk }) => pk.startsWith('user#'),
  },
  'end of tokens by a deletion that comes after a newer put': {
    changed(command) {
      if (!(command instanceof TransactWriteCommand)) return command
      const [tenant] = command.input.TransactItems ?? []
      const isLate = tenant?.Update?.ConditionExpression?.includes('deletionRevision')
      return isLate ? new TransactWriteCommand({ TransactItems: [tenant] } as never) : command
    },
  },
  'condition of a purge on the deleted account': {
    changed: withoutCondition(
      (write, kind) => kind === 'ConditionCheck' && write.ConditionExpression === 'deleted = :true',
    ),
  },
  'consistent reading of revocations': { isInconsistent: ({ pk }) => pk.startsWith('revocation#') },
  'consistent reading of workbooks': { isInconsistent: (key) => isRecord(key, 'workbook') },
  'consistent reading of folders': { isInconsistent: (key) => isRecord(key, 'folder') },
  'consistent reading of shares': { isInconsistent: isShare },
  'workbooks before folders': { isReadFirst: (key) => isRecord(key, 'folder') },
  'workbooks before shares': { isReadFirst: isShare },
  'each transaction as one moment': { isReadEarlier: isShare },
  'each path as one transaction read it': {
    isReadOnce: (key) => isRecord(key, 'folder') || isShare(key),
  },
}
