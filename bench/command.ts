import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Storage } from '@embed-access/core/storage/storage.ts'

/** Runs `npm run catalog` over these tables, and prints how long it took and how much memory its process had. */
export async function measured(title: string, endpoint: string, tables: Storage['tables'], ...args: string[]) {
  const started = performance.now()
  const child = spawn(process.execPath, ['cli/catalog.ts', ...args], {
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
  const sampling = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/statm`, 'utf8').catch(() => undefined)
    if (status) sizes.push((Number(status.split(' ')[1]) * 4096) / 1e6)
  }, 200)
  const [code] = await once(child, 'close')
  clearInterval(sampling)
  const seconds = (performance.now() - started) / 1000
  const summary = printed.trim().split('\n').at(-1) ?? ''
  const [quarter = 0, most = 0] = [sizes.slice(0, sizes.length / 4), sizes].map((some) => Math.max(0, ...some))
  console.log(
    `${title}: ${seconds.toFixed(1)} s; ${Math.round(quarter)} MB, ${Math.round(most)} MB at most; ${summary}`,
  )
  if (code !== 0) throw new Error(printed)
  return { seconds, summary }
}
