import { spawnSync } from 'node:child_process'
import { startDynamoDbLocal } from './start-dynamodb-local.ts'

export const help = `Usage: npm run prove -- dynamodb-local [FILES AND OPTIONS OF VITEST]

Runs the tests against AWS's DynamoDB Local, all of them or those named. Needs Java 17 and Maven,
which fetches it. DynamoDB Local listens at all addresses of this machine while the tests run.
`

export async function run(): Promise<void> {
  const args = process.argv.slice(2)
  const { endpoint, stop } = await startDynamoDbLocal()
  try {
    const env = { ...process.env, DYNAMODB_ENDPOINT: endpoint }
    process.exitCode = spawnSync('vitest', ['run', ...args], { stdio: 'inherit', env }).status ?? 1
  } finally {
    await stop()
  }
}
