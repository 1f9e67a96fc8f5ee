import { parseArgs } from 'node:util'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { tableVariables } from '../functions/runtime/environment.ts'
import { command } from './command.ts'
import { create, list, revoke } from './keys/api.ts'
import { init, move, publicPart, remove, rotate } from './keys/signing.ts'
import { withTables } from './keys/tables.ts'
import { tablePrefix } from './table-prefix.ts'

const help = `Usage: npm run keys -- COMMAND [options]

API keys:
  create --account ACCOUNT --user ID [--name NAME] [--deployments 1,2] [--expires 2027-01-31T12:00:00Z|30d|12h]
                      makes a key, and prints it once. The key itself is not stored
  list --account ACCOUNT [--user ID]
                      lists keys with their hash, scope, expiry and last use
  revoke HASH         revokes a key, by the beginning of its hash
  revoke --key-from-stdin
                      revokes a key, by the key itself
  All of them take --url URL for a service that npm start runs now, or --data DIR for the directory of one that does not
  run now.

Signing keys of a deployed stage; of a local server with --data DIR while it does not run, or with DYNAMODB_ENDPOINT:
  init [--stage NAME] [--replace]
                      makes the first keys and their table, before the first deployment;
                      --replace replaces existing keys, which ends all their tokens
  rotate [--stage NAME] [--older-than 30d] [--url URL]
                      next -> active -> retired, and a new next, without a deployment;
                      with --older-than, only if the active key has signed for that long;
                      with --url, only if the service there publishes all the keys
  public [--stage NAME]
                      prints the public parts, as the service publishes them
  move --stage NAME   moves them from SST's secret, where earlier versions kept them
  remove --stage NAME removes them with their table; not those of production

  --help              shows this

Environment:
  DYNAMODB_ENDPOINT   another engine than AWS's DynamoDB
  ${Object.values(tableVariables).join(', ')}
                      names of the tables (default: ${tablePrefix}-catalog, …)
  AWS_REGION, …       as for every program that uses AWS`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
/** For a reader beside the output, which may go into a pipe. */
const explain = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const options = {
  account: { type: 'string' },
  user: { type: 'string' },
  name: { type: 'string' },
  deployments: { type: 'string' },
  expires: { type: 'string' },
  'key-from-stdin': { type: 'boolean' },
  stage: { type: 'string' },
  'older-than': { type: 'string' },
  url: { type: 'string' },
  data: { type: 'string' },
  replace: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

await command(async () => {
  const { values, positionals } = parsed(() => parseArgs({ allowPositionals: true, options }))
  const [verb, argument, ...more] = positionals
  if (values.help) return print(help)
  if (more.length > 0 || (argument !== undefined && verb !== 'revoke')) throw new Error(help)

  switch (verb) {
    case 'create': {
      const apiKey = await withTables(values, (storage) => create(storage, values, Date.now()))
      print(apiKey)
      return explain('This is the key. It is shown only once. Keep it where you keep secrets.')
    }
    case 'list':
      return print(await withTables(values, (storage) => list(storage, values)))
    case 'revoke': {
      const { name, userId } = await withTables(values, (storage) => revoke(storage, argument, values))
      return explain(`Revoked ${quoted(name)} of user ${userId}. If your catalog has the key, delete it there too.`)
    }
    case 'init':
      return init(values, explain)
    case 'rotate':
      return rotate(values, explain)
    case 'move':
      return move(values, explain)
    case 'remove':
      return remove(values, explain)
    case 'public':
      return print(await publicPart(values))
    default:
      throw new Error(help)
  }
})

/** Keeps the first sentence of what parseArgs says, which names the option. */
function parsed<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (error) {
    throw new Error(`${(error as Error).message.split('. ', 1)[0]}. See npm run keys -- --help.`)
  }
}
