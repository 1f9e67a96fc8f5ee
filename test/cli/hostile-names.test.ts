import { execFileSync } from 'node:child_process'
import { Writable } from 'node:stream'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportToFile } from '../../cli/catalog/export.ts'
import { shellWord } from '../../cli/shell-word.ts'
import { adviceWithoutKey } from '../../cli/start/load.ts'
import { catalogChangesPath } from '../../local/catalog-queue.ts'
import { embedTenant, folder, put, recipient, share, userOf, workbook } from '../support/catalog.ts'
import { apply, newTables } from '../support/database.ts'
import { fileIn, serving, temporaryDirectory } from '../support/temporary.ts'
import { commanded, environmentOf } from './environment.ts'

/**
 * Colours, a new line that says the opposite, a control of 8 bits, and text that runs from right to
 * left.
 */
const evil =
  'x\u001b[2k\u001b[31m\nso embed tenant "north" sees workbook 5.\r\n# fine\u009b1m\u202e\u2028'
/** As each command has to show it, but for its end. */
const shown =
  '"x\\u001b[2k\\u001b[31m\\nso embed tenant \\"north\\" sees workbook 5.\\r\\n# ' +
  'fine\\u009b1m\\u202e'

/** What a terminal obeys or hides, but for the ends of lines. */
const obeyed = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u

const group = put('group', { accountId: evil, name: 'g' })

const directory = temporaryDirectory()
let storage: Storage
beforeAll(async () => {
  storage = await newTables()
  const changes = [
    put('account', { id: evil, name: evil, embeddingEnabled: true }),
    put('deployment', { accountId: evil, id: 1, name: evil }),
    put('deployment', { accountId: `${evil}2`, id: 2, name: evil }),
    userOf(evil, 1, evil, { deploymentIds: 'all' }),
    put('apiKey', { accountId: evil, userId: 1, tokenHash: hashOfApiKey('sk-test'), name: evil }),
    folder(1, 7, null, evil),
    workbook(1, 5, { folderId: 7 }),
    share(1, 'workbook', 77, embedTenant('north')),
    recipient(2, 3, { type: 'embedUser', embedTenantName: 'north', externalId: evil }),
  ]
  expect((await apply(storage, changes)).filter(({ outcome }) => outcome !== 'applied')).toEqual([])
})

async function lines(
  words: readonly string[],
  more: Record<string, string> = {},
): Promise<string[]> {
  const { printed } = await commanded('', words, {
    env: { ...environmentOf(storage.tables), ...more },
  })
  expect(printed).not.toMatch(obeyed)
  return printed.trim().split('\n')
}

async function exportedOn(isTTY: boolean): Promise<string> {
  let text = ''
  const out = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const err = { write: () => {} }
  await exportToFile(storage, undefined, evil, { out: Object.assign(out, { isTTY }), err })
  return text
}

const fileOf = (name: string, ...content: (string | object)[]) => fileIn(directory, name, content)

describe('a name of the catalog is quoted as JSON', () => {
  test('by each command that names it', async () => {
    const jti = 'A'.repeat(22)
    const event = 'session.generated'
    const entry = { time: '2026-01-01T00:00:00Z', event, jti, for: { sub: evil }, [evil]: evil }
    const log = JSON.stringify(entry).replaceAll('\u2028', '\\u2028')
    const explain = 'catalog explain --tenant north --workbook 5 --deployment 1'
    for (const [times, ...words] of [
      [4, ...explain.split(' ')],
      [2, 'catalog', 'check', '--deployment', '2'],
      [1, 'catalog', 'import', await fileOf('group.ndjson', group), '--dry-run'],
      [1, 'keys', 'list', '--account', evil],
      [1, 'keys', 'revoke', hashOfApiKey('sk-test').slice(0, 12)],
      [3, 'sessions', 'trace', jti, await fileOf('functions.log', log)],
    ] as [number, ...string[]][]) {
      const around = (await lines(words)).join().split(shown)
      expect([words, around.length - 1]).toEqual([words, times])
    }
  })

  test('by dead, which shows a body that is no JSON as the JSON of its text', async () => {
    const change = { kind: 'nothing', [evil]: [evil] }
    const deadLetters = [
      {
        body: `\t${JSON.stringify(change)}\r\n{"kind":"other"}`,
        reason: `/${evil} is not a known field`,
      },
      { body: evil },
    ]
    const { url } = await serving((_, response) =>
      response.end(JSON.stringify({ pending: 0, deadLetters })),
    )
    const printed = await lines(['catalog', 'dead'], {
      CATALOG_QUEUE_URL: url + catalogChangesPath,
    })
    expect(printed).toHaveLength(5)
    const [reason = '', body = '', other, , text = ''] = printed
    expect(reason).toMatch(/^# \/x\\u001b.* is not a known field$/)
    expect([JSON.parse(body), other, JSON.parse(text)]).toEqual([change, '{"kind":"other"}', evil])
  })

  test('by import and its dry run, and by reconcile', async () => {
    const change = { kind: 'group', data: { accountId: evil, name: 'g', [evil]: 1 } }
    const file = await fileOf('bad.ndjson', change)
    for (const words of [['import'], ['import', '--dry-run'], ['reconcile']]) {
      const [first] = await lines(['catalog', ...words, file])
      expect(first).toMatch(/^line 1: \/data\/x\\u001b.* is not a known field$/)
    }
    const written = await lines(['catalog', 'reconcile', await fileOf('group.ndjson', group)])
    expect(written.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))).toEqual([
      group,
    ])
  })

  test('by export to a terminal, and what an error says of any text', async () => {
    const printed = (await exportedOn(true)).trim().split('\n')
    expect(printed.join()).not.toMatch(obeyed)
    const raw = (await exportedOn(false)).trim().split('\n')
    expect(raw.join()).toMatch(obeyed)
    expect(printed.map((line) => JSON.parse(line))).toEqual(raw.map((line) => JSON.parse(line)))
    for (const words of [[evil], ['import', evil], ['check', evil], ['explain', `--${evil}`]]) {
      await lines(['catalog', ...words])
    }
  })

  test('by npm start, as one word for a shell', async () => {
    const accountId = `$(id) ${evil}'`
    const storage = await newTables([
      put('account', { id: accountId, name: 'A' }),
      userOf(accountId, 1, 'a@a.example', { deploymentIds: 'all' }),
    ])
    const advice = await adviceWithoutKey(storage, 'http://127.0.0.1:8787')
    expect(advice).not.toMatch(obeyed)
    expect(advice).toMatch(/ --account '\$\(id\) x\\u001b[^']*'\\''' --user 1$/)
  })
})

test('a shell takes a name in a suggested command for one word and for nothing else', () => {
  const names = ['plain/name.1', '', "it's", "'; echo gone; '", '$(id)', '`id`', 'a b', 'x;y', evil]
  const script = `printf '%s\\n' ${names.map(shellWord).join(' ')}`
  const words = execFileSync('sh', ['-c', script]).toString().split('\n').slice(0, -1)
  expect(words).toEqual(names.map(printable))
})
