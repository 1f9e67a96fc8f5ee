import { printable, quoted } from '@embed-access/core/catalog/quoted.ts'
import { tableOf } from '../table.ts'
import { shown } from '../terminal.ts'
import type { Usage } from './counting.ts'

/** What is printed of a row: names and counts, and no end user's id. */
const countsOf = (usage: Usage) => ({
  accountId: usage.accountId ?? null,
  embedTenantName: usage.embedTenantName ?? null,
  generated: usage.generated,
  redeemed: usage.redeemed,
  refused: usage.refused,
  ended: usage.ended,
  endUsers: usage.endUsers.size,
  internalUsers: usage.internalUsers.size,
  anonymous: usage.anonymous,
  byActors: usage.byActors,
})

export const jsonOf = (month: string, rows: readonly Usage[]): string =>
  quoted({ month, usage: rows.map(countsOf) })

/** CSV as in RFC 4180, with the names of the columns. */
export function csvOf(month: string, rows: readonly Usage[]): string {
  const records = rows.map((row) => ({ month, ...countsOf(row) }))
  const lines = [Object.keys(records[0] ?? {}), ...records.map((each) => Object.values(each))]
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

/**
 * If a text begins with one of these characters, a spreadsheet takes it for a formula, which may
 * send other cells away. A quote before it prevents that (OWASP, CSV injection).
 */
function csvCell(value: string | number | null): string {
  const text = printable(String(value ?? ''))
  const safe = /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const heads = [
  'ACCOUNT',
  'EMBED TENANT',
  'GENERATED',
  'REDEEMED',
  'REFUSED',
  'ENDED',
  'END USERS',
  'INTERNAL',
  'ANONYMOUS',
  'BY ACTORS',
]

const shownName = (name: string | null) => (name === null ? '(none)' : shown(name))

/** @param width of the terminal, in columns */
export function usageTable(rows: readonly Usage[], width: number | undefined): string {
  const cells = rows.map((row) => {
    const { accountId, embedTenantName, ...counts } = countsOf(row)
    return [shownName(accountId), shownName(embedTenantName), ...Object.values(counts)]
  })
  return tableOf(heads, cells, width)
}
