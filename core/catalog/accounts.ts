import * as v from 'valibot'
import { accountKey } from '../access/keys.ts'
import { issuerAndAudience } from '../access/oidc-account.ts'
import { isIssuer } from '../access/oidc-url.ts'
import { boolean, exactly, optional, text, textOf } from '../schema.ts'
import { kind } from './kind.ts'
import { endRecord, putRecord } from './record.ts'

export const accountId = textOf(1, 200)

const issuer = v.pipe(
  textOf(1, 2048),
  v.check(isIssuer, 'must be an https URL without query and fragment (http on loopback alone)'),
)

export const account = kind({
  table: 'catalog',
  data: exactly({
    id: accountId,
    name: text,
    embeddingEnabled: optional(boolean),
    oidc: optional(exactly({ issuer, audience: textOf(1, 2048), userClaim: textOf(1, 256) })),
  }),
  identity: v.object({ id: accountId }),
  key: ({ id }) => accountKey(id),
  async apply({ storage }, change, { previous }) {
    const key = accountKey(change.data.id)
    if (change.op === 'delete') await endRecord(storage, 'catalog', previous, key, change.revision)
    else {
      const { oidc } = change.data
      await putRecord(
        storage,
        'catalog',
        previous,
        { ...key, embeddingEnabled: false, ...change.data, issuerAndAudience: oidc && issuerAndAudience(oidc) },
        change.revision,
      )
    }
    return 'applied'
  },
})
