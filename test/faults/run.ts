import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { command } from '../../cli/command.ts'

const help = `Usage: npm run prove -- faults [--seeds N | --seed S]

Tries operations under random faults of the database, in virtual time. A seed decides the operations and the faults.

  --seeds N   how many seeds (default: 200)
  --seed S    this one alone, to replay it
  --help      show this
`

await command(async () => {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '200' }, seed: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  for (const number of [values.seeds, values.seed ?? '0']) {
    if (!/^\d+$/.test(number)) throw new Error(`${number} is not a number. See npm run prove -- faults --help.`)
  }
  const env = {
    ...process.env,
    FAULT_SEEDS: values.seeds,
    ...(values.seed !== undefined && { FAULT_SEED: values.seed }),
  }
  const { status } = spawnSync('vitest', ['run', 'test/faults/random-faults.test.ts'], { env, stdio: 'inherit' })
  process.exitCode = status ?? 1
})
