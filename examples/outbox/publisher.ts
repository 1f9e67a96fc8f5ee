/**
 * Sends what is in an outbox, batch after batch, and takes away what has been sent. If it stops
 * between the two, the batch is sent again, which changes nothing. So any number of publishers may
 * run.
 */

/** A BIGINT. node-postgres gives it as text. */
type Integer = number | string

/** The two statements, as your database client runs them. */
export type Outbox = {
  /** `SELECT id, change FROM outbox ORDER BY id LIMIT $1` */
  oldest(limit: number): Promise<readonly { readonly id: Integer; readonly change: string }[]>
  /** `DELETE FROM outbox WHERE id = ANY($1)` */
  remove(ids: readonly Integer[]): Promise<void>
}

/** Sends one message: to SQS with `SendMessageCommand`, or to the local server. */
export type Send = (message: string) => Promise<void>

/** The most bytes of a message of SQS. */
const largest = 1024 * 1024
/** A message is applied as a whole. A change that is larger than this goes alone. */
const mostBytes = 256 * 1024
const mostChanges = 100

/**
 * Sends all there is now. The queue can never take a change of more than 1 MiB. Such a change must
 * not hold up the others, so it is taken away too.
 * @param tooLarge gets such a change. Import it as a file: `npx embed-access catalog import FILE`
 * @returns how many changes were sent
 */
export async function publish(
  outbox: Outbox,
  send: Send,
  tooLarge: (change: string) => Promise<void>,
): Promise<number> {
  let sent = 0
  for (;;) {
    const batch = firstThatFit((await outbox.oldest(mostChanges)).map(asSqsTakesIt))
    const [first] = batch
    if (!first) return sent
    if (Buffer.byteLength(first.change) > largest) {
      await tooLarge(first.change)
      await outbox.remove([first.id])
      continue
    }
    await send(batch.map(({ change }) => change).join('\n'))
    await outbox.remove(batch.map(({ id }) => id))
    sent += batch.length
  }
}

/** SQS refuses a message with U+FFFE or U+FFFF, which JSON allows. So both become escapes. */
const asSqsTakesIt = <Row extends { readonly change: string }>(row: Row): Row => ({
  ...row,
  change: row.change.replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff'),
})

function firstThatFit<Row extends { readonly change: string }>(
  rows: readonly Row[],
): readonly Row[] {
  let bytes = 0
  const end = rows.findIndex(({ change }) => {
    bytes += Buffer.byteLength(change) + 1
    return bytes > mostBytes
  })
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1))
}

/** A message to the queue of `npm start`. */
export const toLocalServer =
  (queueUrl: string): Send =>
  async (body) => {
    const response = await fetch(queueUrl, { method: 'POST', body })
    if (!response.ok)
      throw new Error(`${queueUrl} answered ${response.status}: ${await response.text()}`)
  }

/** A folder's row as a change. Write it to the outbox in the transaction that wrote the row. */
export function folderChange(row: {
  readonly deployment_id: Integer
  readonly id: Integer
  readonly name: string
  readonly parent_id: Integer | null
  readonly version: Integer
  readonly deleted: boolean
}): string {
  const identity = { deploymentId: Number(row.deployment_id), id: Number(row.id) }
  const parentId = row.parent_id === null ? null : Number(row.parent_id)
  return JSON.stringify({
    kind: 'folder',
    op: row.deleted ? 'delete' : 'put',
    revision: Number(row.version),
    sentAt: new Date().toISOString(),
    data: row.deleted ? identity : { ...identity, name: row.name, parentId },
  })
}
