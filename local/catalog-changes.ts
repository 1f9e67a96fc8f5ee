import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { maxMessageBytes } from '../functions/catalog-queue/message.ts'
import type { CatalogQueue } from './catalog-queue.ts'
import { noWebPages } from './local-app.ts'

export const catalogChangesPath = '/_local/catalog-changes'

/**
 * Takes catalog changes as the queue of a deployed stage does, on the local server alone: `POST` sends a message, `GET` says
 * what is pending and dead, and `POST /redrive` sends the dead letters again.
 */
export const catalogChanges = (queue: CatalogQueue) =>
  new Hono()
    .use(noWebPages)
    .get('/', (c) => c.json({ pending: queue.pending, deadLetters: queue.deadLetters }))
    .post('/redrive', (c) => c.json({ sent: queue.redrive() }, 202))
    .post(
      '/',
      bodyLimit({
        maxSize: maxMessageBytes,
        // The rest of the body is not read.
        onError: (c) =>
          c.json({ message: `A message has at most ${maxMessageBytes} bytes.` }, 413, { connection: 'close' }),
      }),
      async (c) => {
        const body = await c.req.text()
        if (body === '') return c.json({ message: 'The body must be catalog changes.' }, 400)
        return c.json({ messageId: queue.send(body) }, 202)
      },
    )
    .all('*', (c) => c.json({ message: 'Not Found' }, 404))
