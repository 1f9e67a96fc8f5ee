import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import type { Page } from '@embed-access/core/storage/page.ts'
import { untilAborted } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import * as v from 'valibot'
import type { Given, Parts } from '../runtime/definition.ts'
import { storage } from '../runtime/storage.ts'
import type { Answer } from './answer.ts'
import { knownCaller } from './caller.ts'
import { onlyOnce } from './input.ts'

/** A parameter that must not be empty: a filter whose value got lost must not list everything. */
export const parameter = v.pipe(onlyOnce, v.minLength(1, 'must not be empty'))

/** An integer in decimal digits, up to `Number.MAX_SAFE_INTEGER`. */
const integerFrom = (min: number) => {
  const maximum = Number.MAX_SAFE_INTEGER
  const message = `must be an integer of at least ${min}`
  const schema = v.pipe(
    parameter,
    v.regex(/^\d+$/, message),
    v.metadata({
      type: 'integer',
      minLength: undefined,
      pattern: undefined,
      minimum: min,
      maximum,
    }),
    v.transform(Number),
    v.safeInteger(`must be at most ${maximum}`),
    v.minValue(min, message),
  )
  // One mistake of a parameter is enough.
  return v.config(schema, { abortPipeEarly: true })
}

export const positive = integerFrom(1)
export const id = integerFrom(0)

/** The parameters of every list (docs/api.md#pages). */
export const paging = { first: v.optional(positive), after: v.optional(parameter) }

/**
 * What every list has whose route asks the authorizer. An instance remembers what its last requests
 * have read.
 */
export const forLists = {
  storage,
  caller: knownCaller,
  make: ({ now }: Given) => ({ recent: recentLookups(now) }),
  partsForWarmUp: <Made>(parts: Parts<Made>) => ({ ...parts, recent: recentLookups(parts.now) }),
}

/**
 * Answers with a page if the condition holds. Condition and page are read at the same time, which
 * saves a round trip. If the condition fails, its refusal does not wait for the page, and the reads
 * of the page stop. So neither the time nor the cost of a refusal tells how long the list is.
 */
export async function pageIf(
  storage: Storage,
  condition: Promise<void>,
  read: (storage: Storage) => Promise<Page>,
): Promise<Answer> {
  const refused = new AbortController()
  const page = read(untilAborted(storage, refused.signal))
  page.catch(() => {})
  await condition.catch((refusal: unknown) => {
    refused.abort()
    throw refusal
  })
  return answerOfPage(await page)
}

export function answerOfPage({ items, ...beside }: Page): Answer {
  const body = `{"items":[${items.join(',')}],${JSON.stringify(beside).slice(1)}`
  return { logged: { pageItems: items.length }, body, isCompressible: true }
}
