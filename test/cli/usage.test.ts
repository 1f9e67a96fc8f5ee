import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tableOf } from '../../cli/table.ts'
import { run } from '../support/command.ts'
import { keys, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { answeringAsAws, commanded, refusal } from './environment.ts'

const directory = temporaryDirectory()
const issuer = 'https://embed.example'

type Line = string | object

/** Runs `npx embed-access usage` for November, after its end unless a time is given. */
const usage = (args: string, input: readonly Line[] = [], now = '2026-12-01T00:00:00Z') =>
  commanded('usage', `--month 2026-11 ${args}`, {
    input: input.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    time: { now: () => Date.parse(now) },
  })

const counted = async (input: readonly Line[], args = '') =>
  JSON.parse((await usage(`--json ${args}`, input)).output).usage

const none = {
  ...{ generated: 0, redeemed: 0, refused: 0, ended: 0, endUsers: 0 },
  ...{ internalUsers: 0, anonymous: 0, byActors: 0 },
}

type Told = { readonly embedTenantName?: string; readonly sub?: string; readonly act?: object }

const line = (event: string, accountId: string, told: Told = {}) => ({
  ...{ event, issuer, time: '2026-11-03T10:00:00.000Z', jti: 'j' },
  for: { accountId, ...told },
})

describe('npx embed-access usage', () => {
  // The end of a session is stored within 250 ms or not at all, and a busy engine may take longer.
  const service = world(undefined, { isInMemory: true })
  const { newSession, redeem, revoke, newToken } = sessionsOf(service)

  test('counts what the service has written, and prints no end user', async () => {
    service.logged.length = 0
    const oak = { embedTenantName: 'oak', externalId: 'u-1' }
    const first = await newSession(oak)
    await redeem(first)
    await redeem(first)
    await newToken(oak)
    await newToken({ ...oak, externalId: 'u-2' })
    await newToken({ ...oak, actor: { id: 'support', reason: 'ticket 7' } })
    const ended = await newToken({ embedTenantName: 'oak' })
    await service.delete('/api/v1/embed/session', bearer(ended))
    await newToken({ internalId: 'ada' })
    const revoked = await newSession(oak)
    await revoke({ sessionId: revoked })
    await redeem(revoked)
    await redeem('never-made')

    const month = String(service.logged[0]?.time).slice(0, 7)
    const { output } = await commanded('usage', `--month ${month} --json`, {
      input: service.logged.map((each) => JSON.stringify(each)).join('\n'),
      time: { now: () => service.now },
    })
    const ofAcme = { generated: 1, redeemed: 1, refused: 1, ended: 1, internalUsers: 1 }
    const ofOak = { generated: 6, redeemed: 5, refused: 1, ended: 1, endUsers: 2, byActors: 1 }
    expect(JSON.parse(output)).toEqual({
      month,
      usage: [
        { accountId: null, embedTenantName: null, ...none, refused: 1 },
        { accountId: 'acme', embedTenantName: null, ...none, ...ofAcme },
        { accountId: 'acme', embedTenantName: 'oak', ...none, ...ofOak, anonymous: 1 },
      ],
    })
    for (const secret of ['u-1', 'u-2', 'support', 'ticket', 'ada', keys.admin])
      expect(output).not.toContain(secret)
  })
})

/** What a line may look like by the way that it was kept. */
const wrappings: Readonly<Record<string, (entry: object) => string>> = {
  plain: (entry) => JSON.stringify(entry),
  tailed: (entry) => `2026-11-01T00:00:00 2026/[$LATEST]0 ${JSON.stringify(entry)}\r`,
  byLambda: (message) => JSON.stringify({ timestamp: '2026-11-01T00:00:00Z', message }),
  asText: (entry) => JSON.stringify({ timestamp: 1, message: JSON.stringify(entry) }),
  bySubscription: (entry) =>
    JSON.stringify({
      messageType: 'DATA_MESSAGE',
      logEvents: [{ message: JSON.stringify(entry) }],
    }),
}

const lines = fc.array(
  fc.record({
    event: fc.constantFrom('generated', 'redeemed', 'refused', 'replayed', 'impersonated'),
    accountId: fc.constantFrom('acme', 'other'),
    embedTenantName: fc.constantFrom('oak', 'elm'),
    user: fc.nat(5),
    isActor: fc.boolean(),
    wrapping: fc.constantFrom(...Object.keys(wrappings)),
  }),
  { minLength: 1, maxLength: 60 },
)

test('it counts as a plain model does, however the lines are wrapped and divided', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(60), async (all, cut) => {
      const written = all.map(({ event, accountId, embedTenantName, user, isActor, wrapping }) => {
        const sub = `${accountId}#external#${embedTenantName}#${user}`
        const told = { embedTenantName, sub, ...(isActor && { act: { sub: 'support' } }) }
        return wrappings[wrapping]?.(line(`session.${event}`, accountId, told)) as string
      })
      const others = ['', 'START session.redeemed', '{"invocation":"operation"}']
      runs += 1
      const first = await fileIn(directory, `${runs}.log`, [...others, ...written.slice(0, cut)])
      const second = await fileIn(directory, `${runs}.gz`, written.slice(cut))
      const { code, output, said } = await usage(`--json ${first} ${second}`)

      const expected = ['acme', 'other'].flatMap((accountId) =>
        ['elm', 'oak'].map((embedTenantName) => {
          const own = all.filter(
            (each) => each.accountId === accountId && each.embedTenantName === embedTenantName,
          )
          const of = (...events: string[]) => own.filter(({ event }) => events.includes(event))
          const redeemed = of('redeemed')
          const users = redeemed.filter(({ isActor }) => !isActor).map(({ user }) => user)
          return {
            ...{ accountId, embedTenantName, ...none },
            generated: of('generated').length,
            redeemed: redeemed.length,
            refused: of('refused', 'replayed').length,
            endUsers: new Set(users).size,
            byActors: redeemed.filter(({ isActor }) => isActor).length,
          }
        }),
      )
      const counts = expected.filter((row) => row.generated + row.redeemed + row.refused > 0)
      expect(code).toBe(counts.length > 0 ? 0 : 1)
      if (code === 0) expect([said, JSON.parse(output).usage]).toEqual(['', counts])
    }),
    { numRuns: 20 },
  )
})

