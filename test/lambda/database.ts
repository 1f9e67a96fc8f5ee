import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { TestProject } from 'vitest/node'
import { createTables } from '../../cli/create-tables.ts'
import { loadDemo } from '../../cli/start/load.ts'
import { tableVariables } from '../../functions/runtime/environment.ts'
import { startEngine } from '../../local/engine.ts'
import { startDynamoDbLocal } from '../engine/start-dynamodb-local.ts'
import evaluateStages, { type Evaluation } from '../infrastructure/stages.ts'
import { patient } from '../support/database.ts'
import { missing } from '../support/missing.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: string
  }
}

/** Evaluates the stages, and fills the tables that their functions name with the demo catalog. */
export default async function database(project: TestProject) {
  await evaluateStages(project)
  const isLocal = !missing('java') && !missing('mvn')
  process.stdout.write(
    isLocal
      ? 'The functions work over DynamoDB Local.\n'
      : 'The functions work over the embedded engine: DynamoDB Local takes Java 17 and Maven.\n',
  )
  const { endpoint, stop } = await (isLocal ? startDynamoDbLocal() : startEngine({}))
  project.provide('database', endpoint)
  process.env.AWS_REGION ??= 'eu-central-1'
  for (const stage of Object.values(project.getProvidedContext().stages)) {
    const storage = patient(connect(tablesOf(stage), endpoint))
    await createTables(storage)
    const keys = await firstSigningKeys(Date.now())
    await writeSigningKeys(storage, keys, undefined).catch(() => 'stages of a name share tables')
    await loadDemo(storage, { write() {} })
    storage.client.destroy()
  }
  return stop
}

/** The tables of a stage, by the names that its functions have in their environments. */
function tablesOf({ resources }: Evaluation): Storage['tables'] {
  const variables = Object.assign(
    {},
    ...resources.map(({ inputs }) => inputs.environment?.variables),
  )
  const names = Object.entries(tableVariables).map(([table, name]) => [table, variables[name]])
  return Object.fromEntries(names) as Storage['tables']
}
