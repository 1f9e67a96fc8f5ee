import * as v from 'valibot'
import { accountKey } from '../access/keys.ts'
import { boolean, exactly, optional, text, textOf } from '../schema.ts'
import { kind } from './kind.ts'
import { endRecord, putRecord } from './record.ts'

export const accountId = textOf(1, 200)

export const account = kind({
  table: 'catalog',
  data: exactly({
    id: accountId,
    name: text,
    embeddingEnabled: optional(boolean),
    oidc: optional(exactly({ issuer: textOf(1, 2048), audience: textOf(1, 2048), userClaim: textOf(1, 256) })),
  }),
  identity: v.object({ id: accountId }),
  key: ({ id }) => accountKey(id),
  async apply({ storage }, change, { previous }) {
    const key = accountKey(change.data.id)
    if (change.op === 'delete') await endRecord(storage, 'catalog', previous, key, change.revision)
    else
      await putRecord(
        storage,
        'catalog',
        previous,
        { ...key, embeddingEnabled: false, ...change.data },
        change.revision,
      )
    return 'applied'
  },
})
