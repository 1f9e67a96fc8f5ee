import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commanded, refusal } from './environment.ts'

test.each<[string, RegExp]>([
  ['catalog', /^Usage: embed-access catalog \[options\] \[command\]/],
  ['catalog imprt x', /^Unknown command 'imprt'\n\(Did you mean import\?\)/],
  [
    'catalog import',
    /^Missing required argument 'file'\nSee embed-access catalog import --help\.\n$/,
  ],
  [
    // Both words are in “import”, which stays whole.
    'catalog import port im',
    /^Too many arguments for 'import'\. Expected 1 argument but got 2: …, …\.\n/,
  ],
  ...['--yes', '--max-deletes 4'].map((option): [string, RegExp] => [
    `catalog reconcile dump.ndjson --apply ${option}`,
    /^Nothing is deleted without --until REVISION\. Give it too\.\n$/,
  ]),
  ['catalog check', /^Say what to check: --deployment ID, or --published FILE\./],
  [
    'catalog check --deployment 1e3',
    /^Option '--deployment <id>' argument '…' is invalid\. It must be a whole number\./,
  ],
  ...['1,x2', '1,2x'].map((ids): [string, RegExp] => [
    `keys create --account acme --user 1 --deployments ${ids}`,
    /^Option '--deployments <ids>' argument '…' is invalid\. It must be a list of deployment ids/,
  ]),
  ...['30days', '+30d', '100000d', '30', '-hunter2'].map((time): [string, RegExp] => [
    `keys create --account acme --user 1 --expires ${time}`,
    /^Option '--expires <time>' argument '…' is invalid\. It must be a time, .*, or a duration, /,
  ]),
  ...['2020-01-01', '0h'].map((time): [string, RegExp] => [
    `keys create --account acme --user 1 --expires ${time}`,
    /It is in the past\. A key must expire in the future\./,
  ]),
  [
    'keys create --account acme --user 1 --expires 9999-12-31T23:59:59-12:00',
    /In UTC it is after the year 9999\./,
  ],
  [
    'keys create --account acme --user 1 --may list-dbt-syncs,dance',
    /Each must be one of list-embed-tenant-/,
  ],
  ['keys list --account acme --user foreign', /^Option '--user <id>' argument '…' is invalid\./],
  ['keys list --account acme --json=foreign', /^Unknown option '--json=…'/],
  ['keys list --acount=acme', /^Unknown option '--acount'\n\(Did you mean --account\?\)/],
  ['sessions revoke --account acme --user 1 --user 2', /^Option '--user <id>' was given twice\n/],
  ['keys list --account=', /^Option '--account <id>' has an empty value\n/],
  ['keys revoke', /^Name the key by the beginning of its hash, or use --key-from-stdin\./],
  ['keys revoke foreign', /^Command-argument value '…' is invalid for argument 'hash'\. 8 to 64/],
  ['keys revoke abcdef01 --key-from-stdin', /^Name the key/],
  [
    'keys rotate',
    /^Say whose signing keys: --stage NAME .+ --data or DYNAMODB_ENDPOINT for a local server\.\n$/,
  ],
  ['keys init --stage Staging', /It must be 1 to 13 lower-case letters, digits and hyphens, with/],
  ['keys rotate --older-than soon --stage x', /It must be a duration, such as 30d or 12h\./],
  ['sessions revoke --account acme', /^Give --jti, --key, --key-from-stdin or --user\./],
  [
    'sessions revoke --account acme --jti short',
    /It must be the 22 characters that the audit shows\./,
  ],
  ['sessions revoke --account acme --key sk-ea_1', /12 to 64 characters of the hash are needed/],
  ['start --watch', /^--watch needs --catalog FILE\.\n$/],
  ['start --port 1e3', /^1e3 is not a port\./],
  ['start --port 0x1', /^0x1 is not a port\./],
  [
    'start --cors-origin http://127.0.0.1:4001 http://127.0.0.1:4001/',
    /^http:\/\/127\.0\.0\.1:4001\/ is not an origin\. It must be like https:\/\/app\.example\.com\.\n$/,
  ],
  ['start --port 65536', /^65536 is not a port\. It must be from 0 to 65535\.\n$/],
  [`sessions trace ${'A'.repeat(22)} --bogus`, /^Unknown option '--bogus'/],
  ...['http://', 'ftp://http:'].map((url): [string, RegExp] => [
    `smoke ${url}`,
    /is invalid for argument 'url'\. It must be an address/,
  ]),
  ['smoke http://127.0.0.1:1 --key=sk-secret', /^Unknown option '--key=…'/],
  ['help keys frobnicate', /^Unknown command 'frobnicate'\n/],
])(
  '%s ends with 2 for wrong arguments, says which, and repeats no secret',
  async (command, message) => {
    const refused = await commanded('', command)
    expect(refused).toMatchObject(refusal(message, 2))
    expect(refused.said).not.toContain('sk-')
  },
)

const jti = 'A'.repeat(22)
test.each([
  ['catalog import x --dry-run', ['--resume', '--url u', '--data d']],
  ['catalog check --published f', ['--deployment 1', '--url u', '--data d']],
  ['keys rotate --stage x', ['--url u', '--data d']],
  [
    `sessions revoke --account a --jti ${jti}`,
    ['--key 0123456789ab', '--key-from-stdin', '--user 1'],
  ],
  ['sessions revoke --account a --key 0123456789ab', ['--key-from-stdin', '--user 1']],
  ['sessions revoke --account a --key-from-stdin', ['--user 1']],
])('%s goes with none of %j', async (command, others) => {
  for (const other of others) {
    const [first, second] = `${command} ${other}`.match(/--\S+/g)?.slice(-2) ?? []
    const said = RegExp(`^Option '${first} ?\\S*' cannot be used with option '${second} ?\\S*'\n`)
    expect(await commanded('', `${command} ${other}`)).toMatchObject(refusal(said, 2))
  }
})

test('a jti that begins with -V is no question for the version', async () => {
  const jti = '-VxQb5nP2kzTq1hWc7LdEA'
  const traced = await commanded('sessions', ['trace', jti, '/dev/null'])
  expect(traced).toMatchObject(refusal(`No line is about ${jti}.`))
})

test.each([
  [`audit-1-2026-11-01-00-00-00-${randomUUID()}.gz`, (name: string) => name],
  ['sk-lab/none.log', (name: string) => name],
  ['A'.repeat(43), () => '…'],
  [`sk-ea_${'x'.repeat(60)}/none.log`, () => '…'],
])('the name of a file is repeated, and no session id or key: %s', async (name, shown) => {
  const { said } = await commanded('usage', ['--month', '2026-11', join('none', name)])
  expect(said).toContain(`Cannot read none/${shown(name)}`)
})
