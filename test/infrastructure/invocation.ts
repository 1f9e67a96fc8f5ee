import { pathToFileURL } from 'node:url'

/**
 * Loads a bundle and calls it as Lambda does, in a process of its own; see `invoke` of
 * bundles.test.ts.
 */
const [file, ...events] = process.argv.slice(2)
const { handler } = await import(pathToFileURL(file as string).href)
const statuses: number[] = []
for (const event of events) statuses.push((await handler(JSON.parse(event), {})).statusCode)
const { moduleLoadList } = process as unknown as { moduleLoadList: string[] }
process.stderr.write(JSON.stringify({ statuses, loaded: moduleLoadList }), () => process.exit(0))
