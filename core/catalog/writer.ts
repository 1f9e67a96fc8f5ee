import { untilAborted } from '../storage/sending-through.ts'
import type { Storage } from '../storage/storage.ts'
import { nameEmbedTenant } from './named-tenants.ts'
import { paced } from './pace.ts'

/** Who applies changes. It slows down where the database throttles it, and names each embed tenant once. */
export type Writer = {
  readonly storage: Storage
  /** Milliseconds since the epoch. */
  now(): number
  nameEmbedTenant(deploymentId: number, name: string): Promise<void>
  /** The same writer, whose calls end when the signal does. */
  until(signal: AbortSignal): Writer
}

/** The most names to remember. After that all are forgotten. */
const maxRemembered = 100_000

export function newWriter(storage: Storage, now: () => number): Writer {
  const named = new Map<string, Promise<void>>()
  return writerOver(paced(storage))

  function writerOver(storage: Storage): Writer {
    return {
      storage,
      now,
      nameEmbedTenant(deploymentId, name) {
        const id = `${deploymentId} ${name}`
        const naming = named.get(id) ?? nameEmbedTenant(storage, deploymentId, name)
        // Stryker disable next-line EqualityOperator,ConditionalExpression: It remembers more or fewer names, and says the same.
        if (named.size >= maxRemembered) named.clear()
        named.set(id, naming)
        naming.catch(() => named.delete(id))
        return naming
      },
      until: (signal) => writerOver(untilAborted(storage, signal)),
    }
  }
}
