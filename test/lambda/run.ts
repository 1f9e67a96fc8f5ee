import { prove } from '../aws/proof.ts'
import { startDynamoDbLocal } from '../engine/start-dynamodb-local.ts'
import { missing } from '../support/missing.ts'

export const help = `Usage: npm run prove -- lambda [OPTIONS OF VITEST]

Runs every bundle under AWS's Runtime Interface Emulator and Client, in the environment that each
stage gives it, over AWS's DynamoDB Local. Without Java 17 or Maven it takes the embedded engine,
and says so. The first time it installs the emulator from PyPI (AWS has it in aws-sam-cli), and
compiles the client from npm, into node_modules/.cache. The emulator runs on Linux. On Debian that
needs:

  apt-get install python3-venv cmake g++ make autoconf libtool xz-utils
`

export const run = () =>
  prove({
    help,
    folder: 'test/lambda',
    uses: ['emulator', 'client'],
    takes: ['Linux'],
    async serve() {
      if (!missing('java') && !missing('mvn')) {
        const { endpoint, stop } = await startDynamoDbLocal()
        return { env: { DYNAMODB_ENDPOINT: endpoint }, stop }
      }
      process.stdout.write('Over the embedded engine: DynamoDB Local takes Java 17 and Maven.\n')
      return { env: {}, stop: async () => {} }
    },
  })
