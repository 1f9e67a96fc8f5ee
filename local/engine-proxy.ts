import { Hono } from 'hono'
import { proxy } from 'hono/proxy'
import { noWebPages } from './local-app.ts'

export const databasePath = '/_local/dynamodb'

/**
 * The embedded engine, for other programs of this machine. The engine itself takes any signature and lets pages of every
 * origin in.
 * @param engine its own address, which is not printed
 */
export const engineProxy = (engine: string) => new Hono().use(noWebPages).all('*', (c) => proxy(engine, c.req))
