import * as v from 'valibot'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { notificationKey, type Recipient, recipientSortKey } from '../notifications/keys.ts'
import { exactly, id, lowerCase, textOf } from '../schema.ts'
import { kind } from './kind.ts'
import { correctRecipient } from './recipient-lists.ts'

const NotificationRecipient = exactly({
  deploymentId: id,
  notificationId: id,
  recipient: v.variant(
    'type',
    [
      exactly({ type: v.literal('user'), userId: id }),
      exactly({
        type: v.literal('embedUser'),
        embedTenantName: embedTenantNameInAnyCase,
        externalId: v.pipe(textOf(1, 256), v.trim(), v.transform(lowerCase), v.minLength(1, 'must not be blank')),
      }),
    ],
    'must be {type: "user", userId} or {type: "embedUser", embedTenantName, externalId}',
  ),
})

/** The one kind whose items carry another thing's data: recipients are listed by their notifications' order. */
export const recipient = kind({
  name: 'recipient',
  table: 'catalog',
  data: NotificationRecipient,
  identity: NotificationRecipient,
  key: ({ deploymentId, notificationId, recipient }) => ({
    pk: notificationKey(deploymentId, notificationId).pk,
    sk: recipientSortKey(recipient as Recipient),
  }),
  item: (data) => data,
  async after(writer, { key, change: { op, data } }) {
    const { deploymentId, recipient } = data
    if (op === 'put' && recipient.type === 'embedUser') {
      await writer.nameEmbedTenant(deploymentId, recipient.embedTenantName)
    }
    await correctRecipient(writer.storage, key)
  },
})
