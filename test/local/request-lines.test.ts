import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestLines } from '../../local/request-lines.ts'

beforeEach(() => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS']) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

function printed(lines: readonly string[], isTTY = false): string {
  const output = Object.assign(new PassThrough(), { isTTY })
  lines.forEach(requestLines(output))
  return String(output.read() ?? '')
}

const invocation = (calls: number, more: object = {}) =>
  JSON.stringify({
    level: 'info',
    requestId: 'r1=',
    invocation: 'operation',
    calls,
    units: calls / 2,
    ...more,
  })

const caller = { accountId: 'acme', credential: 'apiKey' }
const batch = {
  requestId: 'b1',
  invocation: 'catalogSync',
  records: 2,
  durationMs: 14,
  calls: 3,
  units: 1,
}
/** A control of 8 bits, and a mark that turns the direction of text. */
const evil = 'x\u009b31m\u202ey\u2066'
const escaped = 'x\\u009b31m\\u202ey\\u2066'
const audit = '{"level":"info","event":"session.redeemed"}'

test.each([
  [
    'A request is one line, with its calls and units, and who called',
    [invocation(3, caller), invocation(2, caller), ...Array(2).fill('GET /a/b 200 12ms r1=')],
    [
      'GET /a/b 200 12 ms, 5 calls, 2.5 units, apiKey of acme  r1=',
      // What was printed is forgotten.
      'GET /a/b 200 12 ms, 0 calls, 0 units  r1=',
    ],
  ],
  [
    'A request that no function saw has no calls, and takes none of another request',
    [invocation(1, { units: 1 }), 'GET /none 404 0ms r2=', 'GET /a 200 1ms r1='],
    ['GET /none 404 0 ms, 0 calls, 0 units  r2=', 'GET /a 200 1 ms, 1 call, 1 unit  r1='],
  ],
  [
    'A batch of catalog changes is one line, with what became of them',
    [
      JSON.stringify({ ...batch, applied: 1, skipped: 0, refused: 2, failed: 0, _aws: {} }),
      JSON.stringify({ ...batch, records: 1, applied: 0, skipped: 0, refused: 0, failed: 0 }),
      // The function threw, and the queue says so.
      JSON.stringify({ ...batch, records: undefined }),
    ],
    [
      'catalog-sync of 2 messages: 1 applied, 2 refused 14 ms, 3 calls, 1 unit  b1',
      'catalog-sync of 1 message: no changes 14 ms, 3 calls, 1 unit  b1',
    ],
  ],
  [
    'Events of the audit and failures stay as they are, without what only CloudWatch reads',
    [
      audit.replace('}', ',"_aws":{}}'),
      '{"level":"info","lag":[3],"_aws":{}}',
      'authorizer threw: Error\n    at x',
    ],
    [audit, 'authorizer threw: Error\n    at x'],
  ],
  [
    'Names in events, accounts, paths and failures are escaped as in JSON, and hide nothing',
    [
      JSON.stringify({ event: 'session.generated', for: { sub: evil } }),
      invocation(1, { ...caller, accountId: evil }),
      `GET /${evil} 200 12ms r1=`,
      `authorizer threw: Error: ${evil}\n    at x`,
    ],
    [
      `{"event":"session.generated","for":{"sub":"${escaped}"}}`,
      `GET /${escaped} 200 12 ms, 1 call, 0.5 units, apiKey of ${escaped}  r1=`,
      `authorizer threw: Error: ${escaped}\n    at x`,
    ],
  ],
  [
    'No session id, token or key that somebody has put into a path is printed',
    [
      `GET /a/${'a-B_'.repeat(11)} 404 0ms r1=`,
      'GET /eyJh.eyJz.c2ln/b 404 0ms r2=',
      'GET /sk-x 404 0ms r3=',
    ],
    ['/a/…', '/…/b', '/…'].map(
      (path, index) => `GET ${path} 404 0 ms, 0 calls, 0 units  r${index + 1}=`,
    ),
  ],
  [
    'A warning is printed, even if it is a metric',
    ['{"level":"warn","fieldsLeftOut":1,"_aws":{}}'],
    ['{"level":"warn","fieldsLeftOut":1}'],
  ],
])('%s', (_, lines, text) => {
  expect(printed(lines)).toBe(`${text.join('\n')}\n`)
})

test('A terminal gets a colour for each status, and nothing that a path tells it', () => {
  const colours = [200, 404, 500].map((status) =>
    printed([`GET /a\u001b[2J ${status} 1ms r=`], true),
  )
  expect(colours.map((line) => line.split(' ')[2])).toEqual([
    '\u001b[32m200\u001b[39m',
    '\u001b[33m404\u001b[39m',
    '\u001b[31m500\u001b[39m',
  ])
  for (const line of colours) expect(line).toContain('GET /a\\u001b[2J')
  const ofBatches = [{ applied: 1 }, { refused: 1 }, { refused: 1, failed: 1 }].map((counts) =>
    printed([JSON.stringify({ ...batch, ...counts })], true),
  )
  expect(ofBatches.map((line) => line.split(' ')[4]?.slice(2, 4))).toEqual(['32', '33', '31'])
})
