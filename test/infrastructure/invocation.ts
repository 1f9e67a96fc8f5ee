import { pathToFileURL } from 'node:url'

/** A bundle loaded and called as Lambda does it, in a process of its own; see {@link invoke}. */
const [file, ...events] = process.argv.slice(2)
const { handler } = await import(pathToFileURL(file as string).href)
const answers = []
for (const event of events) answers.push(await handler(JSON.parse(event), {}))
const { moduleLoadList } = process as unknown as { moduleLoadList: string[] }
process.send?.({ answers, loaded: moduleLoadList }, () => process.exit(0))
