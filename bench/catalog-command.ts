import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { memoryOf } from '../test/soak/process.ts'

export type CatalogRun = {
  readonly seconds: number
  /** Resident, a quarter through and at most. */
  readonly megabytes: readonly [number, number]
}

/** Runs `npx embed-access catalog` with these arguments over these tables. */
export async function runCatalog(
  endpoint: string,
  tables: Storage['tables'],
  args: readonly string[],
): Promise<CatalogRun> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['cli/embed-access.ts', 'catalog', ...args], {
    env: {
      ...process.env,
      DYNAMODB_ENDPOINT: endpoint,
      CATALOG_TABLE: tables.catalog,
      SESSIONS_TABLE: tables.sessions,
      CREDENTIALS_TABLE: tables.credentials,
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  const sizes: number[] = []
  const sampling = setInterval(() => sizes.push(memoryOf(child.pid as number)), 200)
  const [code] = await once(child, 'exit')
  clearInterval(sampling)
  if (code !== 0) throw new Error(printed)
  const most = (some: readonly number[]) => Math.max(0, ...some)
  return {
    seconds: (performance.now() - begun) / 1000,
    megabytes: [most(sizes.slice(0, sizes.length / 4)), most(sizes)],
  }
}
