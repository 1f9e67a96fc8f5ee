import { expect, inject, test } from 'vitest'
import { filledTables } from '../../bench/tables.ts'
import { invocationsOf, requireSame } from '../../bench/warm/invocations.ts'
import { least } from '../../bench/warm/least.ts'
import { ours } from '../../bench/warm/ours.ts'
import { scenario } from '../../bench/warm/scenario.ts'
import { workbook } from '../../bench/workbook.ts'

test('The handlers by hand that ours are measured against make the same calls and give the same answers', async () => {
  const endpoint = inject('engineEndpoint')
  const meter = await filledTables(endpoint, { workbooks: 1000, syncs: 1000, notifications: 1000 }, workbook)
  const given = await scenario(meter)
  const { tables } = meter.storage
  const both = [ours(tables, endpoint, given), await least(tables, endpoint, given)] as const
  const calls: Record<string, number> = {}
  for (const [name, ...pair] of invocationsOf(both, given)) {
    calls[name] = (await requireSame(name, both, pair, given)).length
  }
  expect(calls).toEqual({
    'list-embed-tenant-workbooks': 5,
    'generate-session': 2,
    'exchange-session': 2,
    'revoke-session': 3,
    'list-dbt-syncs': 1,
    'list-notifications': 1,
    'get-key-set': 0,
    'get-spec': 0,
    'get-error-reference': 0,
    'authorizer, by API key': 1,
    'authorizer, by embed token': 1,
  })
  meter.storage.client.destroy()
})
