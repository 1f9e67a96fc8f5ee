import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { ItemKey } from '@embed-access/core/storage/item.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTables } from '../../cli/create-tables.ts'
import { connectToEngine } from '../support/database.ts'
import { slow } from '../support/time.ts'
import { allKeys, arbitraryCommand, commandOf, type PlainCommand } from './commands.ts'
import { Database } from './database.ts'
import { idOf } from './table.ts'

const engine = connectToEngine()
const { tables } = engine
beforeAll(() => createTables(engine))
afterAll(() => engine.client.destroy())

/** What a caller gets to see of an answer. Batches and scans come in no order. */
async function answer(execute: () => object | Promise<object>, isOrdered: boolean) {
  try {
    const { $metadata, ConsumedCapacity, Count, ScannedCount, ...seen } =
      (await execute()) as Record<string, unknown>
    const { Responses, Items } = seen as {
      Responses?: Record<string, ItemKey[]>
      Items?: ItemKey[]
    }
    if (Items && !isOrdered)
      return { ...seen, Items: Items.map((item) => [idOf(item), item]).sort() }
    return Responses
      ? Object.values(Responses).flatMap((items) => items.map((item) => [idOf(item), item]).sort())
      : seen
  } catch (error) {
    const { name, Item, CancellationReasons } = error as Record<string, unknown>
    const reasons = (CancellationReasons as { Code: string; Item?: object }[] | undefined)?.map(
      ({ Code, Item }) => ({
        Code,
        Item,
      }),
    )
    return { name, Item, reasons }
  }
}

const onAnotherEngine =
  'DynamoDB Local gives attributes that an index does not carry, where DynamoDB refuses.'

// Each of the runs sends up to 30 commands, one after the other.
test(
  'the simulated database answers and fails as the embedded engine does',
  slow,
  async ({ skip }) => {
    skip(process.env.DYNAMODB_ENDPOINT !== undefined, onAnotherEngine)
    const commands = fc.array(arbitraryCommand(tables.catalog), { minLength: 5, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(commands, async (commands) => {
        const deletions = allKeys.map((Key) => ({ DeleteRequest: { Key } }))
        await engine.client.send(
          new BatchWriteCommand({ RequestItems: { [tables.catalog]: deletions } }),
        )
        const simulated = new Database(tables)
        const compare = async (command: PlainCommand) => {
          const expected = await answer(
            () => engine.client.send(commandOf(command) as never) as Promise<object>,
            command.command !== 'Scan',
          )
          const given = await answer(
            () => simulated.execute(commandOf(command)),
            command.command !== 'Scan',
          )
          expect([command, given]).toEqual([command, expected])
          if (!('LastEvaluatedKey' in expected)) return
          await compare({
            ...command,
            input: { ...command.input, ExclusiveStartKey: expected.LastEvaluatedKey },
          })
        }
        for (const command of commands) await compare(command)
      }),
      { numRuns: 100 },
    )
  },
)