test('each event counts in the month of its own time, in UTC', async () => {
  const at = (event: string, time: string) => ({ ...line(event, 'acme'), time })
  const told = [
    at('session.generated', '2026-10-31T23:59:59.999Z'),
    at('session.redeemed', '2026-11-01T00:00:00.000Z'),
    at('session.redeemed', '2026-11-30T23:59:59.999Z'),
    at('session.replayed', '2026-12-01T00:00:00.000Z'),
  ]
  const row = { accountId: 'acme', embedTenantName: null, ...none }
  expect(await counted(told)).toEqual([{ ...row, redeemed: 2, anonymous: 2 }])
  for (const now of ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z']) {
    const said = '2026-11 has not ended: this is the month so far.\n'
    expect(await usage('', told, now)).toMatchObject({ code: 0, said })
  }
})

test('a revocation that the database did not answer does not count', async () => {
  const lost = { ...line('session.revoked', 'acme'), unanswered: true }
  expect(await counted([lost, line('session.revoked', 'acme')])).toMatchObject([{ ended: 1 }])
})

test('an end counts for the tenant of a token that ends itself', async () => {
  const ending = (jti: string) => ({
    ...{ ...line('session.revoked', ''), for: undefined, jti: 'j' },
    by: { accountId: 'acme', credential: { kind: 'embedToken', jti, embedTenantName: 'oak' } },
  })
  expect(await counted([ending('j'), ending('j'), ending('another')])).toEqual([
    { accountId: 'acme', embedTenantName: null, ...none, ended: 1 },
    { accountId: 'acme', embedTenantName: 'oak', ...none, ended: 2 },
  ])
})

test('lines of several services are not added up, and --issuer chooses one', async () => {
  const here = line('session.generated', 'acme')
  const there = { ...here, issuer: 'https://other.example' }
  expect(await usage('', [here, there])).toMatchObject(
    refusal(/^The lines are of several services, .+ and https:\/\/other\..+ with --issuer\.\n$/),
  )
  const row = { accountId: 'acme', embedTenantName: null, ...none, generated: 1 }
  expect(await counted([here, there], `--issuer ${issuer}`)).toEqual([row])
  expect(await usage('--issuer https://third.example', [here])).toMatchObject(
    refusal(`The lines of 2026-11 are of other issuers, such as ${issuer}.`),
  )
})

