import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import document from '../../docs/openapi.json' with { type: 'json' }
import { errorPage } from '../../functions/http/error-page.ts'
import { replayAnswers } from '../replay.ts'
import { leastAuthorizer } from './least-authorizer.ts'
import { listNotifications, listSyncs, listWorkbooks } from './least-lists.ts'
import { exchange, generate, revoke } from './least-sessions.ts'
import type { Handlers, Scenario } from './scenario.ts'

/**
 * The least code that gives the same answers to the requests of the scenario, by the same calls, over the plain SDK. It
 * checks nothing, handles no error, and writes no log.
 */
export async function least(tables: Storage['tables'], endpoint: string, scenario: Scenario): Promise<Handlers> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'local', credentials }))
  const database = { client, tables }
  const spec = JSON.stringify(document)
  const page = errorPage()
  const keys = JSON.stringify(scenario.verificationKeys)
  const cached = { 'cache-control': 'public, max-age=300' }
  const html = {
    ...cached,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  }
  return {
    asked: replayAnswers(client),
    operations: {
      'list-embed-tenant-workbooks': async (event) => ok(event, await listWorkbooks(database, event)),
      'list-dbt-syncs': async (event) => ok(event, await listSyncs(database, event)),
      'list-notifications': async (event) => ok(event, await listNotifications(database, event)),
      'generate-session': async (event) => ok(event, await generate(database, scenario, event)),
      'exchange-session': async (event) => ok(event, await exchange(database, scenario, event)),
      'revoke-session': async (event) => {
        await revoke(database, scenario, event)
        return { statusCode: 204, headers: headersOf(event) }
      },
      'get-key-set': async (event) => ok(event, keys, cached),
      'get-spec': async (event) => ok(event, spec, cached),
      'get-error-reference': async (event) => ok(event, page, html),
    },
    authorizer: leastAuthorizer(database, scenario),
  }
}

/** The client and the tables. */
export type Database = Pick<Storage, 'client' | 'tables'>

const headersOf = ({ requestContext }: APIGatewayProxyEventV2) => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  'x-request-id': requestContext.requestId,
})

const ok = (event: APIGatewayProxyEventV2, body: string, headers: object = {}) => ({
  statusCode: 200,
  headers: { ...headersOf(event), 'content-type': 'application/json', ...headers },
  body,
})
