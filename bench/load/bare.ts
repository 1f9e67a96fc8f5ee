import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import * as lib from '@aws-sdk/lib-dynamodb'
import { decodeJwt, importJWK, type JWK, SignJWT } from 'jose'
import { documents, type Output, page, workbooks } from './bare-pages.ts'
import { aboutSession, tokenId } from './bare-sessions.ts'
import type { Call, Recorded, Recording } from './recorded.ts'
import { bodyOf, serverOf, serveSide } from './serve-side.ts'

/*
 * A bare server. It makes the same calls as the service, in as many round trips, with the plain SDK, and gives the same
 * answers. It knows beforehand what to ask for, and checks nothing.
 */

type Given = { readonly endpoint: string; readonly recording: Recording; readonly signingKey: JWK }

serveSide(async ({ endpoint, recording, signingKey }: Given) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = lib.DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'local', credentials }))
  const key = await importJWK(signingKey, 'ES256')
  const listed = JSON.parse(recording['list-embed-tenant-workbooks'].body) as { items: { id: number }[] }
  const workbookIds = listed.items.map(({ id }) => id)
  const { iss, aud, sub } = decodeJwt(JSON.parse(recording['exchange-session'].body).token)
  const byRoute = new Map(
    Object.entries(recording).map(([id, recorded]) => [`${recorded.method} ${recorded.path}`, { id, recorded }]),
  )

  async function ask({ command, input }: Call): Promise<Output> {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the recording names the command.
    const Command = lib[command as 'QueryCommand']
    return (await client.send(new Command(input as never))) as Output
  }

  /** Makes the calls, those about the recorded session for this one. */
  async function askAll(recorded: Recorded, sessionId = ''): Promise<Output[]> {
    const outputs: Output[] = []
    for (const trip of recorded.trips) {
      outputs.push(
        ...(await Promise.all(
          trip.map((call) => ask(sessionId ? aboutSession(call, recorded.sessionId, sessionId) : call)),
        )),
      )
    }
    return outputs
  }

  async function exchange(recorded: Recorded, sessionId: string): Promise<string> {
    const [taking, ...ending] = recorded.trips.flat().map((call) => aboutSession(call, recorded.sessionId, sessionId))
    const { Attributes } = await ask(taking as Call)
    const now = Math.floor(Date.now() / 1000)
    const context = JSON.parse(Attributes?.context as string)
    const claims = { ...context, iss, aud, sub, iat: now, nbf: now, exp: now + 86_400, jti: tokenId(sessionId) }
    const header = { alg: 'ES256', typ: 'embed+jwt', kid: signingKey.kid as string }
    const [token] = await Promise.all([new SignJWT(claims).setProtectedHeader(header).sign(key), ...ending.map(ask)])
    return JSON.stringify({ token, expiresIn: 86_400 })
  }

  const answers: Readonly<Record<string, (recorded: Recorded, request: IncomingMessage) => Promise<string>>> = {
    'list-embed-tenant-workbooks': async (recorded) => page(recorded, workbooks(workbookIds, await askAll(recorded))),
    'list-dbt-syncs': async (recorded) => page(recorded, documents(await askAll(recorded))),
    'list-notifications': async (recorded) => page(recorded, documents(await askAll(recorded))),
    'generate-session': async (recorded, request) => {
      await bodyOf(request)
      const sessionId = randomBytes(32).toString('base64url')
      await askAll(recorded, sessionId)
      return JSON.stringify({ sessionId })
    },
    'exchange-session': async (recorded, request) => exchange(recorded, await sessionIdIn(request)),
    'revoke-session': async (recorded, request) => {
      await askAll(recorded, await sessionIdIn(request))
      return ''
    },
  }

  return serverOf(async (request, response) => {
    const { id, recorded } = byRoute.get(`${request.method} ${request.url}`) as { id: string; recorded: Recorded }
    const text = answers[id] ? await answers[id](recorded, request) : recorded.body
    const { date: _, connection: __, 'keep-alive': ___, ...headers } = recorded.headers
    const own = { 'x-request-id': randomUUID(), ...(text && { 'content-length': Buffer.byteLength(text) }) }
    response.writeHead(recorded.status, { ...headers, ...own }).end(text)
  })
})

const sessionIdIn = async (request: IncomingMessage): Promise<string> => JSON.parse(await bodyOf(request)).sessionId