test('it says how many audit lines are damaged, and counts the others', async () => {
  const whole = line('session.generated', 'acme')
  const cut = JSON.stringify(whole).slice(0, -5)
  const { code, output, said } = await usage('', [
    whole,
    cut,
    { message: cut },
    { logEvents: [{ message: cut }, { message: JSON.stringify(whole) }] },
    { ...whole, time: 5 },
    // Longer than any line that is read.
    cut.padEnd(2 ** 24 + 1),
  ])
  const damaged = 'Damaged audit lines, which are not counted: 5.\n'
  expect([code, said]).toEqual([1, damaged])
  expect(output).toMatch(/^ACCOUNT .*\nacme {5}\(none\) +2 /)
})

test.each([
  ['--month 2026-13', 2, /It must be a month, such as 2026-11\./],
  ['--month 2027-01', 2, /^2027-01 has not begun\.\n$/],
  ['--month 2026-10', 1, /^No audit line about a session is of 2026-10\. Lines: 0\.\n$/],
  ['--month 2026-11 a.log --stage x', 2, /^Give files or --stage, not both\.\n$/],
  ['--month 2026-11 --json --csv', 2, /'--csv' cannot be used with option '--json'/],
  ['--month 2026-11 nowhere/a nowhere/b', 1, /^Cannot read nowhere\/a: there is no such file\.\n$/],
  ['', 2, /^Required option '--month <month>' not specified/],
])('%s ends with %i', async (args, code, said) => {
  const time = { now: () => Date.parse('2026-12-02T00:00:00Z') }
  expect(await commanded('usage', args, { time })).toMatchObject(refusal(said, code))
})

test.each(['utf-16.log', 'utf-16.log.gz'])(
  '%s is named as UTF-16, by sessions trace too',
  async (name) => {
    const text = `\ufeff${JSON.stringify(line('session.generated', 'acme'))}\n`
    const file = await fileIn(directory, name, Buffer.from(text, 'utf16le'))
    const said = `Cannot read ${file}: this looks like UTF-16. Save it as UTF-8.\n`
    expect(await usage(file)).toMatchObject({ code: 1, said })
    const traced = await commanded('sessions', ['trace', '0'.repeat(22), file])
    expect(traced).toMatchObject({ code: 1, said })
  },
)

test('a file counts once, whatever it is called', async () => {
  const file = await fileIn(directory, 'twice.log', [line('session.generated', 'acme')])
  const again = `${directory}/./twice.log`
  const said = `${again} is named twice, so its lines would count twice.`
  expect(await usage(`${file} ${again}`)).toMatchObject(refusal(said, 2))
})

test('the CSV is quoted, and no name in it is a formula', async () => {
  const names = ['=HYPERLINK("x")', '+1', '-1', '@sum', '＝1', 'a,b', 'say "hi"', 'two\r\nlines']
  const { output } = await usage(
    '--csv',
    names.map((name) => line('session.generated', name)),
  )
  const counts = ',,1,0,0,0,0,0,0,0'
  const formulas = [`"'=HYPERLINK(""x"")"`, `'+1`, `'-1`, `'@sum`, `'＝1`]
  const written = [...formulas, 'two\\u000d\\u000alines', `"a,b"`, `"say ""hi"""`]
  const [head, ...rows] = output.split('\r\n')
  expect(head).toBe(
    'month,accountId,embedTenantName,generated,redeemed,refused,ended,endUsers,internalUsers,' +
      'anonymous,byActors',
  )
  expect(rows.toSorted()).toEqual(['', ...written.map((name) => `2026-11,${name}${counts}`)].sort())
})

test('the table shows no name as something else, and is as wide as the terminal', async () => {
  const { output } = await usage('', [line('session.generated', '(none)\u001b[31m')])
  expect(output).toContain('"(none)\\u001b[31m"')
  const cells = ['a'.repeat(40), 'b'.repeat(30), 7]
  const table = (most: number) => tableOf(['ACCOUNT', 'TENANT', 'GENERATED'], [cells], most)
  expect(table(83).split('\n')[1]).toBe(`${cells[0]}  ${cells[1]}          7`)
  expect(table(50).split('\n')).toEqual([
    'ACCOUNT             TENANT              GENERATED',
    'aaaaaaaaaaaaaaaaa…  bbbbbbbbbbbbbbbbb…          7',
  ])
  expect(table(1).split('\n')[1]).toBe('aaaaaaaaaaa…  bbbbbbbbbbb…          7')
  // No letter beyond U+FFFF is cut in half.
  expect(tableOf(['A'], [['💚'.repeat(7)]], 12)).toBe(`A\n${'💚'.repeat(5)}…`)
})

