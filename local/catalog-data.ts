import { fileURLToPath } from 'node:url'

/** The demo catalog, one change per line. */
export const demoCatalogFile = fileURLToPath(new URL('demo/catalog.ndjson', import.meta.url))
