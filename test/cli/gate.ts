import { inject } from 'vitest'
import { serving } from '../support/temporary.ts'

/**
 * What becomes of a request: it reaches the engine, is refused, waits for ever, or ends all that
 * answers at the address.
 */
export type Decision = 'passes' | 'refused' | 'held' | 'over'

/**
 * An address before the engine, until the end of the test. The test says of each request what
 * becomes of it.
 * @param aheadMs by how much the clock behind the address is ahead of this machine's
 */
export async function gateToEngine(
  decide: (action: string, body: string) => Decision,
  aheadMs = 0,
): Promise<string> {
  const gate = await serving(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const {
      'x-amz-target': target = '',
      authorization = '',
      'x-amz-date': date = '',
    } = request.headers
    const decision = decide(String(target).split('.').at(-1) as string, body)
    if (decision === 'held') return
    if (decision === 'over') return gate.end()
    const type = 'application/x-amz-json-1.0'
    if (decision === 'refused') {
      response.writeHead(400, { 'content-type': type })
      response.end(
        '{"__type":"com.amazonaws.dynamodb.v20120810#AccessDeniedException","message":"not ' +
          'allowed"}',
      )
      return
    }
    const headers = {
      'content-type': type,
      'x-amz-target': String(target),
      authorization,
      'x-amz-date': String(date),
    }
    const answer = await fetch(inject('engineEndpoint'), { method: 'POST', headers, body })
    const now = new Date(Date.now() + aheadMs).toUTCString()
    response.writeHead(answer.status, { 'content-type': type, date: now })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  return gate.url
}
