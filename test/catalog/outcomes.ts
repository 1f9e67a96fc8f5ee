import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import type { World } from '../support/service.ts'

/** Applies changes, and tells what became of each. */
export const applyTo = (service: World) => (changes: readonly unknown[]) =>
  applyChanges(service.storage, changes, { now: () => service.now })

/** Applies changes, and tells their outcomes; of one that was refused, what is wrong with it. */
export const outcomesAt =
  (service: World) =>
  async (...changes: unknown[]) =>
    (await applyTo(service)(changes)).map((result) =>
      result.outcome === 'refused' ? result.problems.map(({ pointer }) => pointer) : result.outcome,
    )
