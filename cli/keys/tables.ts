import type { Storage } from '@embed-access/core/storage/storage.ts'
import { engineBehind } from '../local-engine.ts'
import { withStorage } from '../with-storage.ts'

/** Where the tables are, if the environment does not say so. */
export type Place = {
  /** The address of a service that `npm start` runs. */
  readonly url?: string | undefined
  /** The data directory of a service that does not run now. */
  readonly data?: string | undefined
}

/** Works on the tables of a place, or on those that the environment names. */
export async function withTables<Result>(
  { url, data }: Place,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  if (url !== undefined && data !== undefined) throw new Error('Give --url or --data, not both.')
  if (url !== undefined) return withStorage(work, {}, await engineBehind(url))
  if (data === undefined) return withStorage(work)
  const { lastingEngine } = await import('../../local/lasting-engine.ts')
  const engine = await lastingEngine(
    data,
    () => {},
    () => {},
  )
  try {
    return await withStorage(work, {}, engine.endpoint)
  } finally {
    await engine.stop()
  }
}
