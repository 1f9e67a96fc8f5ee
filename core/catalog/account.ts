import * as v from 'valibot'
import { accountKey } from '../access/keys.ts'
import { issuerAndAudience } from '../access/oidc-account.ts'
import { isIssuer } from '../access/oidc-url.ts'
import { boolean, exactly, optional, text, textOf } from '../schema.ts'
import { kind } from './kind.ts'

export const accountId = textOf(1, 200)

const issuer = v.pipe(
  textOf(1, 2048),
  v.check(isIssuer, 'must be an https URL without query and fragment (http on loopback alone)'),
)

/** Its tombstone stays until a purge has removed what the account had. Otherwise the next account of this id would have it. */
export const account = kind({
  name: 'account',
  table: 'catalog',
  tombstoneStays: true,
  data: exactly({
    id: accountId,
    name: text,
    embeddingEnabled: optional(boolean),
    oidc: optional(exactly({ issuer, audience: textOf(1, 2048), userClaim: textOf(1, 256) })),
  }),
  identity: v.object({ id: accountId }),
  key: ({ id }) => accountKey(id),
  item: (data) => ({ ...data, issuerAndAudience: data.oidc && issuerAndAudience(data.oidc) }),
})
