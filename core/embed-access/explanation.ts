import * as v from 'valibot'
import { boolean, exactly, id, text } from '../schema.ts'
import { Grantee } from '../workbooks/grantee.ts'

/* A file of its own, so that bundles of functions have no schemas that they do not use. */

/**
 * Why an embed tenant sees a workbook, or does not. `path`: the folders above it, root first, and
 * the workbook itself, each with its shares with the tenant and with all. `end`: the parent that
 * the first of them names but that does not count, and why; null at the top level.
 */
export const Explanation = exactly({
  isSeen: boolean,
  path: v.array(
    exactly({
      type: v.picklist(['folder', 'workbook']),
      id,
      name: text,
      shares: v.array(
        exactly({ grantee: Grantee, state: v.picklist(['shared', 'noLongerShared', 'notShared']) }),
      ),
    }),
  ),
  end: v.nullable(exactly({ folderId: id, why: v.picklist(['deleted', 'missing', 'tooDeep']) })),
})

export type Explanation = Readonly<v.InferOutput<typeof Explanation>>
