import { parseArgs } from 'node:util'
import { demoKeys } from '../local/demo/keys.ts'
import { command } from './command.ts'
import { checks } from './smoke/checks.ts'
import { client } from './smoke/client.ts'
import { keylessChecks } from './smoke/keyless.ts'

const help = `Usage: npm run smoke -- URL [options]

Tries a running service as its clients use it: sessions from mint to refusal, the lists, the key set.
Without $SMOKE_KEY it expects the demo catalog there.

  --keyless          only what needs no key: nothing is made there
  --deployment ID    a deployment that the key may read (default: $SMOKE_DEPLOYMENT)
  --tenant NAME      an embed tenant, whose workbooks are listed (default: $SMOKE_TENANT)
  --issuer URL       the issuer of its tokens, where that is not URL
  --wait SECONDS     how long it may take to come up (default: 60)
  --help             show this

Environment:
  SMOKE_KEY          an admin's API key (default: the demo catalog's). Arguments would be in the log of npm`

const { SMOKE_KEY, SMOKE_DEPLOYMENT, SMOKE_TENANT } = process.env

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      keyless: { type: 'boolean', default: false },
      deployment: { type: 'string', default: SMOKE_DEPLOYMENT || undefined },
      tenant: { type: 'string', default: SMOKE_TENANT || undefined },
      issuer: { type: 'string' },
      wait: { type: 'string', default: '60' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return print(help)
  const [given] = positionals
  if (given === undefined || positionals.length > 1 || !URL.canParse(given)) throw new Error(help)

  const key = SMOKE_KEY || demoKeys.admin
  const url = given.replace(/\/+$/, '')
  const demo = key === demoKeys.admin ? { deployment: '1001', tenant: 'alder-oak' } : {}
  const all = () =>
    checks({
      issuer: values.issuer ?? url,
      deploymentId: numberOf('--deployment', values.deployment ?? demo.deployment),
      embedTenantName: values.tenant ?? demo.tenant,
    })
  const service = client(url, key)
  await service.comesUp(numberOf('--wait', values.wait))
  for (const [name, check] of values.keyless ? keylessChecks : all()) {
    const started = performance.now()
    try {
      await check(service)
    } catch (error) {
      throw new Error(`FAILED  ${name}: ${error instanceof Error ? error.message : error}`)
    }
    print(`ok  ${name} (${Math.round(performance.now() - started)} ms)`)
  }
})

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function numberOf(option: string, text: string | undefined): number {
  if (text === undefined || !/^\d+$/.test(text)) throw new Error(`${option} must be a number; see --help.`)
  return Number(text)
}
