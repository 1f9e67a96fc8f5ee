import { hash } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import { maxSortKeyBytes } from './keys.ts'

/** The length, in base64url, of the digest that binds a cursor to its list. */
const digestLength = 22

/**
 * An opaque cursor for a position in a list: a digest of both, and the position, in base64url.
 * @param list names the list: the account, the deployment and all filters
 * @param position the sort key of the last item of the page
 * @example encodeCursor(['embedTenantWorkbooks', 'acme', 1001, 'north', null], 'wa5') // 22 characters, then 'd2E1'
 */
export function encodeCursor(list: readonly unknown[], position: string): string {
  return digest(list, position) + Buffer.from(position).toString('base64url')
}

/**
 * The position in a cursor.
 * @throws Refusal `invalid_cursor` unless the cursor was issued for this list (docs/api.md#pages)
 */
export function decodeCursor(list: readonly unknown[], cursor: string): string {
  const position = Buffer.from(cursor.slice(digestLength), 'base64url').toString()
  const length = Buffer.byteLength(position)
  if (encodeCursor(list, position) !== cursor || length === 0 || length > maxSortKeyBytes) {
    throw new Refusal('invalid_cursor', 'The cursor was not issued for this list with these filters.', [
      { parameter: 'after', message: 'must be the endCursor of a previous page of this list, with the same filters' },
    ])
  }
  return position
}

const digest = (list: readonly unknown[], position: string): string =>
  hash('sha256', JSON.stringify([list, position]), 'base64url').slice(0, digestLength)