describe('the logs of a stage', () => {
  type Asked = { readonly logGroupName: string; readonly nextToken?: string }

  /** Answers as CloudWatch Logs does, and keeps what it is asked. */
  async function logs(answer: (asked: Asked) => object) {
    const requests: Asked[] = []
    await answeringAsAws((operation, asked: Asked) => {
      requests.push(asked)
      expect(operation).toBe('FilterLogEvents')
      return answer(asked)
    }, 'CLOUDWATCH_LOGS')
    return requests
  }

  test('are read page by page, also where AWS throttles', async () => {
    let calls = 0
    const message = (event: string) => JSON.stringify(line(`session.${event}`, 'acme'))
    const requests = await logs(({ logGroupName, nextToken }) => {
      calls += 1
      if (calls === 2) return { __type: 'ThrottlingException' }
      if (logGroupName.endsWith('generate-session') && nextToken === undefined)
        return { events: [{ message: message('generated') }], nextToken: 'more' }
      if (nextToken === 'more') return { events: [], nextToken: 'last' }
      const event = logGroupName.endsWith('exchange-session') ? 'replayed' : 'generated'
      return nextToken || event === 'replayed' ? { events: [{ message: message(event) }] } : {}
    })
    const { output } = await usage('--json --stage staging')
    const row = { accountId: 'acme', embedTenantName: null, ...none, generated: 2, refused: 1 }
    expect(JSON.parse(output).usage).toEqual([row])
    const asked = [['generate'], ['generate', 'more'], ['generate', 'more'], ['generate', 'last']]
    expect(requests.map(({ logGroupName, nextToken }) => [logGroupName, nextToken])).toEqual(
      [...asked, ['exchange'], ['revoke'], ['end-embed']].map(([name, token]) => [
        `/aws/lambda/embed-access-staging-${name}-session`,
        token,
      ]),
    )
    expect(requests[0]).toMatchObject({
      startTime: Date.parse('2026-11-01T00:00:00Z'),
      endTime: Date.parse('2026-12-01T01:00:00Z'),
      filterPattern: '{ $.event = "session.*" }',
    })
  })

  test.each([
    ['ResourceNotFoundException', 'There is no such log group in this account and region'],
    ['AccessDeniedException', 'You may not read it: that takes logs:FilterLogEvents'],
  ])('name the log group that cannot be read: %s', async (__type, reason) => {
    await logs(() => ({ __type, message: 'no' }))
    const group = '/aws/lambda/embed-access-pr-7-generate-session'
    const said = `Cannot read ${group}. ${reason}.\n`
    expect(await usage('--stage pr-7')).toMatchObject({ code: 1, output: '', said })
  })
})

test('a stream of lines leaves a heap of 48 MB that could not hold them', async () => {
  const command = 'cli/embed-access.ts usage --month 2026-11 --json'
  const { child, ended } = run(['--max-old-space-size=48', ...command.split(' ')])
  const filler = 'x'.repeat(5000)
  const thousand = Array.from({ length: 1000 }, (_, user) => ({
    ...line('session.redeemed', 'acme', { sub: `acme#external#oak#${user}` }),
    filler,
  }))
  const text = thousand.map((each) => `${JSON.stringify(each)}\n`).join('')
  for (let round = 0; round < 15; round += 1)
    if (!child.stdin.write(text)) await once(child.stdin, 'drain')
  child.stdin.end()
  const { code, printed } = await ended
  expect([code, printed]).toEqual([0, expect.stringContaining('"redeemed":15000')])
  expect(printed).toContain('"endUsers":1000')
})

test('the invoice in docs/operations.md is made of it', async () => {
  const [, program = ''] =
    /^(jq -r [\s\S]*?usage\.json)$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const token = (embedTenantName: string | undefined, user: string) => {
    const sub = `acme#external#${embedTenantName ?? ''}#${user}`
    return line('session.redeemed', 'acme', { sub, ...(embedTenantName && { embedTenantName }) })
  }
  const told = [token('oak', 'a'), token('oak', 'a'), token('oak', 'b'), token(undefined, 'c')]
  const { output } = await usage('--json', [...told, line('session.redeemed', 'other')])
  await fileIn(directory, 'usage.json', [output])
  const printed = execFileSync('sh', ['-eu', '-c', program], { cwd: directory })
  expect(printed.toString()).toBe('"2026-11","without a tenant",1,2\n"2026-11","oak",2,4\n')
})
