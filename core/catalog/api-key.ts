import * as v from 'valibot'
import { apiKeyKey, keyOwner } from '../access/keys.ts'
import { exactly, id, integer, optional, text } from '../schema.ts'
import { time } from '../time.ts'
import { accountId } from './account.ts'
import { ownedLines, writeClaim } from './claims.ts'
import { kind } from './kind.ts'
import { deploymentIds } from './user.ts'

/** A key counts while its user and its account are there; nothing of them is copied to it. */
export const apiKey = kind({
  name: 'apiKey',
  table: 'credentials',
  ofOneAccount: 'this key belongs to another account, and keys are never reused',
  data: exactly({
    accountId,
    tokenHash: v.pipe(text, v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex')),
    userId: id,
    name: text,
    deploymentIds: optional(deploymentIds),
    expiresAt: optional(time),
    accountSince: optional(integer),
  }),
  identity: v.object({ tokenHash: text, accountId: optional(accountId), accountSince: optional(integer) }),
  key: ({ tokenHash }) => apiKeyKey(tokenHash),
  item: ({ accountSince: _, ...data }) => ({ ...data, keyOwner: keyOwner(data.accountId, data.userId) }),
  write: writeClaim,
  lines: ownedLines,
})
