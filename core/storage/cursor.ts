import { hash } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import { maxSortKeyBytes } from './keys.ts'

/** The length, in base64url, of the digest that binds a cursor to its list. */
const digestLength = 22

/**
 * An opaque cursor: a digest of list and position, and the position, in base64url.
 * @param list its name, the account, the deployment and all filters; undefined for one left out
 * @param position the sort key of the last item of the page
 */
export const encodeCursor = (list: readonly unknown[], position: string): string =>
  digest(list, position) + Buffer.from(position).toString('base64url')

/** @throws Refusal `invalid_cursor` if the cursor is not of this list (docs/api.md#pages) */
export function decodeCursor(list: readonly unknown[], cursor: string): string {
  const position = Buffer.from(cursor.slice(digestLength), 'base64url').toString()
  const length = Buffer.byteLength(position)
  // The digest has no secret, so anybody can make up a cursor. That does no harm: it only says
  // where to begin. A query appends one character to the position. The result must fit a sort key.
  if (encodeCursor(list, position) !== cursor || length === 0 || length >= maxSortKeyBytes) {
    throw new Refusal(
      'invalid_cursor',
      'The cursor was not issued for this list with these filters.',
      [
        {
          parameter: 'after',
          message: 'must be the endCursor of a previous page of this list, with the same filters',
        },
      ],
    )
  }
  return position
}

const digest = (list: readonly unknown[], position: string): string =>
  hash('sha256', JSON.stringify([list, position]), 'base64url').slice(0, digestLength)
