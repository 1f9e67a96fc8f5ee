import * as v from 'valibot'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { exactly, id, oneOf } from '../schema.ts'
import { folderKey, type Grantee, shareIndex, shareSortKey, workbookKey } from '../workbooks/keys.ts'
import { noteAwaited } from './dependents.ts'
import { kind } from './kind.ts'
import { endRecord, isLive, putRecord } from './record.ts'

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

type Share = v.InferOutput<typeof Share>

const resourceKey = ({ deploymentId, resource }: Share) =>
  resource.type === 'workbook' ? workbookKey(deploymentId, resource.id) : folderKey(deploymentId, resource.id)

/** A share is one item, whatever lies below it; it carries the place of what it shares. */
export const share = kind({
  table: 'catalog',
  data: Share,
  identity: Share,
  key: (share) => ({ pk: resourceKey(share).pk, sk: shareSortKey(share.grantee as Grantee) }),
  reads: (share) => [resourceKey(share)],
  async apply(batch, change, { previous, item }) {
    const { storage } = batch
    const { deploymentId, resource } = change.data
    const grantee = change.data.grantee as Grantee
    const shared = resourceKey(change.data)
    const key = { pk: shared.pk, sk: shareSortKey(grantee) }
    if (change.op === 'delete') {
      await endRecord(storage, 'catalog', previous, key, change.revision)
      return 'applied'
    }
    if (grantee.type === 'embedTenant') await batch.nameEmbedTenant(deploymentId, grantee.name)
    const owner = item(shared)
    if (!owner) await noteAwaited(storage, shared)
    const { attribute, partition } = shareIndex(deploymentId, resource.type, grantee)
    const place = isLive(owner) ? { place: owner.place } : {}
    await putRecord(
      storage,
      'catalog',
      previous,
      { ...key, id: resource.id, [attribute]: partition, ...place },
      change.revision,
    )
    return 'applied'
  },
})
