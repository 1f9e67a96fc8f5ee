/*
 * Loads a bundle and invokes it as Lambda does, in a process of its own, and tells what each step
 * took. It is JavaScript, so that the process strips no types.
 */
const [file, event, invocations] = process.argv.slice(2)
const given = JSON.parse(event)
// A copy for each invocation, since a handler may change its event.
const events = Array.from({ length: Number(invocations) }, () => structuredClone(given))
const context = { awsRequestId: 'cold', getRemainingTimeInMillis: () => 30_000 }

/** @returns milliseconds of processor time, of all threads */
async function timed(work) {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, cpu: (user + system) / 1000 }
}

// The clock goes on before each invocation, so that caches expire and all make the same calls.
const clock = Date.now
let ahead = 0
Date.now = () => clock() + ahead

const loaded = await timed(() => import(file))
const calls = []
for (const event of events) {
  calls.push(await timed(() => loaded.result.handler(event, context)))
  ahead += 6000
}
const answer = calls.at(-1).result
process.once('disconnect', () => process.exit())
process.send({ load: loaded.cpu, calls: calls.map(({ cpu }) => cpu), answer })
