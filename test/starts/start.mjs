/*
 * Loads a bundle as Lambda does, in a process of its own, says so, and then answers the event that it is sent. A number
 * sent before is how many milliseconds pass for its limits. It is JavaScript, so that the process strips no types.
 */
import { passTime } from '../support/held-limits.mjs'

const context = { awsRequestId: 'call', getRemainingTimeInMillis: () => 30_000 }
process.on('message', async (message) => {
  if (typeof message === 'number') passTime(message)
  else process.send({ answer: await handler(message, context) })
})
process.once('disconnect', () => process.exit())
const { handler } = await import(process.argv[2])
process.send('loaded')
