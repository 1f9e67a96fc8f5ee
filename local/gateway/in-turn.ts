import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'

type Serve = (...exchange: Parameters<RequestListener>) => Promise<void>

/**
 * Serves the requests of a connection one after the other, and reads no further ahead than what has arrived. A client
 * may send its next requests before it reads an answer, as many as it likes: served side by side, they would fill the
 * memory with answers that wait.
 */
export function inTurn(serve: Serve): RequestListener {
  const turns = new WeakMap<Socket, { waiting: number; last: Promise<void> }>()
  return (request, response) => {
    const { socket } = request
    const turn = turns.get(socket) ?? { waiting: 0, last: Promise.resolve() }
    turns.set(socket, turn)
    turn.waiting += 1
    // Not at once: Node reads on whenever it has come to the end of a request.
    if (turn.waiting > 1) process.nextTick(() => turn.waiting > 1 && socket.pause())
    turn.last = turn.last.then(async () => {
      if (turn.waiting === 1) socket.resume()
      const sent = finished(response).catch(() => {})
      await serve(request, response)
      await sent
      turn.waiting -= 1
    })
  }
}
