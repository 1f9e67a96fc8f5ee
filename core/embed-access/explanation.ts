import * as v from 'valibot'
import { boolean, exactly, id, text } from '../schema.ts'
import { Grantee } from '../workbooks/grantee.ts'

/* A file of its own, so that bundles of functions have no schemas that they do not use. */

export const PathEnd = exactly({
  folderId: id,
  why: v.picklist(['deleted', 'missing', 'tooDeep']),
})

/**
 * Why an embed tenant sees a workbook, or does not.
 * - `path`: the folders above the workbook, root first, and then the workbook itself. Each has its
 *   share with the tenant and its share with all embed users
 * - `end`: the parent that the first entry of the path names, and why it does not count. Null if
 *   that entry is at the top level
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
  end: v.nullable(PathEnd),
})

export type Explanation = Readonly<v.InferOutput<typeof Explanation>>
