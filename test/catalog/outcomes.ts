import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import type { World } from '../support/service.ts'

/** Applies changes, and tells their outcomes; of one that was refused, what is wrong with it. */
export const outcomesAt =
  (service: World) =>
  async (...changes: unknown[]) =>
    (await applyChanges(service.storage, changes, { now: () => service.now })).map((result) =>
      result.outcome === 'refused' ? result.problems.map(({ pointer }) => pointer) : result.outcome,
    )
