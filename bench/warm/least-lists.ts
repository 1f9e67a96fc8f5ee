import { hash } from 'node:crypto'
import { BatchGetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { account, tenant } from '../catalog.ts'
import type { Database } from './least.ts'

const sizeOf = ({ rawQueryString }: APIGatewayProxyEventV2) =>
  Number(new URLSearchParams(rawQueryString).get('first') ?? 100)

const deploymentOf = ({ pathParameters }: APIGatewayProxyEventV2) => Number(pathParameters?.deploymentId)

function cursorOf(list: readonly unknown[], position: string): string {
  const digest = hash('sha256', JSON.stringify([list, position]), 'base64url').slice(0, 22)
  return digest + Buffer.from(position).toString('base64url')
}

function pageOf(list: readonly unknown[], items: readonly string[], positions: readonly string[], more: boolean) {
  const pageInfo = {
    hasNextPage: more,
    hasPreviousPage: false,
    startCursor: cursorOf(list, positions[0] as string),
    endCursor: cursorOf(list, positions.at(-1) as string),
  }
  return `{"items":[${items.join(',')}],"pageInfo":${JSON.stringify(pageInfo)}}`
}

/** The first page of a list that is one partition of an index. */
async function firstPage({ client, tables }: Database, partition: string, list: readonly unknown[], size: number) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tables.catalog,
      IndexName: 'byDeployment',
      KeyConditionExpression: 'deploymentList = :partition',
      ExpressionAttributeValues: { ':partition': partition },
      Limit: size + 1,
    }),
  )
  const shown = Items.slice(0, size)
  return pageOf(
    list,
    shown.map(({ document }) => document as string),
    shown.map(({ order }) => order as string),
    Items.length > size,
  )
}

export function listSyncs(database: Database, event: APIGatewayProxyEventV2): Promise<string> {
  const id = deploymentOf(event)
  return firstPage(database, `${id}#dbtSyncs`, ['dbtSyncs', account, id, null, null], sizeOf(event))
}

export function listNotifications(database: Database, event: APIGatewayProxyEventV2): Promise<string> {
  const id = deploymentOf(event)
  return firstPage(database, `${id}#notifications`, ['notifications', account, id, null, null], sizeOf(event))
}

/** The first page of the workbooks that are shared directly. */
export async function listWorkbooks({ client, tables }: Database, event: APIGatewayProxyEventV2): Promise<string> {
  const id = deploymentOf(event)
  const size = sizeOf(event)
  const query = async (input: Omit<QueryCommandInput, 'TableName'>) => {
    const { Items = [] } = await client.send(new QueryCommand({ TableName: tables.catalog, ...input }))
    return Items
  }
  const get = async (keys: { pk: string; sk: string }[], ConsistentRead: boolean) => {
    const { Responses } = await client.send(
      new BatchGetCommand({ RequestItems: { [tables.catalog]: { Keys: keys, ConsistentRead } } }),
    )
    return new Map(Responses?.[tables.catalog]?.map((item) => [`${item.pk} ${item.sk}`, item]))
  }
  const workbookKey = (workbook: number) => ({ pk: `${id}#workbook#${workbook}`, sk: 'record' })
  const shareKey = (workbook: number) => ({ pk: `${id}#workbook#${workbook}`, sk: `share#${tenant}` })
  const folderKey = (folder: number) => ({ pk: `${id}#folder#${folder}`, sk: 'record' })

  const [shares, tree] = await Promise.all([
    query({
      IndexName: 'byEmbedTenant',
      KeyConditionExpression: 'tenant = :tenant AND #shared > :workbooks',
      ExpressionAttributeNames: { '#shared': 'shared' },
      ExpressionAttributeValues: { ':tenant': `${id}#${tenant}`, ':workbooks': 'w' },
      Limit: size + 1,
    }),
    query({
      IndexName: 'folderTree',
      KeyConditionExpression: '#tree = :tree',
      ExpressionAttributeNames: { '#tree': 'tree' },
      ExpressionAttributeValues: { ':tree': `${id}` },
    }),
    get([{ pk: `embedTenant#${account}#${tenant}`, sk: 'record' }], false),
  ])
  const workbooks = shares.map(({ shared }) => Number((shared as string).slice(2)))
  const parents = new Map(tree.map(({ treeEntry, parentId }) => [Number((treeEntry as string).slice(2)), parentId]))
  const shown = workbooks.slice(0, size)
  const found = await get(shown.map(workbookKey), true)
  const folderOf = (workbook: number) => found.get(`${workbookKey(workbook).pk} record`)?.folderId as number
  const above = new Set<number>()
  for (const workbook of shown) {
    for (let folder: unknown = folderOf(workbook); folder; folder = parents.get(folder as number))
      above.add(folder as number)
  }
  const next = workbooks.slice(size).map(workbookKey)
  const facts = await get([...[...above].map(folderKey), ...workbooks.map(shareKey), ...next], true)
  const items = shown.map((workbook) => {
    const folderPath: object[] = []
    for (let folder = folderOf(workbook); folder; ) {
      const { name, parentId } = facts.get(`${folderKey(folder).pk} record`) as { name: string; parentId: number }
      folderPath.unshift({ id: folder, name })
      folder = parentId
    }
    const text = found.get(`${workbookKey(workbook).pk} record`)?.document as string
    return `${text.slice(0, -1)},"folderPath":${JSON.stringify(folderPath)}}`
  })
  const positions = shown.map((workbook) => `w${String.fromCharCode(96 + String(workbook).length)}${workbook}`)
  return pageOf(['embedTenantWorkbooks', account, id, tenant, 'tenant'], items, positions, workbooks.length > size)
}
