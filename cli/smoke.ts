import { InvalidArgumentError } from '@commander-js/extra-typings'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { demoKeys } from '../local/demo/keys.ts'
import { verb, wholeNumber, withoutSecrets } from './command.ts'
import { type Checks, checks, keylessChecks } from './smoke/checks.ts'
import { type Client, client, reasonOf } from './smoke/client.ts'
import { linesTo, type Terminal, UsageError } from './terminal.ts'

const about =
  'Tries a running service as its clients use it: generates, redeems and revokes sessions, reads ' +
  'the lists and the key set. Without $SMOKE_KEY it expects the demo catalog there.'

export function smoke(terminal: Terminal) {
  const { SMOKE_KEY, SMOKE_DEPLOYMENT, SMOKE_TENANT } = terminal.env
  const key = SMOKE_KEY || demoKeys.admin
  const demo = key === demoKeys.admin ? { deployment: '1001', tenant: 'alder-oak' } : {}
  const print = linesTo(terminal.out)
  return verb('smoke', about, {
    examples: [
      'npx embed-access smoke http://127.0.0.1:8787',
      'SMOKE_KEY=$key npx embed-access smoke https://api.example.com --deployment 1',
    ],
    one: 'a check failed',
    more: `Environment:
  SMOKE_KEY          an admin's API key (default: the demo catalog's). It is no option,
                     because other users of the machine can read those`,
  })
    .argument('<url>', 'the address of the service', urlFrom)
    .option('--keyless', 'only what needs no key: nothing is made there')
    .option(
      '--deployment <id>',
      'a deployment that the key may read (default: $SMOKE_DEPLOYMENT)',
      wholeNumber,
    )
    .option(
      '--tenant <name>',
      'an embed tenant, whose workbooks are listed (default: $SMOKE_TENANT)',
    )
    .option('--issuer <url>', 'the issuer of its tokens, where that is not the URL')
    .option('--wait <seconds>', 'how long it may take to come up', wholeNumber, 60)
    .option('--json', 'prints {"url", "checks": [{"name", "isOk", "ms", "error"}]}')
    .action(async (url, { keyless, deployment, tenant, issuer = url, wait, json }, command) => {
      const given = deployment ?? (SMOKE_DEPLOYMENT || demo.deployment)
      if (given === undefined && !keyless)
        command.error('Give --deployment, one that the key may read.')
      if (/[^!-~]/.test(key))
        throw new UsageError('SMOKE_KEY has a blank, or another character that no key has.')
      const embedTenantName = tenant ?? (SMOKE_TENANT || demo.tenant)
      const withKey = keyless
        ? {}
        : checks({ issuer, deploymentId: deploymentFrom(String(given)), embedTenantName })
      const service = client(url, key)
      await service.comesUp(wait, linesTo(terminal.err), terminal.pause)
      const results = await resultsOf({ ...keylessChecks, ...withKey }, service, ({ name, ms }) => {
        if (!json) print(`ok  ${name} (${ms} ms)`)
      })
      const failed = results.find(({ isOk }) => !isOk)
      if (failed) terminal.exitCode = 1
      if (json) print(quoted({ url, checks: results }))
      else if (failed) throw new Error(`FAILED  ${failed.name}: ${failed.error}`)
    })
}

type Result = { name: string; isOk: boolean; ms: number; error: string | undefined }

/** Runs checks one after the other, until one fails. */
async function resultsOf(
  checks: Checks,
  service: Client,
  passed: (result: Result) => void,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [name, check] of Object.entries(checks)) {
    const started = performance.now()
    const error = await check(service).then(() => undefined, reasonOf)
    const ms = Math.round(performance.now() - started)
    const result = { name, isOk: error === undefined, ms, error: error && withoutSecrets(error) }
    results.push(result)
    if (!result.isOk) break
    passed(result)
  }
  return results
}

function deploymentFrom(text: string): number {
  try {
    return wholeNumber(text)
  } catch {
    throw new UsageError('SMOKE_DEPLOYMENT must be a whole number.')
  }
}

function urlFrom(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('It must be an address, such as http://127.0.0.1:8787.')
}
