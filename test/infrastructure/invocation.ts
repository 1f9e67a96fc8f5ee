import { pathToFileURL } from 'node:url'

/** A bundle loaded and called as Lambda does it, in a process of its own; see `invoke` of bundles.test.ts. */
const [file, ...events] = process.argv.slice(2)
const { handler } = await import(pathToFileURL(file as string).href)
const statuses: number[] = []
for (const event of events) statuses.push((await handler(JSON.parse(event), {})).statusCode)
const { moduleLoadList } = process as unknown as { moduleLoadList: string[] }
process.send?.({ statuses, loaded: moduleLoadList }, () => process.exit(0))
