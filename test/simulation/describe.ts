import type { Actor } from './scheduler.ts'

type Answer = {
  readonly Item?: object
  readonly Items?: object[]
  /** Of a batch by table, of a transaction in order. */
  readonly Responses?: Record<string, object[]> | { readonly Item?: object }[]
}

type Write = { Item?: Record<string, unknown>; Key?: Record<string, unknown>; ConditionExpression?: string }

/** A line of the trace: who did what, what went wrong with it, and what came of it. */
export function describe(actor: Actor, command: { readonly input: object }, note: string, answer: object): string {
  const kind = command.constructor.name.replace('Command', '')
  const result = answer instanceof Error ? `✗ ${answer.name}` : resultOf(answer)
  return `${actor.name.padEnd(9)} ${kind} ${inputOf(command.input)}${note && ` (${note})`} → ${result}`
}

function inputOf(input: object): string {
  if ('TransactItems' in input) {
    const writes = input.TransactItems as Record<string, Write>[]
    return writes.map((write) => Object.entries(write).map(([name, each]) => `${name} ${writeOf(each)}`)).join(' + ')
  }
  if ('RequestItems' in input) {
    const [request] = Object.values(input.RequestItems as Record<string, { Keys: object[]; ConsistentRead?: boolean }>)
    return `${request?.ConsistentRead ? 'consistently ' : ''}${request?.Keys.map(keyOf).join(', ')}`
  }
  if ('KeyConditionExpression' in input) {
    const query = input as { IndexName?: string; ExpressionAttributeValues?: object; Limit?: number }
    return `${query.IndexName ?? 'table'} ${Object.values(query.ExpressionAttributeValues ?? {}).join(' ')} limit ${query.Limit}`
  }
  return writeOf(input)
}

function writeOf({ Item, Key, ConditionExpression, ...more }: Write): string {
  const { ExpressionAttributeValues = {} } = more as { ExpressionAttributeValues?: object }
  const values = Object.keys(ExpressionAttributeValues).length > 0 ? ` ${short(ExpressionAttributeValues)}` : ''
  const { pk, sk, ...item } = Item ?? {}
  return `${keyOf(Item ?? Key ?? {})}${Item ? ` ${short(item)}` : ''}${ConditionExpression ? ` if ${ConditionExpression}${values}` : values}`
}

const keyOf = (item: object) => {
  const { pk, sk } = item as { pk?: string; sk?: string }
  return sk === undefined || sk === 'record' ? pk : `${pk}/${sk}`
}

function resultOf(answer: object): string {
  const { Item, Items, Responses } = answer as Answer
  const read = Array.isArray(Responses)
    ? Responses.flatMap(({ Item }) => Item ?? [])
    : Object.values(Responses ?? {})[0]
  const items = Items ?? read ?? (Item && [Item])
  return items ? `[${items.map((item) => short(item)).join(', ')}]` : 'done'
}

const short = (value: object): string =>
  JSON.stringify(value, (name, each) => (name === 'document' ? undefined : each))
    .replaceAll('"', '')
    .slice(0, 300)
