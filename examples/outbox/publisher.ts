/**
 * Sends what is in an outbox, batch after batch, and takes away what has been sent. If it stops
 * between the two, the batch is sent again, which changes nothing. So any number of publishers may
 * run.
 */

/** The two statements, as your database client runs them. */
export type Outbox = {
  /** `SELECT id, change FROM outbox ORDER BY id LIMIT $1` */
  oldest(limit: number): Promise<readonly { readonly id: number; readonly change: string }[]>
  /** `DELETE FROM outbox WHERE id = ANY($1)` */
  remove(ids: readonly number[]): Promise<void>
}

/** Sends one message: to SQS with `SendMessageCommand`, or to the local server. */
export type Send = (message: string) => Promise<void>

/** SQS takes 1 MiB a message. A change that is larger than the rest of this goes alone. */
const mostBytes = 256 * 1024
const mostChanges = 100

/** Sends all there is now. @returns how many changes */
export async function publish(outbox: Outbox, send: Send): Promise<number> {
  let sent = 0
  for (;;) {
    const batch = firstThatFit(await outbox.oldest(mostChanges))
    if (batch.length === 0) return sent
    await send(batch.map(({ change }) => change).join('\n'))
    await outbox.remove(batch.map(({ id }) => id))
    sent += batch.length
  }
}

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
  readonly deployment_id: number
  readonly id: number
  readonly name: string
  readonly parent_id: number | null
  readonly version: number
  readonly deleted: boolean
}): string {
  const identity = { deploymentId: row.deployment_id, id: row.id }
  return JSON.stringify({
    kind: 'folder',
    op: row.deleted ? 'delete' : 'put',
    revision: row.version,
    sentAt: new Date().toISOString(),
    data: row.deleted ? identity : { ...identity, name: row.name, parentId: row.parent_id },
  })
}
