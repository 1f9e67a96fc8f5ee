import * as v from 'valibot'
import { login, userKey } from '../access/keys.ts'
import { exactly, id, list, optional, text, textOf } from '../schema.ts'
import { accountId } from './account.ts'
import { kind } from './kind.ts'

/** Deployment ids travel in the authorizer's answer, which has little room. */
const maxDeploymentIds = 400

export const deploymentIds = v.pipe(
  list(id),
  v.maxLength(maxDeploymentIds, `must have at most ${maxDeploymentIds} entries`),
)

export const user = kind({
  name: 'user',
  table: 'credentials',
  data: exactly({
    accountId,
    id,
    email: textOf(1, 320),
    username: optional(textOf(1, 320)),
    firstName: optional(text),
    picture: optional(text),
    roles: list(text),
    deploymentIds: v.union(
      [v.literal('all'), deploymentIds],
      `must be "all" or a list of at most ${maxDeploymentIds} ids`,
    ),
  }),
  identity: v.object({ accountId, id }),
  key: ({ accountId, id }) => userKey(accountId, id),
  item: (data) => ({
    ...data,
    emailLogin: login(data.accountId, data.email),
    usernameLogin: data.username === undefined ? undefined : login(data.accountId, data.username),
  }),
})
