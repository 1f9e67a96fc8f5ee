/*
 * Loads a bundle as Lambda does, in a process of its own, says so, and then answers the event that it is sent. It is
 * JavaScript, so that the process strips no types.
 */
const { handler } = await import(process.argv[2])
process.once('message', async (event) => {
  const answer = await handler(event, {
    awsRequestId: 'call',
    getRemainingTimeInMillis: () => 30_000,
  })
  process.send({ answer })
})
process.once('disconnect', () => process.exit())
process.send('loaded')
