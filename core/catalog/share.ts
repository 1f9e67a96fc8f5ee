import * as v from 'valibot'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { exactly, id, oneOf } from '../schema.ts'
import { folderKey, type Grantee, sharedEntry, shareIndex, shareKey, workbookKey } from '../workbooks/keys.ts'
import { kind } from './kind.ts'

const Resource = exactly({ type: oneOf(['workbook', 'folder']), id })

const ShareGrantee = v.variant(
  'type',
  [
    exactly({ type: v.literal('embedTenant'), name: embedTenantNameInAnyCase }),
    exactly({ type: v.literal('allEmbedUsers') }),
  ],
  'must be {type: "embedTenant", name} or {type: "allEmbedUsers"}',
)

const Share = exactly({ deploymentId: id, resource: Resource, grantee: ShareGrantee })

export const share = kind({
  name: 'share',
  table: 'catalog',
  data: Share,
  identity: Share,
  key({ deploymentId, resource: { type, id }, grantee }) {
    const resource = type === 'workbook' ? workbookKey(deploymentId, id) : folderKey(deploymentId, id)
    return shareKey(resource, grantee as Grantee)
  },
  item(data) {
    const { attribute, partition } = shareIndex(data.deploymentId, data.grantee as Grantee)
    return { ...data, [attribute]: partition, shared: sharedEntry(data.resource.type, data.resource.id) }
  },
  async after(
    writer,
    {
      change: {
        op,
        data: { deploymentId, grantee },
      },
    },
  ) {
    if (op === 'put' && grantee.type === 'embedTenant') await writer.nameEmbedTenant(deploymentId, grantee.name)
  },
})
