import { key, ownSortKey } from '../storage/keys.ts'

export const notificationKey = (deploymentId: number, id: number) => ({
  pk: key(deploymentId, 'notification', id),
  sk: ownSortKey,
})

export type Recipient =
  | { readonly type: 'user'; readonly userId: number }
  | { readonly type: 'embedUser'; readonly embedTenantName: string; readonly externalId: string }

/**
 * Names a recipient within its notification.
 * @param recipient with its external id in lower case
 * @example recipientSortKey({ type: 'user', userId: 7 }) // 'recipient#user#7'
 */
export const recipientSortKey = (recipient: Recipient): string =>
  recipient.type === 'user'
    ? key('recipient', 'user', recipient.userId)
    : key('recipient', 'embedUser', recipient.embedTenantName, recipient.externalId)

/** The partitions of the indexes that list a deployment's notifications. */
export const notificationLists = (deploymentId: number) => ({
  all: key(deploymentId, 'notifications'),
  byDashboard: (dashboardId: number) => key(deploymentId, 'notifications', dashboardId),
  byRecipient: (recipient: Recipient) => key(deploymentId, recipientSortKey(recipient)),
  byRecipientAndDashboard: (recipient: Recipient, dashboardId: number) =>
    key(deploymentId, recipientSortKey(recipient), dashboardId),
})

/** The partition of `byPublicId` for the dashboard that a workbook of the deployment publishes under this id. */
export const publicDashboard = (deploymentId: number, publicId: string): string => key(deploymentId, publicId)
