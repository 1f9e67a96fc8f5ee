import { type Call, keys, type World } from './service.ts'

/** The calls about sessions, for deployment 1 and by an admin's key unless they say otherwise. */
export function sessionsOf(service: Pick<World, 'post'>) {
  const generate = (request: object = {}, key: string = keys.admin, query = '') =>
    service.post(`/api/v1/embed/generate-session${query}`, {
      key,
      body: { deploymentId: 1, ...request },
    })
  const newSession = async (request?: object, key?: string): Promise<string> =>
    (await generate(request, key)).body.sessionId
  const redeem = (sessionId: string) =>
    service.post('/api/v1/embed/session/token', { body: { sessionId } })
  const tokenOf = async (sessionId: string): Promise<string> => (await redeem(sessionId)).body.token
  return {
    generate,
    dryRun: (request?: object, key?: string) => generate(request, key, '?dryRun=true'),
    newSession,
    redeem,
    tokenOf,
    newToken: async (request?: object, key?: string) => tokenOf(await newSession(request, key)),
    claims: async (request?: object, key?: string) =>
      claimsIn(await tokenOf(await newSession(request, key))),
    revoke: (body: object, key: string = keys.admin) =>
      service.post('/api/v1/embed/session/revoke', { key, body }),
  }
}

export const claimsIn = (token: string) =>
  JSON.parse(Buffer.from(`${token.split('.')[1]}`, 'base64url').toString())

export const bearer = (token: string): Call => ({ authorization: `Bearer ${token}` })

/** What the service says of an embed token: 200 while it is good, and else 401. */
export const tokenStatus = async (service: Pick<World, 'get'>, token: string): Promise<number> =>
  (await service.get('/api/v1/embed/session', bearer(token))).status

export const pointersOf = (errors: readonly { readonly pointer: string }[]) =>
  errors.map(({ pointer }) => pointer)
