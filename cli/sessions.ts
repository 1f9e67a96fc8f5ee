import { parseArgs } from 'node:util'
import { command } from './command.ts'
import { jtiShape, revoke } from './sessions/revoke.ts'
import { trace } from './sessions/trace.ts'
import { tablePrefix } from './table-prefix.ts'
import { withStorage } from './with-storage.ts'

const help = `Usage: npm run sessions -- COMMAND [options]

  revoke --account ACCOUNT (--jti JTI | --key HASH | --key-from-stdin | --user ID)
              end embed tokens by what the audit names: one token, or all that an
              API key or a user has generated until now and in the next 30 seconds;
              --key-from-stdin takes the key itself
  trace JTI [FILE ...]
              what became of a session, from log lines in files or standard input

  --help      show this

Environment, for revoke:
  DYNAMODB_ENDPOINT   another engine than AWS's DynamoDB
  CATALOG_TABLE, SESSIONS_TABLE, CREDENTIALS_TABLE
                      names of the tables (default: ${tablePrefix}-catalog, …)
  AWS_REGION, …       as for every program that uses AWS`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const options = {
  account: { type: 'string' },
  jti: { type: 'string' },
  key: { type: 'string' },
  'key-from-stdin': { type: 'boolean' },
  user: { type: 'string' },
  help: { type: 'boolean' },
} as const

await command(async () => {
  const args = withJtiAsValue(process.argv.slice(2))
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [verb, ...rest] = positionals
  if (values.help) return print(help)
  switch (verb) {
    case 'revoke':
      if (rest.length > 0) throw new Error(help)
      return print(await withStorage((storage) => revoke(storage, values, Date.now())))
    case 'trace':
      for await (const line of trace(rest)) print(line)
      return
    default:
      throw new Error(help)
  }
})

/** One of 64 `jti`s begins with a hyphen. parseArgs would take it for an option. */
function withJtiAsValue(args: readonly string[]): string[] {
  const at = args.findIndex((arg) => arg.startsWith('-') && jtiShape.test(arg))
  if (at < 0) return [...args]
  return args[at - 1] === '--jti' ? args.toSpliced(at - 1, 2, `--jti=${args[at]}`) : args.toSpliced(at, 0, '--')
}
