import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { functionsOver } from './measure.ts'
import { replayAnswers } from './replay.ts'
import type { PageRequest } from './requests.ts'

/**
 * Milliseconds of this process's CPU: for a page of 100, for the same workbooks kept as native maps, and for one workbook
 * in either way, which is what the calls take themselves.
 */
export type CpuTime = {
  readonly page: string
  readonly ms: number
  readonly oneMs: number
  readonly mapsMs: number
  readonly oneMapMs: number
}

const rounds = 31
const pagesPerRound = 15

/**
 * Compares the CPU of a whole page (checks, queries, documents, folder names, the answer's text) with that of one
 * BatchGetItem of the same workbooks through plain lib-dynamodb, and JSON.stringify. Gives medians of interleaved
 * rounds. The database's answers are replayed, so neither the database nor sockets count.
 */
export async function measureCpu(
  endpoint: string,
  tables: Storage['tables'],
  requests: readonly PageRequest[],
): Promise<CpuTime[]> {
  const storage = connect(tables, endpoint)
  const { region, credentials } = storage.client.config
  const maps = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }))
  replayAnswers(storage.client)
  replayAnswers(maps)
  const read = functionsOver(storage)
  const times: CpuTime[] = []
  for (const { name, list, query } of requests) {
    const page = (first: number) => () => read({ list, query: { ...query, first: String(first) } })
    const { items } = JSON.parse(await page(100)()) as { items: { id: number }[] }
    await keepAsMaps(storage, items)
    const asMaps = (count: number) => () => readMaps(maps, storage.tables.catalog, items.slice(0, count))
    const works = { ms: page(100), oneMs: page(1), mapsMs: asMaps(100), oneMapMs: asMaps(1) }
    const samples = Object.fromEntries(Object.keys(works).map((work) => [work, [] as number[]]))
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, work] of Object.entries(works)) samples[name]?.push(await cpuOf(work))
    }
    const medians = Object.fromEntries(Object.entries(samples).map(([work, of]) => [work, median(of)]))
    times.push({ page: name, ...medians } as CpuTime)
  }
  return times
}

const keyOf = ({ id }: { id: number }) => ({ pk: `maps#${id}`, sk: 'record' })

async function keepAsMaps({ client, tables }: Storage, items: readonly { id: number }[]): Promise<void> {
  for (let from = 0; from < items.length; from += 25) {
    const puts = items.slice(from, from + 25).map((workbook) => ({
      PutRequest: { Item: { ...keyOf(workbook), workbook } },
    }))
    await client.send(new BatchWriteCommand({ RequestItems: { [tables.catalog]: puts } }))
  }
}

async function readMaps(client: DynamoDBDocumentClient, table: string, items: readonly { id: number }[]) {
  const { Responses } = await client.send(
    new BatchGetCommand({ RequestItems: { [table]: { Keys: items.map(keyOf) } } }),
  )
  return JSON.stringify({ items: Responses?.[table]?.map(({ workbook }) => workbook) })
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let page = 0; page < pagesPerRound; page += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / pagesPerRound
}

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
