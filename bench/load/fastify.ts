import { hash, randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { encodeCursor } from '@embed-access/core/storage/cursor.ts'
import { folderEntry, sharedEntry } from '@embed-access/core/workbooks/keys.ts'
import { importJWK, type JWK, SignJWT } from 'jose'
import { issuer } from './catalog.ts'
import { load } from './packages.ts'
import type { Connection, Pg } from './postgres.ts'
import { serveSide } from './serve-side.ts'
import { type Caller, type Listed, type Redeemed, sql } from './sql.ts'

/*
 * The list of workbooks and the exchange as one would write them with Fastify and PostgreSQL: two queries for a page, one
 * for an exchange. The security checks are the service's; the rest of what the service does is not here.
 */

/** What is used of the package fastify. */
type Fastify = () => {
  readonly server: Server
  get(path: string, handler: Handler): void
  post(path: string, handler: Handler): void
  ready(): PromiseLike<unknown>
}
type Handler = (request: Request, reply: Reply) => Promise<unknown>
type Request = {
  readonly headers: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}
type Reply = { code(status: number): Reply; type(type: string): Reply; send(body: unknown): Reply }

const pageSize = 100

serveSide(async ({ connection, signingKey }: { readonly connection: Connection; readonly signingKey: JWK }) => {
  const { Pool } = load<Pg>('pg')
  const pool = new Pool({ ...connection, max: 50 })
  const key = await importJWK(signingKey, 'ES256')
  const query = async <Row>(name: keyof typeof sql, ...values: unknown[]): Promise<Row[]> =>
    (await pool.query({ name, text: sql[name], values })).rows as Row[]
  const fastify = load<Fastify>('fastify')()

  async function callerOf({ headers, params, body }: Request) {
    const apiKey = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    const { deploymentId, embedTenantName } = params.deploymentId ? params : body
    const [caller] = await query<Caller>('authorize', hash('sha256', apiKey, 'hex'), deploymentId, embedTenantName)
    return caller
  }

  fastify.get('/api/v1/deployments/:deploymentId/embed-tenants/:embedTenantName/workbooks', async (request, reply) => {
    const { deploymentId, embedTenantName } = request.params as { deploymentId: string; embedTenantName: string }
    const caller = await callerOf(request)
    if (!caller) return reply.code(401).send({ code: 'unauthenticated' })
    if (!caller.is_admin) return reply.code(403).send({ code: 'admin_required' })
    if (!caller.has_deployment || !caller.has_tenant) return reply.code(404).send({ code: 'not_found' })
    const rows = await query<Listed>('listWorkbooks', deploymentId, embedTenantName, pageSize + 1)
    const shown = rows.slice(0, pageSize)
    const items = shown.map(({ document, path }) => `${document.slice(0, -1)},"folderPath":${JSON.stringify(path)}}`)
    const identity = ['embedTenantWorkbooks', caller.account_id, Number(deploymentId), embedTenantName, null]
    const cursor = (row: Listed | undefined) => (row ? encodeCursor(identity, positionOf(row)) : null)
    const pageInfo = {
      hasNextPage: rows.length > pageSize,
      hasPreviousPage: false,
      startCursor: cursor(shown[0]),
      endCursor: cursor(shown.at(-1)),
    }
    return reply.type('application/json').send(`{"items":[${items}],"pageInfo":${JSON.stringify(pageInfo)}}`)
  })

  fastify.post('/api/v1/embed/generate-session', async (request, reply) => {
    const caller = await callerOf(request)
    if (!caller) return reply.code(401).send({ code: 'unauthenticated' })
    if (!caller.has_deployment) return reply.code(404).send({ code: 'not_found' })
    if (!caller.embedding_enabled) return reply.code(403).send({ code: 'embedding_disabled' })
    const sessionId = randomBytes(32).toString('base64url')
    const mintedBy = { userId: Number(caller.user_id), at: Math.floor(Date.now() / 1000) }
    const context = { accountId: caller.account_id, ...request.body, mintedBy }
    await query('insertSession', hash('sha256', sessionId, 'hex'), JSON.stringify(context))
    return { sessionId }
  })

  fastify.post('/api/v1/embed/session/token', async (request, reply) => {
    const sessionId = String(request.body.sessionId)
    const jti = hash('sha256', `jti:${sessionId}`, 'base64url').slice(0, 22)
    const [session] = await query<Redeemed>('redeemSession', hash('sha256', sessionId, 'hex'), jti)
    if (!session) return reply.code(401).send({ code: 'invalid_session' })
    const { accountId, embedTenantName, externalId } = session.context
    const sub = `${accountId}#external#${embedTenantName}#${externalId}`
    const iat = Math.floor(Date.now() / 1000)
    const claims = { ...session.context, iss: issuer, aud: issuer, sub, iat, nbf: iat, exp: iat + 86_400, jti }
    const header = { alg: 'ES256', typ: 'embed+jwt', kid: signingKey.kid as string }
    return { token: await new SignJWT(claims).setProtectedHeader(header).sign(key), expiresIn: 86_400 }
  })

  await fastify.ready()
  return fastify.server
})

const positionOf = ({ id, folder_id, is_direct }: Listed): string =>
  is_direct ? sharedEntry('workbook', Number(id)) : `f${folderEntry(Number(folder_id), Number(id))}`
