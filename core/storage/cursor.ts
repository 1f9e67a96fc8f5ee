import { hash } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import { longestSortKey } from './keys.ts'

/** The base64url length of the digest that binds a cursor to its list. */
const digestLength = 22

/**
 * An opaque cursor: the sort position of the last item of a page, bound to the list it was issued for.
 * @param list names the list with all its filters, the account and the deployment
 */
export function encodeCursor(list: readonly unknown[], position: string): string {
  return digest(list, position) + Buffer.from(position).toString('base64url')
}

/** @throws Refusal `invalid_cursor` for anything not issued for this very list (decisions, "Requests and responses") */
export function decodeCursor(list: readonly unknown[], cursor: string): string {
  const position = Buffer.from(cursor.slice(digestLength), 'base64url').toString()
  const length = Buffer.byteLength(position)
  if (encodeCursor(list, position) !== cursor || length === 0 || length > longestSortKey) {
    throw new Refusal('invalid_cursor', 'The cursor was not issued for this list with these filters.', [
      { parameter: 'after', message: 'must be the endCursor of a previous page of this list, with the same filters' },
    ])
  }
  return position
}

const digest = (list: readonly unknown[], position: string): string =>
  hash('sha256', JSON.stringify([list, position]), 'base64url').slice(0, digestLength)
