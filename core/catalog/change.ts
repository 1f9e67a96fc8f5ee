/** What every catalog change says besides its kind (catalog contract). */
export type Change<Data, Identity = Data> =
  | { readonly op: 'put'; readonly revision?: number | undefined; readonly data: Data }
  | { readonly op: 'delete'; readonly revision?: number | undefined; readonly data: Identity }

/** What became of a valid change. It was skipped if a newer one is there. */
export type Outcome = 'applied' | 'skipped'

/** Why a change is refused: the JSON pointer of a field, such as `/data/parentId`, and what is wrong with it. */
export type Problem = { readonly pointer: string; readonly reason: string }

/** A change that is valid field by field, but can never be applied. */
export class NotApplicable extends Error {
  // Stryker disable next-line StringLiteral: The name of an error that is never shown.
  override readonly name = 'NotApplicable'
  readonly problem: Problem

  /** @param field within the change's data, such as `accountId`; empty for the data as a whole */
  constructor(field: string, reason: string) {
    super(reason)
    this.problem = { pointer: field === '' ? '/data' : `/data/${field}`, reason }
  }
}

/** @throws NotApplicable for more bytes than there may be */
export function requireAtMost(most: number, what: string, bytes: number): void {
  if (bytes > most) throw new NotApplicable('', `${what} ${bytes} bytes; the limit is ${most}`)
}

/**
 * A change as its line of a catalog file.
 * @param data JSON
 * @example lineOf('folder', 'delete', 2, '{"deploymentId":1,"id":7}')
 * // '{"kind":"folder","op":"delete","revision":2,"data":{"deploymentId":1,"id":7}}'
 */
export function lineOf(kind: string, op: 'put' | 'delete', revision: unknown, data: string): string {
  const optional = `${op === 'delete' ? ',"op":"delete"' : ''}${revision === undefined ? '' : `,"revision":${revision}`}`
  return `{"kind":"${kind}"${optional},"data":${data}}`
}
