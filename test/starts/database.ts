import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { listening } from '../support/temporary.ts'

/** How a database answers: `ends` breaks the connection, `silent` never says anything. */
export type Mood = 'answers' | 'silent' | 'refuses' | 'throttles' | 'ends'

type MoodyDatabase = {
  readonly url: string
  mood: Mood
  /** Each call with its tables and partition keys: `BatchGetItem catalog account##, sessions #`. */
  readonly asked: string[]
  /** Waits until it has had so many calls. */
  hasBeenAsked(times: number): Promise<void>
  end(): Promise<void>
}

/**
 * A database that has signing keys and nothing else, and lets every write succeed that has no
 * condition.
 */
export async function moodyDatabase(
  mood: Mood,
  signingKeys: Readonly<Record<string, string>>,
): Promise<MoodyDatabase> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const action = String(request.headers['x-amz-target']).split('.')[1] as string
    const keys = keysIn(body)
    const named = keys.map(({ table, partition }) => `${table} ${partition}`)
    database.asked.push(`${action} ${named.join(', ')}`)
    server.emit('asked')
    if (database.mood === 'ends') return void request.socket.destroy()
    if (database.mood === 'refuses') return refuse(response, 'AccessDeniedException')
    if (database.mood === 'throttles') return refuse(response, 'ThrottlingException')
    if (database.mood === 'silent') return
    if (body.ConditionExpression && action === 'DeleteItem')
      return refuse(response, 'ConditionalCheckFailedException')
    const stored = signingKeys[keys[0]?.partition ?? '']
    response.end(
      JSON.stringify(
        stored === undefined ? {} : { Item: { keys: { S: stored }, version: { S: '1' } } },
      ),
    )
  })
  const database: MoodyDatabase = {
    ...(await listening(server)),
    mood,
    asked: [],
    async hasBeenAsked(times) {
      while (database.asked.length < times) await once(server, 'asked')
    },
  }
  return database
}

type Key = { readonly pk?: { readonly S: string } }
type Body = {
  readonly TableName?: string
  readonly Key?: Key
  readonly Item?: Key
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Key[] }>>
}

function keysIn({ TableName, Key, Item, RequestItems }: Body) {
  const tables = Object.entries(
    RequestItems ?? { [String(TableName)]: { Keys: [Key ?? Item ?? {}] } },
  )
  return tables.flatMap(([table, { Keys }]) =>
    Keys.map(({ pk }) => ({ table, partition: pk?.S ?? '' })),
  )
}

function refuse(response: ServerResponse, type: string): void {
  response.statusCode = 400
  response.setHeader('content-type', 'application/x-amz-json-1.0')
  response.end(
    JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no' }),
  )
}
