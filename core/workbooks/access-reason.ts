import * as v from 'valibot'
import { exactly } from '../schema.ts'
import { Grantee } from './grantee.ts'
import { FolderPathEntry } from './workbook.ts'

/** Why a workbook can be seen: a direct share, or a shared folder that it lies in at some depth. */
export const AccessReason = v.variant('source', [
  exactly({ source: v.literal('tenant') }),
  exactly({ source: v.literal('allEmbedUsers') }),
  exactly({ source: v.literal('folder'), folder: FolderPathEntry, grantee: Grantee }),
])

export type AccessReason = Readonly<v.InferOutput<typeof AccessReason>>
