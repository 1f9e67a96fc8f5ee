import type { Item } from '../storage/item.ts'
import { key, ownKey } from '../storage/keys.ts'

export const notificationKey = (deploymentId: number, id: number) =>
  ownKey(deploymentId, 'notification', id)

export type Recipient =
  | { readonly type: 'user'; readonly userId: number }
  | { readonly type: 'embedUser'; readonly embedTenantName: string; readonly externalId: string }

/** The sort key of a recipient, whose external id is in lower case, within its notification. */
export const recipientSortKey = (recipient: Recipient): string =>
  recipient.type === 'user'
    ? key('recipient', 'user', recipient.userId)
    : key('recipient', 'embedUser', recipient.embedTenantName, recipient.externalId)

/** The attributes of a recipient's item that say what it is. */
export const recipientIn = (item: Item) =>
  item as Item & { readonly deploymentId: number; readonly recipient: Recipient }

export type ListedBy = {
  readonly recipient?: Recipient | undefined
  readonly dashboardId?: number | undefined
}

/** The partition with a deployment's notifications of these values. All filters have an index. */
export const notificationPartition = (
  deploymentId: number,
  { recipient, dashboardId }: ListedBy,
): string => {
  const list = recipient ? recipientSortKey(recipient) : 'notifications'
  return key(deploymentId, list, ...(dashboardId === undefined ? [] : [dashboardId]))
}
