import { oneOf } from '@embed-access/core/schema.ts'
import { accessSources, inclusions } from '@embed-access/core/workbooks/list.ts'
import * as v from 'valibot'
import { onlyOnce } from './input.ts'
import { paging, parameter } from './list.ts'

/** An empty value means null, the union of all sources. */
const accessSource = v.pipe(
  onlyOnce,
  v.transform((value) => value || undefined),
  v.optional(oneOf(accessSources)),
  v.metadata({ type: ['string', 'null'], enum: [...accessSources, null] }),
)

export const workbookFilters = v.object({
  ...paging,
  accessSource: v.optional(accessSource),
  include: v.optional(v.pipe(parameter, oneOf(inclusions))),
})
